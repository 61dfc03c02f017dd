//! Operations of several threads over a replica set that changes meanwhile. Waiting is the host's part: whoever updates wakes.
use readpref::{check_version, Checkout, Error, Operation, Preference, Topology};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const DOWN: &str = r#"{"topology": {"setName": "rs0", "servers": [
  {"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": 2},
  {"address": "b.example", "type": "Unknown", "error": "connection refused"}]}}"#;
const UP: &str = r#"{"topology": {"setName": "rs0", "servers": [
  {"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": 2},
  {"address": "b.example", "type": "RSSecondary", "roundTripTimeMS": 3},
  {"address": "c.example", "type": "RSSecondary", "roundTripTimeMS": 5}]}}"#;

struct Cluster {
    topology: Topology,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Cluster {
    fn update(&self, document: &str) -> Result<(), Error> {
        self.topology.update(document)?;
        let _between_a_look_and_a_sleep_is_no_gap = self.lock.lock().unwrap();
        self.changed.notify_all();
        Ok(())
    }

    /// The server for an operation, waited for until the deadline.
    fn select(&self, preference: &Preference, deadline: Instant) -> Result<Option<Checkout<'_>>, Error> {
        loop {
            let seen = self.topology.generation(); // before selecting, so that no change is slept through
            if let Some(found) = self.topology.select(preference, Operation::Read)? {
                return Ok(Some(found));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let guard = self.lock.lock().unwrap();
            let (_guard, wait) = self.changed.wait_timeout_while(guard, left, |_| self.topology.generation() == seen).unwrap();
            if wait.timed_out() {
                return Ok(None);
            }
        }
    }
}

fn main() -> Result<(), Error> {
    check_version()?;
    let cluster = Cluster { topology: Topology::open(DOWN)?, lock: Mutex::new(()), changed: Condvar::new() };
    let secondary = Preference::open(r#"{"uriOptions": "readPreference=secondary"}"#)?;

    assert!(cluster.select(&secondary, Instant::now() + Duration::from_millis(20))?.is_none());
    println!("{}", cluster.topology.explain(&secondary)?);

    let served: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut served = 0;
                    while served < 1000 {
                        let deadline = Instant::now() + Duration::from_secs(10);
                        let Some(operation) = cluster.select(&secondary, deadline)? else { break };
                        let address = cluster.topology.address(operation.server())?;
                        assert!(["b.example:27017", "c.example:27017"].contains(&address.as_str()), "{address}");
                        served += 1;
                    }
                    Ok(served)
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(20));
        cluster.update(UP)?;
        threads.into_iter().map(|t| t.join().unwrap()).sum::<Result<usize, Error>>()
    })?;
    println!("{served} operations on secondaries");
    assert_eq!(served, 4000);
    Ok(())
}
