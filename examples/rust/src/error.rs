//! What can go wrong.
use crate::sys;
use std::fmt;

/// An error. Decide by the variant, or by `code`, which never changes; messages may.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The loaded library has another ABI than this crate was written for.
    Version { major: u32, minor: u32 },
    /// An error document: what is wrong, and where in the request ("" for the whole).
    Document { code: String, status: i32, message: String, path: String },
    /// maxStalenessSeconds is under 90, or under heartbeatFrequencyMS + 10 s, on a replica set.
    MaxStalenessTooSmall,
    /// A server and this client share no wire version.
    IncompatibleWireVersion,
    /// The handle is not open any more: a fault inside libreadpref_portable ended its topology. Open it again.
    Handle,
    /// This process was forked after libreadpref was loaded.
    Forked,
    /// Another status of readpref.h.
    Status(i32),
}

impl Error {
    /// From what a function without documents returned.
    pub(crate) fn from_status(status: i32) -> Error {
        match status {
            sys::RP_E_MAX_STALENESS_TOO_SMALL => Error::MaxStalenessTooSmall,
            sys::RP_E_INCOMPATIBLE_WIRE_VERSION => Error::IncompatibleWireVersion,
            sys::RP_E_HANDLE => Error::Handle,
            sys::RP_E_FORKED => Error::Forked,
            other => Error::Status(other),
        }
    }

    /// From an error document: an object of strings and a number, without white space (`\u` escapes stay as they are).
    pub(crate) fn from_document(document: &[u8]) -> Error {
        let text = String::from_utf8_lossy(document);
        let status = text.split_once("\"status\":").and_then(|(_, rest)| rest.split([',', '}']).next()?.parse().ok());
        Error::Document {
            code: member(&text, "code"),
            status: status.unwrap_or_default(),
            message: member(&text, "message"),
            path: member(&text, "path"),
        }
    }
}

fn member(document: &str, key: &str) -> String {
    let Some((_, rest)) = document.split_once(&format!("\"{key}\":\"")) else { return String::new() };
    let mut value = String::new();
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => break,
            ('\\', Some('"' | '\\')) => value.extend(chars.next()),
            _ => value.push(c),
        }
    }
    value
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Version { major, minor } => {
                write!(f, "the library has ABI {major}.{minor}, not {}.{} or newer", sys::RP_ABI_MAJOR, sys::RP_ABI_MINOR)
            }
            Error::Document { code, message, path, .. } if path.is_empty() => write!(f, "{code}: {message}"),
            Error::Document { code, message, path, .. } => write!(f, "{code} at {path}: {message}"),
            Error::MaxStalenessTooSmall => f.write_str("maxStalenessTooSmall"),
            Error::IncompatibleWireVersion => f.write_str("incompatibleWireVersion"),
            Error::Handle => f.write_str("handle"),
            Error::Forked => f.write_str("forked"),
            Error::Status(status) => write!(f, "status {status}"),
        }
    }
}

impl std::error::Error for Error {}
