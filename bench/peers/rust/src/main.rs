//! The Rust driver's selection behind the bench's line protocol (bench/README.md).
use std::{collections::HashMap, hint::black_box, io::Write, time::Duration};

use mongodb::{
    options::ReadPreference,
    readpref_bench::{Case, Member},
};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    topology: Topology,
    read_preference: serde_json::Value,
    #[serde(rename = "localThresholdMS")]
    local_threshold_ms: f64,
    #[serde(rename = "heartbeatFrequencyMS")]
    heartbeat_frequency_ms: u64,
}

#[derive(Deserialize)]
struct Topology {
    r#type: String,
    servers: Vec<Server>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Server {
    address: String,
    r#type: String,
    #[serde(rename = "roundTripTimeMS")]
    round_trip_time_ms: Option<f64>,
    tags: Option<HashMap<String, String>>,
    last_write_date: Option<i64>,
    #[serde(rename = "lastUpdateTimeMS")]
    last_update_time_ms: Option<i64>,
    min_wire_version: Option<i32>,
    max_wire_version: Option<i32>,
}

fn milliseconds(ms: f64) -> Duration {
    Duration::from_nanos((ms * 1e6).round() as u64)
}

fn load(document: &str) -> serde_json::Result<Case> {
    let request: Request = serde_json::from_str(document)?;
    let members = request.topology.servers.into_iter().map(|s| Member {
        address: s.address,
        kind: s.r#type,
        rtt: s.round_trip_time_ms.map(milliseconds),
        tags: s.tags,
        last_write_ms: s.last_write_date,
        last_update_ms: s.last_update_time_ms,
        min_wire_version: s.min_wire_version,
        max_wire_version: s.max_wire_version,
    });
    let mut preference = request.read_preference;
    if let Some(tags) = preference.as_object_mut().and_then(|p| p.remove("tags")) {
        preference["tagSets"] = tags; // as the driver calls them
    }
    let preference: ReadPreference = serde_json::from_value(preference)?;
    Ok(Case::new(
        &request.topology.r#type,
        members.collect(),
        preference,
        milliseconds(request.local_threshold_ms),
        Duration::from_millis(request.heartbeat_frequency_ms),
    ))
}

fn main() {
    let mut case = None;
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split('\t').collect();
        let answer = match words[0] {
            "load" => match load(words[1]) {
                Ok(loaded) => {
                    let window = loaded.window();
                    case = Some(loaded);
                    json!({"window": window})
                }
                Err(e) => json!({"error": e.to_string()}),
            },
            "run" if words[1] == "cold" => {
                let n: u64 = words[2].parse().unwrap();
                let c = case.as_ref().expect("run before load");
                for _ in 0..n {
                    black_box(black_box(c).select());
                }
                json!({"done": n})
            }
            other => json!({"error": format!("cannot {other}")}),
        };
        println!("{answer}");
        std::io::stdout().flush().unwrap();
    }
}
