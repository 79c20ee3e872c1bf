package scan

import (
	"regexp"
	"strings"
	"sync"

	"moire/evidence"
)

// Shapes of attack in text that is withheld anyway. They grade, they never
// admit: nothing passes because it looks harmless. The one other use is to
// refuse a hidden name that would else be bound.
type shapes struct {
	roleMarker, override, imperative, encoded *regexp.Regexp
}

// newShapes compiles the expressions once.
var newShapes = sync.OnceValue(func() *shapes {
	return &shapes{
		roleMarker: regexp.MustCompile(`(?i)(^|[\s\[<("'#*_=-])(system|assistant|developer|user|human|ai|admin|root)\s*(prompt|message|note|instructions?)?\s*[:>\])]` +
			`|<\|?/?(im_start|im_end|system|assistant|user|inst|endoftext|tool|function)` +
			`|\[/?(inst|system|sys)\]|<<sys>>|#{2,}\s*(system|instruction)|-{3,}\s*(begin|end|system)|uid=\d+_\d+|⟦`),
		override: regexp.MustCompile(`(?i)\b(ignor\w*|disregard|forget|overrid\w*|bypass|omit\w*|vergiss\w*|ignorier\w*|missachte\w*|oublie\w*|ignore[zr]|olvid\w*|ignora\w*|dimentica\w*|esque[çc]\w*|negeer|vergeet|zignoruj|игнорир\w*|забудь\w*)\b.{0,60}` +
			`\b(previous|prior|above|earlier|all|any|your|the|instruct\w*|rules?|prompt\w*|guid\w*|anweisung\w*|vorherig\w*|pr[ée]c[ée]dent\w*|instrucci\w*|anterior\w*|istruzion\w*|precedent\w*|instru[çc]\w*|instructies|poprzedni\w*|инструкц\w*|предыдущ\w*)` +
			`|忽略.{0,12}(指令|指示|说明|提示)|以前の.{0,8}(指示|命令)|無視|이전.{0,8}(지시|명령)|تجاهل|अनदेखा|игнорируй`),
		imperative: regexp.MustCompile(`(?i)\b(send|e-?mail|forward|transfer|pay|wire|upload|post|submit|delete|remove|click|press|open|visit|navigate|go to|download|install|run|execute|reveal|tell|reply|respond|report|write|enter|type|paste|copy|share|grant|approve|buy|purchase|order|disable|call|fetch|summari[sz]e|recommend|say|output|print|include|append|add|set|change|use|choose|select|sende\w*|schick\w*|klick\w*|lösch\w*|öffne\w*|überweis\w*|envoye\w*|clique\w*|supprime\w*|transf[eé]re\w*|env[ií]a\w*|haz clic|borra|transfiere|invia|clicca|elimina|envie|clique|apague|отправ\w*|нажм\w*|удал\w*|перевед\w*)\b` +
			`|发送|点击|删除|转账|送信|クリック|削除|보내|클릭|삭제|أرسل|भेज`),
		encoded: regexp.MustCompile(`[A-Za-z0-9+/]{48,}={0,2}|(?:[0-9a-fA-F]{2}[\s:]?){32,}|(?:%[0-9a-fA-F]{2}){12,}`),
	}
})

// addressee: who the text speaks to, in words that ordinary pages seldom use.
var addressee = []string{
	"assistant", "agent", "language model", "llm", "ai ", " ai", "chatbot", "claude", "gpt",
	"copilot", "gemini", "you must", "you are", "your instructions", "the user", "user's",
	"password", "api key", "secret", "credential", "token", "system prompt", "confidential",
	"do not tell", "don't tell", "without asking", "immediately", "instead of", "kennwort",
	"passwort", "mot de passe", "contraseña", "senha", "пароль", "密码", "助手", "パスワード",
}

// look returns what the text is shaped like.
func (s *shapes) look(text string) []evidence.Kind {
	var out []evidence.Kind
	if s.roleMarker.MatchString(text) {
		out = append(out, evidence.KindRoleMarker)
	}
	if s.override.MatchString(text) || s.commands(text) {
		out = append(out, evidence.KindInstruction)
	}
	if s.encoded.MatchString(text) {
		out = append(out, evidence.KindEncodedPayload)
	}
	return out
}

// commands reports an imperative addressed to a model or about secrets.
func (s *shapes) commands(text string) bool {
	if !s.imperative.MatchString(text) {
		return false
	}
	low := strings.ToLower(text)
	for _, a := range addressee {
		if strings.Contains(low, a) {
			return true
		}
	}
	return false
}

// grade: notify for a payload that commands and fakes a speaker or overrides,
// attention for anything attack-shaped.
func (s *shapes) grade(text string) evidence.Grade {
	look := s.look(text)
	switch {
	case len(look) == 0:
		return evidence.GradeMuted
	case s.override.MatchString(text) && s.imperative.MatchString(text), len(look) > 1:
		return evidence.GradeNotify
	}
	return evidence.GradeAttention
}
