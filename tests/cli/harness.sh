# shellcheck shell=bash
# Sourced by the tests of the command. They are called with
#     REGATTA   the program under test
#     MPI       mpich or openmpi, for tests that need one
#     BUILD     the build directory
# and run in an empty directory of their own.
set -u
: "${REGATTA:?}" "${BUILD:?}"
# shellcheck disable=SC2034 # used by the tests
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch/tmp XDG_CACHE_HOME=$scratch/cache
mkdir "$TMPDIR" "$scratch/work"
cd "$scratch/work" || exit 1
unset REGATTA_MPI REGATTA_OPTIONS LD_PRELOAD
failures=0

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n  command: %s\n  exit code: %s\n' "$1" "${command[*]-}" "${code-}"
    tail -n 20 "$scratch/out" | sed 's/^/  stdout: /'
    tail -n 20 "$scratch/err" | sed 's/^/  stderr: /'
}

# Runs a command with a time limit and keeps its exit code and streams.
try() {
    command=("$@")
    code=0
    timeout -k 5 60 "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
}

code_is() { [ "$code" = "$1" ] || fail "exit code $1 expected"; }
out_has() { grep -q -e "$1" "$scratch/out" || fail "standard output lacks: $1"; }
err_has() { grep -q -e "$1" "$scratch/err" || fail "standard error lacks: $1"; }
err_lacks() { ! grep -q -e "$1" "$scratch/err" || fail "standard error has: $1"; }
out_is() { [ "$(cat "$scratch/out")" = "$1" ] || fail "standard output is not: $1"; }

failed() { [ "$code" != 0 ] && [ "$code" != 70 ] && [ "$code" != 124 ] && return; fail "the exit code of a failed program expected"; }

# Bad input: exit code 2, one line on standard error that says $1, nothing on standard output.
refused() {
    code_is 2
    [ "$(wc -l <"$scratch/err")" = 1 ] || fail "not exactly one line on standard error"
    grep -q '^regatta: ' "$scratch/err" || fail "the line does not begin with 'regatta: '"
    err_has "$1"
    [ ! -s "$scratch/out" ] || fail "something on standard output"
}

# Starts a command in the background, as `runner`, and waits until it has made the file `ready`.
# In a session of its own, since jobs in the background of a script ignore SIGINT.
start() {
    command=("$@")
    rm -f ready
    setsid timeout -k 5 60 "$@" >"$scratch/out" 2>"$scratch/err" &
    runner=$!
    while [ ! -e ready ] && kill -0 $runner 2>/dev/null; do sleep 0.1; done
}

# Sends a signal to the started command alone (`timeout` would pass it on to the whole group).
signal() { pkill "-$1" -P "$runner"; }

# Waits for the started command and keeps its exit code.
stop() {
    code=0
    wait "$runner" || code=$?
}

# No scratch directory may be left behind.
tidy() {
    local left
    left=$(find "$TMPDIR" . -maxdepth 1 -name 'regatta-*')
    [ -z "$left" ] || fail "left behind: $left"
}

finish() {
    tidy
    [ $failures = 0 ] || { echo "$failures failures" && exit 1; }
    exit 0
}
