package connstring

import (
	"unicode/utf8"

	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
)

// The limits of a connection string.
const (
	MaxLength = 16 << 20 // bytes
	MaxHosts  = 65536    // also of the SRV records of an answer
)

// ConnString is a connection string that Parse has read.
type ConnString struct {
	// SRV is true for mongodb+srv://. SRVHost is then the host to ask DNS for,
	// and Hosts is empty until Resolve.
	SRV     bool
	SRVHost string
	// Hosts are the hosts as written. Seeds returns them as addresses.
	Hosts []Host

	// The user name and the password, decoded. An empty password is one.
	Username, Password       string
	HasUsername, HasPassword bool
	// Database is what stands behind the slash, decoded; "" is none.
	Database string

	// Preference is the read preference; primary where no option sets one.
	Preference readpref.Preference

	// The options of discovery and selection. Times are in milliseconds.
	ReplicaSet                Maybe[string]
	DirectConnection          Maybe[bool]
	LoadBalanced              Maybe[bool]
	LocalThresholdMS          Maybe[int64]
	ServerSelectionTimeoutMS  Maybe[int64]
	HeartbeatFrequencyMS      Maybe[int64]
	ConnectTimeoutMS          Maybe[int64]
	SocketTimeoutMS           Maybe[int64]
	TimeoutMS                 Maybe[int64]
	ServerMonitoringMode      Maybe[string] // auto, stream or poll
	ServerSelectionTryOnce    Maybe[bool]
	MaxAdaptiveRetries        Maybe[int64]
	EnableOverloadRetargeting Maybe[bool]
	SRVServiceName            Maybe[string]
	SRVMaxHosts               Maybe[int64]
	// TLS is tls or ssl; mongodb+srv:// sets it to true unless an option says
	// false.
	TLS Maybe[bool]

	// Options are all valid options but those of the read preference, once
	// each, in the order of the connection string; those of the TXT record come
	// last. Options with a field of their own are among them.
	Options []Option

	// Warnings are options that were ignored, and deprecated spellings.
	Warnings []status.Warning

	at [optionCount]uint8 // 1 + the index in Options
}

// Maybe is the value of an option, and whether it was given. A value that was
// not is zero.
type Maybe[T any] struct {
	Value T
	Set   bool
}

// Parse reads a connection string. The error is a *status.Error.
func Parse(text string) (*ConnString, error) {
	c := new(ConnString)
	if err := c.read(text); err != nil {
		return nil, err
	}
	return c, nil
}

// fault, like other small functions here, is not inlined: the WebAssembly module
// pays for every copy.
//
//go:noinline
func fault(code status.Code, path, message string) *status.Error {
	return status.New(code, path, message)
}

func (c *ConnString) read(text string) *status.Error {
	if len(text) > MaxLength {
		return fault(status.LimitExceeded, "", "more than 16 MiB")
	}
	if !utf8.ValidString(text) {
		return fault(status.InvalidUTF8, "", "the connection string is not UTF-8")
	}
	rest, ok := str.CutPrefix(text, "mongodb://")
	if !ok {
		rest, c.SRV = str.CutPrefix(text, "mongodb+srv://")
		if !c.SRV {
			return fault(status.InvalidURI, "", "a connection string begins with mongodb:// or mongodb+srv://")
		}
	}
	authority := rest
	if i := str.IndexAny(rest, "/?"); i >= 0 {
		authority = rest[:i]
	}
	rest = str.TrimPrefix(rest[len(authority):], "/")
	database, options, _ := str.Cut(rest, "?")

	if i := str.LastIndexByte(authority, '@'); i >= 0 {
		if err := c.readUserInfo(authority[:i]); err != nil {
			return err
		}
		authority = authority[i+1:]
	}
	// A / ? or @ of a password that was not encoded ends the authority too early:
	// what follows may be a secret.
	secret := !c.HasUsername && str.IndexByte(rest, '@') >= 0
	err := c.readHosts(authority)
	if err == nil {
		err = c.readDatabase(database)
	}
	if err == nil {
		err = c.readOptions(options, secret)
	}
	if err != nil {
		if secret {
			err.Message += "; in a user name and a password, / ? and @ are percent-encoded"
		}
		return err
	}
	return c.check()
}

// readUserInfo reads what stands before the last @ of the authority.
func (c *ConnString) readUserInfo(text string) *status.Error {
	name, password, hasPassword := str.Cut(text, ":")
	var nameOK, passwordOK bool
	c.Username, nameOK = uri.Decode(name)
	c.Password, passwordOK = uri.Decode(password)
	c.HasUsername, c.HasPassword = true, hasPassword
	switch {
	case str.IndexByte(text, '@') >= 0, str.IndexByte(password, ':') >= 0:
		return fault(status.InvalidURI, "userInfo", "in a user name and a password, : and @ are percent-encoded")
	case !nameOK, !passwordOK:
		return fault(status.InvalidURI, "userInfo", uri.BadEscape)
	case name == "":
		return fault(status.InvalidURI, "userInfo", "the user name is empty")
	}
	return nil
}

func (c *ConnString) readDatabase(text string) *status.Error {
	var ok bool
	c.Database, ok = uri.Decode(text)
	switch {
	case !ok:
		return fault(status.InvalidURI, "database", uri.BadEscape)
	case str.ContainsAny(c.Database, "/\\ \"$\x00"):
		return fault(status.InvalidURI, "database", `a database has no / \ space " $ or NUL in its name`)
	}
	return nil
}
