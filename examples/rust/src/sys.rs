//! The functions of readpref.h, as they are.
extern "C" {
    pub fn rp_abi_version() -> u32;
    pub fn rp_call(method: *const u8, method_len: usize, input: *const u8, in_len: usize, out: *mut u8, cap: usize) -> i32;
    pub fn rp_topology_open(input: *const u8, in_len: usize, out: *mut u8, cap: usize) -> i32;
    pub fn rp_topology_update(topology: u32, input: *const u8, in_len: usize, out: *mut u8, cap: usize) -> i32;
    pub fn rp_topology_describe(topology: u32, out: *mut u8, cap: usize) -> i32;
    pub fn rp_readpref_open(input: *const u8, in_len: usize, out: *mut u8, cap: usize) -> i32;
    pub fn rp_select(topology: u32, preference: u32, flags: u32) -> i32;
    pub fn rp_explain(topology: u32, preference: u32, input: *const u8, in_len: usize, out: *mut u8, cap: usize) -> i32;
    pub fn rp_address(topology: u32, id: u32, out: *mut u8, cap: usize) -> i32;
    pub fn rp_release(topology: u32, id: u32) -> i32;
    pub fn rp_generation(topology: u32) -> u32;
    pub fn rp_close(handle: u32) -> i32;
}

pub const RP_ABI_MAJOR: u32 = 1;
pub const RP_ABI_MINOR: u32 = 0;
pub const RP_MIN_BUFFER: usize = 4096;
pub const RP_CHECKOUT: u32 = 4;
pub const RP_E_HANDLE: i32 = -3;
pub const RP_E_NO_SERVER: i32 = -4;
pub const RP_E_FORKED: i32 = -5;
pub const RP_E_MAX_STALENESS_TOO_SMALL: i32 = -21;
pub const RP_E_INCOMPATIBLE_WIRE_VERSION: i32 = -28;
