# shellcheck shell=bash
# zig.sh: sets ZIG, the compiler of release builds, for scripts that source it in the repository's folder.
# shellcheck disable=SC2086 # PYTHON may be several words
ZIG=${ZIG:-$(${PYTHON:-python3} capi/dist/zig.py)} || return
export ZIG
# zig keeps libc's objects and ours: of each checkout by itself, and not in the home.
export ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$PWD/.cache/zig}
export ZIG_LOCAL_CACHE_DIR=$ZIG_GLOBAL_CACHE_DIR
