package policy

import (
	"path"
	"strings"
)

// FileClasses are what a path tells of a file.
var FileClasses = []string{"plain", "hidden", "key", "version-control", "outside"}

// keyNames are names of files that hold keys and passwords.
var keyNames = []string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials", "secrets", "shadow", "passwd", "htpasswd", "wallet.dat", "keychain", "logins.json", "key4.db", "kubeconfig"}

var keyEnds = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".age", ".ovpn", ".kubeconfig", ".tfstate", ".env"}

var controlDirs = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true, "cvs": true}

// ClassOfFile tells of a path with slashes, links resolved, below the agent's
// workspace. An empty path is outside of it.
func ClassOfFile(name string) string {
	name = strings.ToLower(path.Clean(name))
	if name == "." || name == ".." || strings.HasPrefix(name, "../") || path.IsAbs(name) {
		return "outside"
	}
	base := path.Base(name)
	for _, part := range strings.Split(name, "/") {
		if controlDirs[part] {
			return "version-control"
		}
	}
	for _, key := range keyNames {
		if base == key || strings.HasPrefix(base, key+".") && path.Ext(base) != ".pub" {
			return "key"
		}
	}
	for _, end := range keyEnds {
		if strings.HasSuffix(base, end) {
			return "key"
		}
	}
	for _, part := range strings.Split(name, "/") {
		if strings.HasPrefix(part, ".") {
			return "hidden"
		}
	}
	return "plain"
}
