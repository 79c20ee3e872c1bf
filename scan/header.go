package scan

import (
	"net/http"
	"regexp"
	"strings"
	"time"
)

// fields are names of header fields that a page can't say anything in; any
// other is a string like its value.
// https://www.iana.org/assignments/http-fields/http-fields.xhtml
var fields = words2set(`accept accept-ch accept-encoding accept-language accept-ranges access-control-allow-credentials
	access-control-allow-headers access-control-allow-methods access-control-allow-origin access-control-expose-headers
	access-control-max-age access-control-request-headers access-control-request-method age allow alt-svc authorization cache-control
	clear-site-data connection content-disposition content-encoding content-language content-length content-location content-range
	content-security-policy content-security-policy-report-only content-type cookie cross-origin-embedder-policy
	cross-origin-opener-policy cross-origin-resource-policy date etag expect-ct expires feature-policy forwarded from host if-match
	if-modified-since if-none-match if-range if-unmodified-since keep-alive last-modified link location nel origin permissions-policy
	pragma priority proxy-authenticate range referer referrer-policy refresh report-to reporting-endpoints retry-after
	sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-purpose
	sec-websocket-accept sec-websocket-extensions sec-websocket-key sec-websocket-protocol sec-websocket-version
	server server-timing service-worker set-cookie sourcemap strict-transport-security timing-allow-origin trailer transfer-encoding
	upgrade upgrade-insecure-requests user-agent vary via www-authenticate x-content-type-options x-dns-prefetch-control
	x-forwarded-for x-forwarded-host x-forwarded-proto x-frame-options x-powered-by x-request-id x-requested-with x-xss-protection`)

// values are the words that values of header fields are made of, apart from
// numbers: media types, directives, what browsers say of themselves.
var values = words2set(`gzip deflate br zstd identity compress chunked keep-alive close upgrade websocket timeout max
	no-cache no-store no-transform max-age s-maxage must-revalidate proxy-revalidate public private immutable stale-while-revalidate stale-if-error
	nosniff deny sameorigin block mode none self bytes q v u i charset utf-8 iso-8859-1 us-ascii boundary
	text html plain css csv javascript ecmascript xml markdown event-stream application json ld+json xhtml+xml pdf octet-stream x-www-form-urlencoded
	manifest+json signed-exchange b3 wasm zip image png jpeg webp avif apng gif svg+xml jxl x-icon vnd.microsoft.icon bmp font woff woff2 ttf otf audio video mp4 webm mpeg ogg
	multipart form-data cors no-cors navigate same-origin same-site cross-site websocket document empty iframe frame script style track worker
	sharedworker serviceworker manifest object embed report xslt true false origin strict-origin origin-when-cross-origin
	strict-origin-when-cross-origin no-referrer no-referrer-when-downgrade unsafe-url unsafe-none require-corp credentialless
	same-origin-allow-popups includesubdomains preload get head post put patch delete options h2 h3 h3-29 ma xmlhttprequest
	mozilla x11 linux x86_64 windows nt win64 x64 macintosh intel mac os x 10_15_7 android applewebkit khtml like gecko headlesschrome chrome chromium
	safari mobile firefox rv not:a-brand brand not a macos en-us en`)

func words2set(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var (
	valueSeparator = regexp.MustCompile(`[\s,;=/"'()*?]+`)
	valueNumber    = regexp.MustCompile(`^\d{1,10}(?:\.\d{1,4}){0,3}$`)
)

// Header judges a header field, whose name is folded to lower case.
func (v *Strings) Header(name, value string) (n, val *Said) {
	n, val = &Said{}, &Said{}
	if v.Trusted || fields[strings.ToLower(name)] {
		n.parts = []saidPart{{text: name}}
	} else {
		v.text(n, name, maxNested)
	}
	host := strings.EqualFold(name, "host") && hostname.MatchString(value) && v.URLs.Passes("http://"+value+"/", v.Explainer)
	if v.Trusted || host || ordinaryValue(value) {
		val.parts = []saidPart{{text: value}}
	} else {
		v.text(val, value, maxNested)
	}
	return n, val
}

// ordinaryValue reports a value made of nothing but the words of the protocol,
// numbers and dates.
func ordinaryValue(s string) bool {
	if len(s) > maxHeader {
		return false
	}
	if _, err := http.ParseTime(s); err == nil {
		return true
	}
	if _, err := time.Parse(time.RFC1123, s); err == nil {
		return true
	}
	numbers := 0
	for _, w := range valueSeparator.Split(s, -1) {
		switch {
		case w == "" || values[strings.ToLower(w)]:
		case valueNumber.MatchString(w):
			numbers++
		default:
			return false
		}
	}
	return numbers <= maxHeaderNumbers
}

// Bounds of an ordinary value, in bytes and numbers.
const (
	maxHeader        = 512
	maxHeaderNumbers = 16
)
