#!/usr/bin/env bash
# usage: threads.sh BUILD MPI
# Thread pace: what nothing orders between two threads is shown by the strategies for threads, and by no plain run; what they found
# is confirmed; the repaired twins are left alone.
set -u
build=$(realpath "$1") mpi=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

expect() { # CODE TEXT COMMAND…
    local wanted=$1 text=$2 code=0
    shift 2
    timeout -k 5 240 "$@" >out 2>err </dev/null || code=$?
    if [ $code != "$wanted" ] || ! grep -q -e "$text" out err; then
        echo "FAILED: exit code $code, not $wanted, or '$text' is not there: $*" && tail -5 out err && failures=$((failures + 1))
    fi
}

stress() { # CODE TEXT PROGRAM OPTIONS…
    local code=$1 text=$2 program=$3
    shift 3
    expect "$code" "$text" "$build/regatta" stress --mpi "$mpi" -n 2 --plain-runs 2 --timeout 60 "$@" "./$program"
}

for name in thread_is_done_by_now:others-late thread_overtakes_sends:main-late; do
    strategy=${name#*:} name=${name%:*}
    "mpicc.$mpi" -g -pthread "$here/latent/$name.c" -o bug && "mpicc.$mpi" -g -pthread -DREPAIRED "$here/latent/$name.c" -o good || exit 2
    stress 66 'received by rank 1 depends on the schedule' bug --runs 1 --strategy "$strategy"
    stress 0 '0 of 1 schedules changed the outcome' good --runs 1 --strategy "$strategy"
    # What `run` found is driven both ways.
    "$build/regatta" cc --mpi "$mpi" -g -pthread "$here/latent/$name.c" -o checked || exit 2
    expect 66 '1 error' "$build/regatta" run --mpi "$mpi" -n 2 --json found.json ./checked
    stress 66 "Confirmed by stress: strategy $strategy changes the" bug --confirm found.json
done
[ $failures = 0 ]
