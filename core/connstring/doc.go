// Package connstring reads MongoDB connection strings: seeds, the read
// preference, the options that discovery and selection need, and all other
// options that the specifications name. It asks no DNS server: the answers for
// mongodb+srv:// are arguments.
//
// What makes a connection string invalid is an error with a code and a path,
// such as hosts[1] or options.readPreference. What the specifications want
// ignored is a warning, as data. Neither quotes a user name, a password, a host
// (an unescaped password can look like one) or an option that may hold a secret.
//
// The limits are 16 MiB of text, 65536 hosts, 100 tag sets of 100 tags, and 100
// warnings (further ones are dropped). Reading takes time in proportion to the
// text.
//
// Specifications: Connection String; URI Options; Initial DNS Seedlist
// Discovery; Polling SRV Records for mongos Discovery; Load Balancers, "URI
// Validation".
package connstring
