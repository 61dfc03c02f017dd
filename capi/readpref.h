/* status codes: begin (generated from core/status/codes.json) */
#define RP_E_ARGUMENT (-1) /* argument: a null pointer with a length, or another argument that no document explains */
#define RP_E_BUFFER (-2) /* buffer: the answer buffer is smaller than this function needs before it may change anything */
#define RP_E_HANDLE (-3) /* handle: the handle is stale, closed, or of another kind */
#define RP_E_NO_SERVER (-4) /* noServer: no server is suitable */
#define RP_E_FORKED (-5) /* forked: this process was forked after the library was loaded */
#define RP_E_INTERNAL (-6) /* internal: a fault inside readpref; please report it */
#define RP_E_UNKNOWN_METHOD (-7) /* unknownMethod: no method has this name */
#define RP_E_INVALID_JSON (-10) /* invalidJSON: the document is not JSON (RFC 8259) */
#define RP_E_INVALID_UTF8 (-11) /* invalidUTF8: a string is not UTF-8, or holds a lone surrogate */
#define RP_E_DUPLICATE_KEY (-12) /* duplicateKey: an object names a key twice */
#define RP_E_NESTING_TOO_DEEP (-13) /* nestingTooDeep: more than 64 levels of nesting */
#define RP_E_DOCUMENT_TOO_LARGE (-14) /* documentTooLarge: more than 16 MiB */
#define RP_E_LIMIT_EXCEEDED (-15) /* limitExceeded: more elements than the documented limit */
#define RP_E_UNKNOWN_KEY (-16) /* unknownKey: a key this document does not have */
#define RP_E_MISSING_KEY (-17) /* missingKey: a required key is absent */
#define RP_E_WRONG_TYPE (-18) /* wrongType: a value of another type than the key takes */
#define RP_E_OUT_OF_RANGE (-19) /* outOfRange: a value outside the key's range */
#define RP_E_UNKNOWN_MODE (-20) /* unknownMode: no read preference mode has this name */
#define RP_E_MAX_STALENESS_TOO_SMALL (-21) /* maxStalenessTooSmall: maxStalenessSeconds is under 90, or under heartbeatFrequencyMS + 10 seconds, on a replica set */
#define RP_E_MAX_STALENESS_WITH_PRIMARY (-22) /* maxStalenessWithPrimary: maxStalenessSeconds cannot be combined with mode primary */
#define RP_E_TAGS_WITH_PRIMARY (-23) /* tagsWithPrimary: tag sets cannot be combined with mode primary */
#define RP_E_HEDGE_WITH_PRIMARY (-24) /* hedgeWithPrimary: hedge cannot be combined with mode primary */
#define RP_E_INVALID_MAX_STALENESS (-25) /* invalidMaxStaleness: maxStalenessSeconds is below -1 */
#define RP_E_UNKNOWN_VALUE (-26) /* unknownValue: a name outside the key's list of names */
#define RP_E_DUPLICATE_ADDRESS (-27) /* duplicateAddress: a topology names an address twice */
#define RP_E_INCOMPATIBLE_WIRE_VERSION (-28) /* incompatibleWireVersion: a server and this client share no wire version */
#define RP_E_INVALID_URI_OPTION (-29) /* invalidURIOption: a connection string option cannot be read */
/* status codes: end */
