//! Finds the library.
//!
//! READPREF_LIB_DIR    the folder it is in; without it pkg-config is asked, which PKG_CONFIG_PATH guides
//! READPREF_LIBRARY    readpref (default) or readpref_portable
//! READPREF_STATIC=1   the static archive
use std::env;
use std::process::Command;

fn main() {
    for name in ["READPREF_LIB_DIR", "READPREF_LIBRARY", "READPREF_STATIC", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let library = env::var("READPREF_LIBRARY").unwrap_or_else(|_| "readpref".into());
    assert!(["readpref", "readpref_portable"].contains(&library.as_str()), "READPREF_LIBRARY={library}: readpref or readpref_portable");
    let dir = env::var("READPREF_LIB_DIR").unwrap_or_else(|_| from_pkg_config(&library));
    println!("cargo:rustc-link-search=native={dir}");
    if env::var("READPREF_STATIC").is_ok_and(|v| v == "1") {
        println!("cargo:rustc-link-lib=static={library}");
        println!("cargo:rustc-link-lib=pthread");
        println!("cargo:rustc-link-lib=m");
    } else {
        println!("cargo:rustc-link-lib={library}");
        // For this package's own tests and examples. A program that depends on it says the same, or installs where ld.so looks.
        println!("cargo:rustc-link-arg=-Wl,-rpath,{dir}");
    }
}

fn from_pkg_config(library: &str) -> String {
    let package = library.replace('_', "-");
    let said = Command::new(env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into()))
        .args(["--variable=libdir", "--print-errors", &package])
        .output()
        .unwrap_or_else(|e| panic!("pkg-config: {e}; install it, or set READPREF_LIB_DIR"));
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    String::from_utf8(said.stdout).expect("libdir is UTF-8").trim().into()
}
