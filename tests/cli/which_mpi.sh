#!/usr/bin/env bash
# How the MPI of a program is found out.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
for mpi in mpich openmpi; do
    actor=$BUILD/tests/cli/actor_$mpi
    try "$REGATTA" run --verbose -n 1 "$actor"
    code_is 0
    err_has "^regatta: running: .*mpiexec.$mpi .*libregatta-$mpi.so"
    err_has "is linked against .* (libmpi"

    # Linked through another library, which is found by its RUNPATH.
    mkdir "lib_$mpi"
    echo '#include <mpi.h>
int run(void); int run(void) { return MPI_Init(0, 0) + MPI_Finalize(); }' >library.c
    echo 'int run(void); int main(void) { return run(); }' >program.c
    "mpicc.$mpi" -w -shared -fPIC library.c -o "lib_$mpi/libsolver.so"
    gcc program.c -o "indirect_$mpi" "-Llib_$mpi" -lsolver -Wl,-rpath,"\$ORIGIN/lib_$mpi" \
        -Wl,--allow-shlib-undefined
    try "$REGATTA" run --verbose -n 1 "./indirect_$mpi"
    code_is 0
    err_has "mpiexec.$mpi"
    err_has ' · 1 rank'

    # A wrapper: the program among its arguments tells.
    try "$REGATTA" run --verbose -n 2 env X=1 "$actor"
    code_is 0
    err_has "mpiexec.$mpi"
    err_has 'is not linked against MPI itself; assuming'
    err_has ' · 2 ranks'

    # A script tells nothing; the user does.
    printf '#!/bin/sh\nexec %s "$@"\n' "$actor" >"script_$mpi"
    chmod +x "script_$mpi"
    try "$REGATTA" run --mpi $mpi --verbose -n 2 "./script_$mpi"
    code_is 0
    err_has 'assuming .* (--mpi)'
    err_has ' · 2 ranks'
    REGATTA_MPI=$mpi try "$REGATTA" run --verbose -n 2 "./script_$mpi"
    code_is 0
    err_has 'assuming .* (REGATTA_MPI)'
    err_has ' · 2 ranks'
done

# MPI inside the executable cannot be intercepted; that must be said, not passed over.
echo 'int MPI_Init(int *a, char ***b) { return a == (void *)b; } int PMPI_Init(int *, char ***);
int PMPI_Init(int *a, char ***b) { return MPI_Init(a, b); } int main(void) { return MPI_Init(0, 0); }' >static.c
gcc -w static.c -o static
try "$REGATTA" run -n 1 ./static
refused 'has MPI linked in statically'
gcc -w -static static.c -o static
try "$REGATTA" run -n 1 ./static
refused 'has MPI linked in statically'

# A static program without MPI runs, and it is said that nothing was seen.
echo 'int main(void) { return 5; }' >plain.c
gcc -static plain.c -o plain
try "$REGATTA" run -n 1 ./plain
code_is 5
err_has 'not an MPI program'

# A build that was configured for the other MPI names its headers or libraries: that is said, once a line, and the build goes on.
echo '#include <mpi.h>
int main(int argc, char **argv) { return MPI_Init(&argc, &argv) + MPI_Finalize(); }' >configured.c
for pair in mpich:openmpi openmpi:mpich; do
    own=${pair%:*} other=${pair#*:}
    for mpi in $own $other; do
        headers=$("mpicc.$mpi" -show | grep -o -m 1 -e '-I[^ ]*' | head -n 1)
        for line in "$headers" "-isystem ${headers#-I}"; do
            # shellcheck disable=SC2086 # two words
            try "$REGATTA" cc --mpi "$own" -c configured.c -idirafter . $line
            if [ "$mpi" = "$own" ]; then
                code_is 0
                err_lacks 'differ in MPI'
            else
                err_has "^regatta cc: note: ${headers#-I} is of .*: configure and build differ in MPI\. Use regatta-cc\.$other "
                [ "$(grep -c 'differ in MPI' "$scratch/err")" = 1 ] || fail 'not once'
            fi
        done
    done
done
finish
