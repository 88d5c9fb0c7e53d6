#!/usr/bin/env bash
# What was found before a run went wrong is reported. With the real runtime.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
actor=$BUILD/tests/cli/actor_$MPI
export ACTOR_RACES=1

# The one race of the actor, whatever it does then.
one_race() {
    code_is 66
    err_has '\[local-race\]$'
    [ "$(jq -r '[.findings[] | select(.rule == "local-race")] | "\(length) \(.[0].first.function)"' findings.json)" = '1 race' ] ||
        fail 'not exactly one local-race in race()'
    rm -f findings.json
}

for deed in 'nothing' 'return 3' 'raise 9' 'raise 11' 'abort 5' 'exit 4' 'all-exit 0' 'fork'; do
    read -r -a words <<<"$deed"
    try "$REGATTA" run --json findings.json -n 2 "$actor" "${words[@]}"
    one_race
done
try "$REGATTA" run --json findings.json -n 2 "$actor" abort 5
err_has 'rank 1 called MPI_Abort'
try "$REGATTA" run --json findings.json -n 2 "$actor" exit 4
err_has 'ended without MPI_Finalize'

start "$REGATTA" run --json findings.json -n 2 "$actor" signal ready
signal INT
stop
one_race

# --live shows it while the program still waits.
start "$REGATTA" run --live --json findings.json -n 2 "$actor" signal ready
for ((i = 0; i < 200; i++)); do
    grep -q '\[local-race\]$' "$scratch/err" && break
    sleep 0.1
done
[ ! -e findings.json ] || fail 'the run is over already'
err_has '\[local-race\]$'
signal USR1
stop
one_race
[ "$(grep -c '\[local-race\]$' "$scratch/err")" = 1 ] || fail 'shown more than once'
finish
