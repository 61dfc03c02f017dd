// Package command says what a command does with a read preference: which of
// several preferences it uses, and what it carries to the server that was
// selected.
//
// Nothing here touches a command: the caller adds the $readPreference document
// that Decorate gives to a copy of its own, beside $db.
//
// Specifications: Server Selection, "Use of read preferences with commands" and
// "Passing read preference to mongos and load balancers"; Transactions; OP_MSG,
// "Global Command Arguments".
package command
