#!/usr/bin/env bash
# One line that calls code of the C++ library is one finding, whatever the compiler inlined; its stack tells the whole way.
# shellcheck source-path=SCRIPTDIR/../cli
. "$(dirname "$0")/../cli/harness.sh"
export REGATTA_MPI=${MPI:-mpich}
programs=$here/../programs/cxx
for setting in 'g++ -O0' 'clang++-19 -O2'; do
    read -r compiler level <<<"$setting"
    export MPICH_CXX=$compiler OMPI_CXX=$compiler
    for name in sort_isend sort_window complex_window; do
        try "$REGATTA" c++ -g "$level" "$programs/${name}_race.cpp" -o program
        code_is 0
        try "$REGATTA" run --quiet --json findings.json -n 2 ./program
        code_is 66
        found=$(jq -c '[.findings[] | [.first, .second] | map(select(.call == null)) | .[0]
            | (.file | endswith("_race.cpp")), (.stack[0].file | contains("/include/c++/")), .stack[-1].function]' findings.json)
        [ "$found" = '[true,true,"main"]' ] || fail "$name, $setting: $found"
    done
done
finish
