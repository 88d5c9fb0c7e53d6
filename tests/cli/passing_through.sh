#!/usr/bin/env bash
# shellcheck disable=SC2016,SC1003 # words are to stay as they are
# What the program gets and gives is what it would get and give without Regatta.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
actor=$BUILD/tests/cli/actor_$MPI

try "$REGATTA" run -n 2 "$actor" arguments 'two words' '' '*' "it's" '--json' '-n' 'a"b' '$HOME' '\'
code_is 0
out_is "$(printf '<%s>\n' 'two words' '' '*' "it's" '--json' '-n' 'a"b' '$HOME' '\')"
err_has "^regatta: 0 errors, 0 warnings · 2 ranks"

head -c 20000 /dev/urandom | base64 >text # MPICH's own launcher fails with more than a pipe holds
try "$REGATTA" run -n 2 "$actor" input <text
code_is 0
cmp -s text "$scratch/out" || fail 'standard input and output differ'

try "$REGATTA" run -n 2 "$actor" streams
out_is 'to standard output'
err_has '^to standard error'

try "$REGATTA" run --quiet -n 2 "$actor" streams
code_is 0
[ "$(cat "$scratch/err")" = 'to standard error' ] || fail '--quiet is not quiet'

# The environment of the ranks has our settings and nothing else that is new from Regatta; an
# LD_PRELOAD of the user stays in front.
preload=$(ldconfig -p | sed -n 's/.*libxxhash.so.0 .*=> //p' | head -n 1)
LD_PRELOAD=$preload SETTING='a b=c' REGATTA_OPTIONS=stack_depth=8 try "$REGATTA" run -n 1 "$actor" environment
code_is 0
out_has "^LD_PRELOAD=$preload:/.*/libregatta-$MPI.so\$"
out_has '^REGATTA_RECORDS=/'
out_has '^REGATTA_OPTIONS=stack_depth=8$'
out_has '^SETTING=a b=c$'
[ "$(grep -c '^REGATTA_' "$scratch/out")" = 2 ] || fail 'unexpected REGATTA_ variables'

# The launcher itself must not be preloaded.
mkdir launcher
real=$(command -v "mpiexec.$MPI")
printf '#!/bin/sh\necho "launcher: ${LD_PRELOAD-none}" >&2\nexec %s "$@"\n' "$real" >"launcher/mpiexec.$MPI"
chmod +x "launcher/mpiexec.$MPI"
PATH=$PWD/launcher:$PATH try "$REGATTA" run -n 1 "$actor"
code_is 0
err_has '^launcher: none$'

for number in 1 3 77 255; do
    try "$REGATTA" run -n 2 "$actor" return $number
    code_is $number
done
if [ "$MPI" = mpich ]; then crash=11; else crash=139; fi # as the launchers do
try "$REGATTA" run -n 2 "$actor" raise 11
code_is $crash

# PROG is searched on PATH, then in the working directory.
cp "$actor" own_actor
try "$REGATTA" run -n 1 own_actor arguments here
out_is '<here>'
mkdir bin && mv own_actor bin/
PATH=$PWD/bin:$PATH try "$REGATTA" run -n 1 own_actor arguments there
out_is '<there>'
PATH=$PWD/bin:$PATH try "$REGATTA" run -n 1 own_actor name # as the launcher gives it
out_is '<own_actor>'

# Another launcher; -n is optional with it.
if [ "$MPI" = mpich ]; then line='mpiexec.mpich -n 2'; else line='mpiexec.openmpi --oversubscribe -n 2'; fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
try "$REGATTA" run --launcher "$line" "$actor" arguments 'two words' 'x=y'
code_is 0
out_is "$(printf '<%s>\n' 'two words' 'x=y')"
err_has ' · 2 ranks'
cp "$actor" 'actor=1'
try "$REGATTA" run --launcher "${line% -n 2}" -n 2 './actor=1' arguments z
code_is 0
out_is '<z>'
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# Two programs, as mpiexec takes them.
try "$REGATTA" run -n 1 "$actor" : -n 1 "$actor" arguments second
code_is 0
err_has ' · 2 ranks'

# Signals that are sent to regatta reach the program.
start "$REGATTA" run -n 2 "$actor" signal ready
signal USR1
stop
code_is 0
out_has 'rank 0 heard 10'
out_has 'rank 1 heard 10'

# Other sanitizers: AddressSanitizer's library must be the first, before ours and what the user preloads.
cat >sanitized.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    int in[2] = {0, 0}, out = 7;
    MPI_Request requests[2];
    MPI_Init(0, 0);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(in, 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]); /* both into in[0] */
    for (int i = 0; i < 2; i++)
        MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    for (int i = 0; i < 2; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    printf("got %d\n", in[0]);
    return MPI_Finalize();
}
END
case $REGATTA in "$BUILD/regatta") finding=66 ;; *) finding=0 ;; esac # the stand-in for the runtime finds nothing
export ASAN_OPTIONS=detect_leaks=0 LSAN_OPTIONS=detect_leaks=0 # MPI leaks
for sanitizer in address undefined leak; do
    try "mpicc.$MPI" -g -fsanitize=$sanitizer sanitized.c -o sanitized
    code_is 0
    LD_PRELOAD=$preload try "$REGATTA" run -n 1 ./sanitized
    code_is $finding
    out_is 'got 7'
    try "$REGATTA" run -n 1 env SETTING=1 ./sanitized
    code_is $finding
    out_is 'got 7'
    [ $finding = 0 ] || [ $sanitizer != address ] && continue
    try "$REGATTA" stress --runs 2 -n 1 ./sanitized
    code_is 66
done
finish
