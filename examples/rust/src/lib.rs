//! MongoDB server selection: a safe wrapper of libreadpref, as an example to start from.
//!
//! Documents go in and come out as JSON text (docs/json.md); selecting on handles needs none. [`Topology`] and [`Preference`] are
//! `Send` and `Sync`, since every function of the library may be called from any thread at any time, and close their handles
//! when they are dropped. A [`Checkout`] counts an operation on its server until it is dropped.
mod error;
mod sys;

pub use error::Error;

/// What kind of operation a server is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Operation {
    #[default]
    Read = 0,
    Write = 1,
    /// An aggregate with `$out` or `$merge`.
    AggregateWithWriteStage = 2,
}

/// Says no unless the library has the ABI that this crate was written for. Call it first, once.
pub fn check_version() -> Result<(), Error> {
    let version = unsafe { sys::rp_abi_version() };
    match (version >> 16, version & 0xffff) {
        (sys::RP_ABI_MAJOR, sys::RP_ABI_MINOR..) => Ok(()),
        (major, minor) => Err(Error::Version { major, minor }),
    }
}

/// Runs a method that opens and changes nothing: select, explain, validate, server.parse_hello, build_info, methods.
pub fn call(method: &str, request: &str) -> Result<String, Error> {
    answer(|out, cap| unsafe { sys::rp_call(method.as_ptr(), method.len(), request.as_ptr(), request.len(), out, cap) })
}

/// A read preference.
#[derive(Debug)]
pub struct Preference(u32);

impl Preference {
    /// Opens `{"readPreference": …}`, `{"uriOptions": "…"}` or `{"mongosh": […]}`.
    pub fn open(document: &str) -> Result<Preference, Error> {
        once(|out, cap| unsafe { sys::rp_readpref_open(document.as_ptr(), document.len(), out, cap) }).map(Preference)
    }
}

impl Drop for Preference {
    fn drop(&mut self) {
        unsafe { sys::rp_close(self.0) };
    }
}

/// A deployment: its description, and its servers' operation counts.
#[derive(Debug)]
pub struct Topology(u32);

impl Topology {
    /// Opens `{"topology": description, "seed", "localThresholdMS", …}`; give entropy as `seed` in production.
    pub fn open(document: &str) -> Result<Topology, Error> {
        once(|out, cap| unsafe { sys::rp_topology_open(document.as_ptr(), document.len(), out, cap) }).map(Topology)
    }

    /// Replaces the description: `{"topology": description}`. After an error the old one stays.
    pub fn update(&self, document: &str) -> Result<(), Error> {
        once(|out, cap| unsafe { sys::rp_topology_update(self.0, document.as_ptr(), document.len(), out, cap) }).map(drop)
    }

    /// The server for one operation, or `None` when nobody is suitable now: wait until [`Topology::generation`] changes, which
    /// is to be read before selecting, and ask again until your deadline.
    pub fn select(&self, preference: &Preference, operation: Operation) -> Result<Option<Checkout<'_>>, Error> {
        match unsafe { sys::rp_select(self.0, preference.0, operation as u32 | sys::RP_CHECKOUT) } {
            sys::RP_E_NO_SERVER => Ok(None),
            status if status < 0 => Err(Error::from_status(status)),
            id => Ok(Some(Checkout { topology: self, server: id as u32 })),
        }
    }

    /// The normalised address of a server, by the id that a selection gave.
    pub fn address(&self, server: u32) -> Result<String, Error> {
        let mut out = vec![0; 64];
        loop {
            let n = unsafe { sys::rp_address(self.0, server, out.as_mut_ptr(), out.len()) };
            let len = usize::try_from(n).map_err(|_| Error::from_status(n))?;
            let whole = len <= out.len();
            out.resize(len, 0);
            if whole {
                return Ok(text(out));
            }
        }
    }

    /// Why [`Topology::select`] would choose what it chooses now: the answer of the method explain.
    pub fn explain(&self, preference: &Preference) -> Result<String, Error> {
        answer(|out, cap| unsafe { sys::rp_explain(self.0, preference.0, std::ptr::null(), 0, out, cap) })
    }

    /// What opens this topology again, with live operation counts.
    pub fn describe(&self) -> Result<String, Error> {
        answer(|out, cap| unsafe { sys::rp_topology_describe(self.0, out, cap) })
    }

    /// A number that changes with every accepted description. Compare it for inequality.
    pub fn generation(&self) -> u32 {
        unsafe { sys::rp_generation(self.0) }
    }
}

impl Drop for Topology {
    fn drop(&mut self) {
        unsafe { sys::rp_close(self.0) };
    }
}

/// One operation on a server, counted there until it is dropped.
#[derive(Debug)]
pub struct Checkout<'a> {
    topology: &'a Topology,
    server: u32,
}

impl Checkout<'_> {
    /// The server's id: one address, one id, for the life of the topology. Keep connection pools by it.
    pub fn server(&self) -> u32 {
        self.server
    }
}

impl Drop for Checkout<'_> {
    fn drop(&mut self) {
        unsafe { sys::rp_release(self.topology.0, self.server) };
    }
}

/// An answer of any length, from a function without side effects: it is asked again where the buffer was too small.
fn answer(mut f: impl FnMut(*mut u8, usize) -> i32) -> Result<String, Error> {
    let mut out = vec![0; sys::RP_MIN_BUFFER];
    loop {
        let n = f(out.as_mut_ptr(), out.len());
        let len = n.unsigned_abs() as usize;
        let whole = len <= out.len();
        out.resize(len, 0);
        match whole {
            true if n < 0 => return Err(Error::from_document(&out)),
            true => return Ok(text(out)),
            false => {}
        }
    }
}

/// A handle or 0, from a function that opens or changes something: it is called once, and an error document always fits.
fn once(f: impl FnOnce(*mut u8, usize) -> i32) -> Result<u32, Error> {
    let mut out = [0; sys::RP_MIN_BUFFER];
    let n = f(out.as_mut_ptr(), out.len());
    u32::try_from(n).map_err(|_| Error::from_document(&out[..n.unsigned_abs() as usize]))
}

/// Answers are UTF-8 by contract.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("readpref answers in UTF-8")
}
