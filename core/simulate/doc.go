// Package simulate answers where operations go: the share of each server, by
// exact counting or by a number of picks, and which operations find none.
//
// Everything is whole numbers. The same request gives the same answer in every
// runtime.
package simulate
