"""Write the inputs that fuzz_calls starts from: programs that reach every function on open handles."""

import struct
import sys
from pathlib import Path

TOPOLOGY = (
    '{"topology":{"type":"ReplicaSetWithPrimary","servers":[{"address":"a.example:27017","type":"RSPrimary","roundTripTimeMS":2,'
    '"lastWriteDate":1793000000000,"lastUpdateTimeMS":1793000000950,"maxWireVersion":25},{"address":"b.example:27017",'
    '"type":"RSSecondary","roundTripTimeMS":5,"tags":{"dc":"ny"},"lastWriteDate":1793000000000,"lastUpdateTimeMS":1793000000950}]}}'
)
PREFERENCE = '{"readPreference":{"mode":"secondaryPreferred","tags":[{"dc":"ny"},{}],"maxStalenessSeconds":120}}'
SEEDS = '{"seeds":["a.example","b.example"],"replicaSet":"rs"}'
HELLO = (
    '{"address":"a.example","hello":{"ok":1,"isWritablePrimary":true,"setName":"rs","hosts":["a.example","b.example"],'
    '"setVersion":1,"electionId":{"$oid":"000000000000000000000001"},"maxWireVersion":25},"roundTripTimeMS":1,"nowMS":5}'
)
SELECT = TOPOLOGY[:-1] + "," + PREFERENCE[1:]
(OPEN, READPREF, UPDATE, HELLO_CALL, ERROR, SRV, SHUTDOWN, DESCRIBE, EVENTS, ACK, EXPLAIN, COMMAND) = range(12)
(SELECT_CALL, SELECT_EX, BATCH, ADDRESS, RELEASE, GENERATION, CLOSE, CALL) = range(12, 20)

PROGRAMS = {
    "handles": [
        (OPEN, 0, 0, 0, TOPOLOGY),
        (READPREF, 0, 0, 0, PREFERENCE),
        (SELECT_CALL, 0, 1, 4, ""),
        (BATCH, 0, 1, 4, ""),
        (SELECT_EX, 0, 1, 0, '{"deprioritized":["b.example"]}'),
        (ADDRESS, 0, 0, 1, ""),
        (RELEASE, 0, 0, 1, ""),
        (EXPLAIN, 0, 1, 0, "{}"),
        (COMMAND, 0, 1, 1, "{}"),
        (UPDATE, 0, 0, 0, TOPOLOGY),
        (DESCRIBE, 0, 0, 0, ""),
        (GENERATION, 0, 0, 0, ""),
        (CLOSE, 0, 0, 0, ""),
        (SELECT_CALL, 0, 1, 0, ""),
        (SELECT_CALL, 99, 1, 0, ""),
    ],
    "discovery": [
        (OPEN, 0, 0, 0, SEEDS),
        (HELLO_CALL, 0, 0, 0, HELLO),
        (EVENTS, 0, 0, 255, ""),
        (ACK, 0, 0, 3, ""),
        (ERROR, 0, 0, 0, '{"address":"a.example","kind":"network","generation":0}'),
        (SRV, 0, 0, 0, '{"srv":[]}'),
        (DESCRIBE, 0, 0, 255, ""),
        (SHUTDOWN, 0, 0, 0, "{}"),
    ],
    **{f"call{i}": [(CALL, 0, 0, i, SELECT)] for i in range(16)},
    "uri": [
        (
            CALL,
            0,
            0,
            4,
            '{"uri":"mongodb://u:p@a.example,[::1]:27018/db?readPreference=nearest&readPreferenceTags=dc:ny"}',
        )
    ],
    "hello": [(CALL, 0, 0, 3, HELLO)],
}


def main(folder: str) -> None:
    for name, calls in PROGRAMS.items():
        data = b"".join(struct.pack("<BBBBH", *c[:4], len(c[4].encode())) + c[4].encode() for c in calls)
        Path(folder, f"seed-{name}").write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1])
