"""The examples that --help shows for each command; the tests run every line in examples/data."""

from __future__ import annotations

EXAMPLES = {
    "select": (
        "readpref select classic-2-5-150.json --mode secondaryPreferred",
        "readpref select rs-status.json rs-conf.json --mode nearest --tags dc:ny --tags '' --json",
        "cat three-data-centres.json | readpref select - --mode primary",
    ),
    "explain": (
        "readpref explain three-data-centres.json",
        "readpref explain rs-status.json rs-conf.json --mode secondary --max-staleness-seconds 120",
        "readpref explain rs-status-mongosh.txt --mode secondary",
        "readpref explain hello-ny1.json hello-ny2.json hello-sf1.json --rtt ny1.example.net=2 --mode nearest",
    ),
    "import": ("readpref import rs-status.json rs-conf.json",),
    "validate": (
        "readpref validate --mode secondary --tags dc:ny,rack:1 --tags '' --max-staleness-seconds 120",
        "readpref validate --uri-options 'readPreference=nearest&maxStalenessSeconds=120'",
        'readpref validate --mongosh \'["secondary", [{"dc": "ny"}]]\'',
    ),
    "uri": (
        "readpref uri 'mongodb://app:secret@a.example,b.example/?replicaSet=rs0&readPreference=secondary'",
        "readpref uri --mode secondary --tags dc:ny --tags ''",
    ),
    "simulate": (
        "readpref simulate rs-status.json rs-conf.json --mode secondaryPreferred",
        "readpref simulate three-data-centres.json --mode nearest --picks 100000 --clients 8 --markdown",
    ),
    "what_if": (
        "readpref what_if rs-status.json rs-conf.json --mode secondary --every-single",
        'readpref what_if rs-status.json rs-conf.json --workload \'{"name": "orders", "operation": "write"}\' '
        '--event \'{"type": "zoneDown", "tags": {"dc": "ny"}}\'',
    ),
    "advise": ("readpref advise rs-status.json rs-conf.json --mode nearest",),
    "diff": (
        'readpref diff rs-status.json rs-conf.json --mode primary --after \'{"workloads": [{"readPreference": '
        '{"mode": "nearest"}}]}\'',
    ),
    "doctor": (
        "readpref doctor 'mongodb://localhost/?replicaSet=rs0&readPreference=nearest'",
        "printenv MONGODB_URI | readpref doctor - --mode secondary --timeout 10",
    ),
    "session": (
        'echo \'{"method": "readpref.open", "request": {"readPreference": {"mode": "nearest"}}}\' | readpref session',
    ),
    "completion": ("readpref completion bash",),
    "readable": ("readpref readable --topology rs-status.json --mode secondary",),
    "methods": ("readpref methods",),
}
