// Code generated from VERSION by core/abi/gen. DO NOT EDIT.

package abi

// Release is the version of readpref, as the file VERSION has it.
const Release = "0.1.0"
