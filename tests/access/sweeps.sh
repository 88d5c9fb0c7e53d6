#!/usr/bin/env bash
# The bytes that loops touch are told, no more and no fewer, whatever the compiler and our plug-ins make of the loops; with
# a plug-in, a simple sweep is told once, and a star of five rows in a loop over columns row by row, whatever the number of columns:
# five times for the loads, and once for the stores.
room=$(cd "$(dirname "$0")" && pwd) # the harness goes elsewhere
# shellcheck source-path=SCRIPTDIR/../cli
. "$(dirname "$0")/../cli/harness.sh"
export REGATTA_MPI=${MPI:-mpich}
for compiler in gcc clang-19; do
    export MPICH_CC=$compiler OMPI_CC=$compiler
    for option in -O0 -Og -O1 -O2 -O3; do
        try "$REGATTA" cc "$option" -I "$room/../../src" "$room/sweeps.c" -rdynamic -o sweeps
        code_is 0
        try ./sweeps
        code_is 0
        grep -Ev '^(up|star).*told' "$scratch/out" >touched
        [ -s expected ] || cp touched expected # gcc -O0: check by check
        diff expected touched >difference || fail "$compiler $option: $(head -4 difference)"
        case $compiler$option in
        gcc-O[123]) plugin=$BUILD/lib/regatta_gcc$(gcc -dumpfullversion).so ;;
        clang*-O[123]) plugin=$BUILD/lib/regatta_clang19.so ;;
        *) continue ;;
        esac
        [ -e "$plugin" ] || continue
        grep -q '^up.*told 1 times' "$scratch/out" || fail "$compiler $option: $(grep '^up.*told' "$scratch/out")"
        grep -q '^star.*told 6 times' "$scratch/out" || fail "$compiler $option: $(grep '^star.*told' "$scratch/out")"
    done
done
finish
