// Package wire is the codec of readpref's boundary: a strict JSON decoder that
// reads requests into the engine's own types without allocating, and append
// encoders for its answers. docs/json.md describes the documents.
//
// It is hand-written because it runs on every call of every runtime, and links
// neither fmt, reflect nor encoding/json, which would double the WebAssembly
// module. Ordinary Go programs use the json methods of the public types instead
// (easyjson); a fuzz test holds the two codecs equal.
//
// Strings of a decoded request alias the input or the Decoder's own memory:
// they are valid until the input changes or the Decoder is used again.
package wire

import "github.com/readpref/readpref/core/readpref"

// Limits of a document. docs/json.md lists them for users.
const (
	MaxDocumentBytes = 16 << 20
	MaxDepth         = 64
	MaxServers       = 65536
	MaxTagSets       = readpref.MaxTagSets
	MaxTags          = readpref.MaxTags
	MaxShards        = 4096
	MaxAnswerBytes   = 128 << 20

	maxPathBytes    = 1000 // an error document always fits into 4096 bytes
	maxQuotedBytes  = 64   // of a caller's string repeated in a message or path
	maxMessageBytes = 1000
	maxProblems     = 100 // of one document that are listed
)
