#!/usr/bin/env bash
# However a run ends, it does not hang, and what was found until then is reported.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
actor=$BUILD/tests/cli/actor_$MPI
valid() { "$BUILD/tests/findings/validate" "$here/../../docs/findings.schema.json" "$1" || fail "$1 is not valid"; }

try "$REGATTA" run --json killed.json -n 3 "$actor" raise 9
failed
err_has 'note: ranks\{0,1\} [0-9, -]* ended without MPI_Finalize'
valid killed.json

try "$REGATTA" run -n 2 "$actor" raise 11
err_has 'note: ranks\{0,1\} [0-9, -]* ended without MPI_Finalize (killed, crashed or _exit)'

try "$REGATTA" run -n 2 "$actor" _exit 6
failed
err_has 'note: ranks\{0,1\} [0-9, -]* ended without MPI_Finalize (killed, crashed or _exit)'

try "$REGATTA" run --json aborted.json -n 2 "$actor" abort 5
code_is 5
valid aborted.json
err_has '^regatta: 0 errors'

try "$REGATTA" run -n 2 "$actor" exit 4
failed
err_has 'note: ranks\{0,1\} [0-9, -]* ended without MPI_Finalize'

try "$REGATTA" run -n 2 "$actor" all-exit 0
err_has 'ended without MPI_Finalize'
err_lacks 'left no records'

try "$REGATTA" run -n 2 "$actor" fork
code_is 0
err_has '^regatta: 0 errors, 0 warnings · 2 ranks'
err_lacks 'note:'

try "$REGATTA" run -n 2 "$actor" no-init 3
code_is 3
err_has ' · not looked at: anything (no process initialised MPI)$'

try "$REGATTA" run --mpi "$MPI" --json other.json -n 2 /bin/sh -c 'exit 3'
code_is 3
err_has ' · not looked at: anything (not an MPI program: no MPI calls were seen)'
valid other.json
[ "$(jq .ranks other.json)" = 0 ] || fail 'ranks is not 0'

# A run that hangs until it is told to stop: the launcher passes that on in its own way.
for number in INT TERM; do
    rm -f hung.json
    start "$REGATTA" run --json hung.json -n 2 "$actor" signal ready
    signal $number
    stop
    [ "$code" != 124 ] || fail 'hangs'
    err_has '^regatta: 0 errors'
    valid hung.json
done

# The launcher itself is killed.
start "$REGATTA" run --json lost.json -n 2 "$actor" signal ready
pkill -KILL -P "$(pgrep -P $runner)"
stop
code_is 137
err_has '^regatta: 0 errors'
valid lost.json

finish
