"""What the command's exit code says; docs/cli.md lists them."""

from __future__ import annotations

OK = 0
NO = 1
UNUSABLE = 2
UNREACHABLE = 3
FAULT = 4
UNWRITABLE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141

MEANING = {
    OK: "a server was found, the preference is valid, the method answered",
    NO: "no server is suitable, or the preference or connection string is invalid",
    UNUSABLE: "wrong usage, or input that cannot be read",
    UNREACHABLE: "doctor cannot reach the deployment",
    FAULT: "a fault of readpref itself",
    UNWRITABLE: "the output cannot be written",
    INTERRUPTED: "interrupted by Ctrl-C",
    BROKEN_PIPE: "whoever read the output has gone",
}

# Readable documents that ask for something impossible; all other codes of errors.md are input that cannot be used.
_INVALID = {
    "noServer",
    "unknownMode",
    "maxStalenessTooSmall",
    "maxStalenessWithPrimary",
    "tagsWithPrimary",
    "hedgeWithPrimary",
    "invalidMaxStaleness",
    "incompatibleWireVersion",
    "invalidURIOption",
    "invalidURI",
    "invalidHost",
    "conflictingOptions",
    "directConnectionWithMultipleHosts",
    "loadBalancedWithReplicaSet",
    "loadBalancedWithMultipleHosts",
    "loadBalancedWithDirectConnection",
    "noSRVRecords",
    "invalidSRVRecord",
    "invalidTXTRecord",
    "transactionReadPreferenceNotPrimary",
}
_FAULTS = {"internal", "buffer", "forked"}


def of_error(code: str) -> int:
    """Give the exit code that goes with an error's code."""
    if code in _INVALID:
        return NO
    return FAULT if code in _FAULTS else UNUSABLE
