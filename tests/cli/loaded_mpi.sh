#!/usr/bin/env bash
# Programs that load MPI while they run: a plugin, and Python with mpi4py. With the real runtime.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
rules() { jq -r '[.findings[] | select(.severity == "error").rule] | unique | join(" ")' "$1"; }

host=$BUILD/tests/cli/plugin_host
plugin=$BUILD/tests/cli/libplugin_$MPI.so
try "$REGATTA" run --mpi "$MPI" --json plugin.json -n 3 "$host" "$plugin"
code_is 0
err_has ' · 3 ranks'
try "$REGATTA" run --mpi "$MPI" --json plugin.json -n 3 "$host" "$plugin" race
code_is 66
[ "$(rules plugin.json)" = local-race ] || fail 'one local-race expected'
err_has 'plugin.c:17  run_plugin()'
err_has 'plugin.c:18  run_plugin()'

# The Python of the system, whichever MPI its mpi4py was built for.
python=/usr/bin/python3
module=$($python -c 'import mpi4py; print(mpi4py.__path__[0])' 2>/dev/null) || module=
case $MPI in mpich) library=libmpich ;; *) library=libmpi.so.40 ;; esac
if [ -z "$module" ] || ! ldd "$module"/MPI*.so | grep -q $library; then
    if [ -n "$module" ]; then # of the other MPI: it is said, and how to get one for this
        try "$REGATTA" run --mpi "$MPI" -n 2 $python "$here/mpi4py/isend.py"
        failed
        err_has '^regatta: this program uses .*, and was started for .*: say --mpi '
        err_has "^regatta: note: mpi4py belongs to the MPI that it was built for; .*MPICC=.*mpicc.* -m pip install --no-binary=mpi4py mpi4py"
    fi
    echo "no mpi4py for $MPI here"
    finish
fi
for script in isend put_get; do
    try "$REGATTA" run --mpi "$MPI" --json $script.json -n 3 $python "$here/mpi4py/$script.py"
    code_is 0
    err_has ' · 3 ranks'
done
try "$REGATTA" run --mpi "$MPI" --json isend.json -n 3 $python "$here/mpi4py/isend.py" race
code_is 66
[ "$(rules isend.json)" = local-race ] || fail 'a local-race expected'
try "$REGATTA" run --mpi "$MPI" --json put.json -n 3 $python "$here/mpi4py/put_get.py" usage
code_is 66
[ "$(rules put.json)" = usage ] || fail 'a usage error expected'
if nm -D "$(readlink -f $python)" | grep -q _Py_DumpTraceback; then # this Python tells its lines
    err_has '^  rank 0  MPI_Put          .*put_get.py:15$'
    err_has '^  15 |         win.Put(value, (rank + 1) % size)$'
    cp "$here/mpi4py/lines.py" .
    try "$REGATTA" run --mpi "$MPI" --verbose --json lines.json -n 3 $python lines.py
    code_is 66
    [ "$(jq -r '.findings[] | [.first, .second | "\(.file):\(.line):\(.function // "")"] | join(" ")' lines.json | sort)" = \
        'lines.py:13:send lines.py:16:größe
lines.py:30: lines.py:31:
made.py:3: made.py:4:' ] || fail 'wrong lines of Python'
    [ "$(jq -c '.findings[] | select(.first.line == 13) | [.first.stack[].line, .second.stack[].line]' lines.json)" = '[13,26,16,27]' ] || fail 'wrong callers in Python'
    [ "$(jq -c '[.findings[].count] | sort' lines.json)" = '[3,9,9]' ] || fail 'wrong counts'
    err_has '^      called from lines.py:26'
    cp "$here/mpi4py/deadlock.py" .
    try "$REGATTA" run --mpi "$MPI" --timeout 5 --json deadlock.json -n 2 $python deadlock.py
    code_is 66
    err_has '^  why: rank 0 waits in MPI_Recv (deadlock.py:10) for rank 1; rank 1 waits in MPI_Recv (deadlock.py:10) for rank 0'
    [ "$(jq -c '.findings[] | [.rule, .first.function, [.first.stack[].line, .second.stack[].line]]' deadlock.json)" = '["deadlock","receive",[10,14,10,16]]' ] || fail 'wrong lines of Python in a deadlock'
fi

# A script with #!, too; without --mpi if mpicc is the same MPI.
printf '#!%s\n' $python | cat - "$here/mpi4py/isend.py" >script
chmod +x script
try "$REGATTA" run --mpi "$MPI" -n 2 ./script race
code_is 66
finish
