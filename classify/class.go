package classify

import "slices"

// Class is what a field asks for. The set is closed: see [Classes].
type Class string

// The classes of fields, most sensitive first within each grade.
const (
	Password       Class = "password"
	NewPassword    Class = "new-password"
	OneTimeCode    Class = "one-time-code"
	CardNumber     Class = "card-number"
	CardExpiry     Class = "card-expiry"
	CardCode       Class = "card-code"
	CardHolder     Class = "card-holder"
	BankAccount    Class = "bank-account"
	NationalID     Class = "national-id"
	Passport       Class = "passport"
	TaxID          Class = "tax-id"
	DriversLicence Class = "drivers-licence"
	Health         Class = "health"
	Email          Class = "email"
	Phone          Class = "phone"
	BirthDate      Class = "birth-date"
	Name           Class = "name"
	Address        Class = "address"
	Username       Class = "username"
	Organisation   Class = "organisation"
	Amount         Class = "amount"
	Captcha        Class = "captcha"
	Search         Class = "search"
	FreeText       Class = "free-text"
	URL            Class = "url"
	File           Class = "file"
	Choice         Class = "choice"
	Other          Class = "other"
)

// Grade is how much harm a wrong hand does with the value of a field.
type Grade int

// The grades, least harm first, so that they compare.
const (
	Plain    Grade = iota // anything else
	Personal              // says who or where somebody is
	Identity              // stands for a person or their money before an authority
	Secret                // lets its holder act as the person or spend
)

func (g Grade) String() string {
	return [...]string{"plain", "personal", "identity", "secret"}[g]
}

// Classes lists every class, most sensitive first.
func Classes() []Class {
	return []Class{Password, NewPassword, OneTimeCode, CardNumber, CardExpiry, CardCode, CardHolder,
		BankAccount, NationalID, Passport, TaxID, DriversLicence, Health,
		Email, Phone, BirthDate, Name, Address, Username,
		Organisation, Amount, Captcha, Search, FreeText, URL, File, Choice, Other}
}

// Grade is the sensitivity of the class; what is not a class is Secret.
func (c Class) Grade() Grade {
	switch i := slices.Index(Classes(), c); {
	case i <= slices.Index(Classes(), CardHolder): // -1, unknown, is here too
		return Secret
	case i <= slices.Index(Classes(), Health):
		return Identity
	case i <= slices.Index(Classes(), Username):
		return Personal
	}
	return Plain
}

// Sensitive reports whether the value is more than plain.
func Sensitive(c Class) bool { return c.Grade() > Plain }
