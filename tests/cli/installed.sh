#!/usr/bin/env bash
# `make install` makes a tree that works from wherever it is put.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
try env DESTDIR="$scratch/stage" cmake --install "$BUILD" --prefix /opt/regatta
code_is 0
mv "$scratch/stage/opt/regatta" "$scratch/moved"
[ "$(readlink "$scratch/moved/bin/regatta-cc")" = regatta ] || fail 'regatta-cc is not a link'
try "$scratch/moved/bin/regatta" doctor
code_is 0
out_has 'Regatta works here'
for mpi in mpich openmpi; do
    out_has "$scratch/moved/lib/regatta/libregatta-$mpi.so"
done
finish
