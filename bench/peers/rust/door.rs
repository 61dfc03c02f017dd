//! What the bench measures is private to the driver, so setup.sh compiles this file into a copy of it, as
//! mongodb::readpref_bench.
#![allow(missing_docs)]

use std::{
    collections::HashMap,
    sync::{
        atomic::{AtomicU32, Ordering},
        Arc,
    },
    time::Duration,
};

use super::description::{
    server::{ServerDescription, ServerType},
    topology::{choose_n, verify_max_staleness, TopologyDescription, TopologyType},
};
use crate::{
    bson::{DateTime, RawDocumentBuf},
    hello::{HelloCommandResponse, HelloReply, LastWrite},
    options::ServerAddress,
    selection_criteria::{ReadPreference, SelectionCriteria, TagSet},
};

/// One server of a case.
pub struct Member {
    pub address: String,
    pub kind: String,
    pub rtt: Option<Duration>,
    pub tags: Option<TagSet>,
    pub last_write_ms: Option<i64>,
    pub last_update_ms: Option<i64>,
    pub min_wire_version: Option<i32>,
    pub max_wire_version: Option<i32>,
}

/// A topology, what is asked of it, and the operation count of each server.
pub struct Case {
    topology: TopologyDescription,
    criteria: SelectionCriteria,
    counts: HashMap<ServerAddress, Arc<AtomicU32>>,
}

impl Case {
    pub fn new(
        kind: &str,
        members: Vec<Member>,
        preference: ReadPreference,
        local_threshold: Duration,
        heartbeat: Duration,
    ) -> Case {
        let mut topology = TopologyDescription {
            topology_type: match kind {
                "ReplicaSetWithPrimary" => TopologyType::ReplicaSetWithPrimary,
                "ReplicaSetNoPrimary" => TopologyType::ReplicaSetNoPrimary,
                "Sharded" => TopologyType::Sharded,
                other => panic!("topology type {other}"),
            },
            local_threshold: Some(local_threshold),
            heartbeat_freq: Some(heartbeat),
            ..Default::default()
        };
        let mut counts = HashMap::new();
        for m in members {
            let d = describe(m);
            counts.insert(d.address.clone(), Arc::new(AtomicU32::new(0)));
            topology.compatibility_error = topology.compatibility_error.or(d.compatibility_error_message());
            topology.servers.insert(d.address.clone(), d);
        }
        Case {
            topology,
            criteria: SelectionCriteria::ReadPreference(preference),
            counts,
        }
    }

    // The steps of the driver's attempt_to_select_server before the pick.
    fn in_window(&self) -> Vec<&ServerDescription> {
        assert!(self.topology.compatibility_error.is_none());
        if self.topology.is_replica_set() {
            if let Some(max) = self.criteria.as_read_pref().and_then(|rp| rp.max_staleness()) {
                verify_max_staleness(max, self.topology.heartbeat_freq.unwrap()).unwrap();
            }
        }
        let mut found = self.topology.filter_servers_by_selection_criteria(&self.criteria, None);
        self.topology.retain_servers_within_latency_window(&mut found);
        found
    }

    /// The addresses in the latency window.
    pub fn window(&self) -> Vec<String> {
        self.in_window().iter().map(|d| d.address.to_string()).collect()
    }

    /// A whole selection, with the driver's pick of two: the operation count of the chosen server.
    pub fn select(&self) -> Option<Arc<AtomicU32>> {
        let servers = self
            .in_window()
            .into_iter()
            .flat_map(|d| self.counts.get(&d.address))
            .collect::<Vec<_>>();
        if servers.len() < 2 {
            servers.first().copied().cloned()
        } else {
            choose_n(&servers, 2)
                .min_by_key(|s| s.load(Ordering::SeqCst))
                .copied()
                .cloned()
        }
    }
}

fn describe(m: Member) -> ServerDescription {
    let address = ServerAddress::parse(&m.address).unwrap();
    let (kind, primary, secondary, msg) = match m.kind.as_str() {
        "RSPrimary" => (ServerType::RsPrimary, true, false, None),
        "RSSecondary" => (ServerType::RsSecondary, false, true, None),
        "Mongos" => (ServerType::Mongos, true, false, Some("isdbgrid".to_string())),
        other => panic!("server type {other}"),
    };
    let hello = HelloCommandResponse {
        is_writable_primary: Some(primary),
        secondary: Some(secondary),
        set_name: msg.is_none().then(|| "rs0".to_string()),
        msg,
        tags: m.tags,
        last_write: m.last_write_ms.map(|ms| LastWrite {
            last_write_date: DateTime::from_millis(ms),
        }),
        min_wire_version: m.min_wire_version,
        max_wire_version: m.max_wire_version,
        ..Default::default()
    };
    let reply = HelloReply {
        server_address: address.clone(),
        command_response: hello,
        raw_command_response: RawDocumentBuf::new(),
        cluster_time: None,
    };
    let mut d = ServerDescription::new_from_hello_reply(address, reply, m.rtt.unwrap_or_default());
    d.average_round_trip_time = m.rtt;
    d.last_update_time = m.last_update_ms.map(DateTime::from_millis);
    assert!(d.server_type == kind);
    d
}
