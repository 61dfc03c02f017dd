use readpref::{call, check_version, Checkout, Error, Operation, Preference, Topology};
use std::thread;

const RS0: &str = r#"{"topology": {"servers": [
  {"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": 2},
  {"address": "B.example:27018", "type": "RSSecondary", "roundTripTimeMS": 5}]}}"#;
const ALONE: &str = r#"{"topology": {"servers": [{"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": 2}]}}"#;

fn preference(mode: &str) -> Preference {
    Preference::open(&format!(r#"{{"readPreference": {{"mode": "{mode}"}}}}"#)).unwrap()
}

/// The handles may be shared and sent: the library takes any handle from any thread.
#[test]
fn send_and_sync() {
    fn is<T: Send + Sync>() {}
    is::<Topology>();
    is::<Preference>();
    is::<Checkout>();
    is::<Error>();
}

#[test]
fn version() {
    check_version().unwrap();
}

#[test]
fn a_call_and_its_answer() {
    let request = format!(r#"{},"readPreference":{{"mode":"secondary"}}}}"#, RS0.strip_suffix('}').unwrap());
    let answer = call("select", &request).unwrap();
    assert!(answer.starts_with(r#"{"server":{"index":1,"address":"B.example:27018","type":"RSSecondary"}"#), "{answer}");
}

#[test]
fn an_answer_longer_than_the_first_buffer() {
    let servers: Vec<_> =
        (0..200).map(|i| format!(r#"{{"address": "m{i}.example:27017", "type": "Mongos", "roundTripTimeMS": 2}}"#)).collect();
    let request = format!(r#"{{"topology": {{"servers": [{}]}}}}"#, servers.join(","));
    let answer = call("select", &request).unwrap();
    assert!(answer.len() > 10_000 && answer.ends_with(r#""m199.example:27017"]}"#), "{} bytes", answer.len());
}

#[test]
fn an_error_says_what_and_where() {
    match Preference::open(r#"{"readPreference": {"mode": "second\"ry"}}"#).unwrap_err() {
        Error::Document { code, status, message, path } => {
            assert_eq!((code.as_str(), status, path.as_str()), ("unknownMode", -20, "readPreference.mode"));
            assert!(message.contains('"') && !message.contains('\u{fffd}'), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn operations_are_counted_while_they_are_under_way() {
    let topology = Topology::open(RS0).unwrap();
    let nearest = preference("secondary");
    let counted = || topology.describe().unwrap().matches(r#""operationCount":2"#).count();
    {
        let first = topology.select(&nearest, Operation::Read).unwrap().unwrap();
        let second = topology.select(&nearest, Operation::Read).unwrap().unwrap();
        assert_eq!(topology.address(first.server()).unwrap(), "b.example:27018");
        assert_eq!(first.server(), second.server());
        assert_eq!(counted(), 1);
    }
    assert!(!topology.describe().unwrap().contains("operationCount"));
}

#[test]
fn operations_go_where_they_may() {
    let topology = Topology::open(RS0).unwrap();
    let secondary = preference("secondary");
    let address = |operation| {
        let found = topology.select(&secondary, operation).unwrap().unwrap();
        topology.address(found.server()).unwrap()
    };
    assert_eq!(address(Operation::Read), "b.example:27018");
    assert_eq!(address(Operation::Write), "a.example:27017");
    assert_eq!(address(Operation::AggregateWithWriteStage), "b.example:27018");
}

#[test]
fn no_server_until_an_update() {
    let topology = Topology::open(ALONE).unwrap();
    let secondary = preference("secondary");
    let seen = topology.generation();
    assert!(topology.select(&secondary, Operation::Read).unwrap().is_none());
    assert!(topology.explain(&secondary).unwrap().contains(r#""reason":{"code":"noCandidate""#));

    let refused = topology.update(r#"{"topology": {}}"#).unwrap_err();
    assert!(matches!(refused, Error::Document { status: -17, .. }), "{refused:?}");
    assert_eq!(topology.generation(), seen);

    topology.update(RS0).unwrap();
    assert_ne!(topology.generation(), seen);
    assert!(topology.select(&secondary, Operation::Read).unwrap().is_some());
}

#[test]
fn a_status_is_a_variant() {
    let topology = Topology::open(RS0).unwrap();
    let stale = Preference::open(r#"{"readPreference": {"mode": "secondary", "maxStalenessSeconds": 60}}"#).unwrap();
    assert_eq!(topology.select(&stale, Operation::Read).unwrap_err(), Error::MaxStalenessTooSmall);
}

/// 65,536 handles can be open at a time, so these would not all open if one stayed open.
#[test]
fn dropping_closes() {
    for i in 0..70_000 {
        drop(Preference::open(r#"{"readPreference": {}}"#).unwrap_or_else(|e| panic!("number {i}: {e}")));
    }
    for i in 0..70_000 {
        drop(Topology::open(ALONE).unwrap_or_else(|e| panic!("number {i}: {e}")));
    }
}

#[test]
fn one_topology_from_many_threads() {
    let topology = Topology::open(RS0).unwrap();
    let (nearest, secondary) = (preference("nearest"), preference("secondary"));
    thread::scope(|scope| {
        for preference in [&nearest, &secondary, &nearest, &secondary] {
            let topology = &topology;
            scope.spawn(move || {
                for _ in 0..2_000 {
                    assert!(topology.select(preference, Operation::Read).unwrap().is_some());
                }
            });
        }
        for _ in 0..200 {
            topology.update(RS0).unwrap();
        }
    });
    assert!(!topology.describe().unwrap().contains("operationCount"));
}
