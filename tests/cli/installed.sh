#!/usr/bin/env bash
# `make install` makes a tree that works from wherever it is put.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
try env DESTDIR="$scratch/stage" cmake --install "$BUILD" --prefix /opt/regatta
code_is 0
mv "$scratch/stage/opt/regatta" "$scratch/moved"
for name in cc gcc-ar gcc-ranlib gcc-nm llvm-ar llvm-ranlib llvm-nm; do
    [ "$(readlink "$scratch/moved/bin/regatta-$name")" = regatta ] || fail "regatta-$name is not a link"
done
try "$scratch/moved/bin/regatta" doctor
code_is 0
out_has 'Regatta works here'
for mpi in mpich openmpi; do
    out_has "$scratch/moved/lib/regatta/libregatta-$mpi.so"
done
finish
