#!/usr/bin/env bash
# regatta cc, c++ and fc are the MPI's own compiler wrappers, plus what reports need.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
bin=$(dirname "$REGATTA")
printf '#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n' >main.c
printf '#include <mpi.h>\nint main() { MPI_Init(0, 0); return MPI_Finalize(); }\n' >main.cc
printf 'program main\nuse mpi\ninteger :: e\ncall MPI_Init(e)\ncall MPI_Finalize(e)\nend program\n' >main.f90
for header in algorithm atomic barrier condition_variable functional future iostream map memory mutex regex shared_mutex string thread vector; do
    echo "#include <$header>"
done >headers.cc
has_lines() { readelf -S "$1" | grep -q debug_line; }

for mpi in mpich openmpi; do
    export REGATTA_MPI=$mpi
    case $mpi in mpich) library=libmpich.so ;; *) library=libmpi.so ;; esac
    for pair in cc:main.c c++:main.cc fc:main.f90; do
        rm -f main
        try "$REGATTA" "${pair%:*}" "${pair#*:}" -o main
        code_is 0
        has_lines main || fail 'no debug information'
        ldd main | grep -q "$library" || fail "not linked against $library"
        rm -f main
        try "$bin/regatta-${pair%:*}" "${pair#*:}" -o main
        code_is 0
        has_lines main || fail "no debug information by regatta-${pair%:*}"
    done
    try "$REGATTA" cc -g0 main.c -o main
    code_is 0
    ! has_lines main || fail 'the user said -g0'
    try "$REGATTA" cc -c main.c -o main.o
    code_is 0
    try "$REGATTA" cc main.o -o main
    code_is 0
    try "$REGATTA" cc -E main.c
    code_is 0
    out_has 'MPI_Finalize'
    # It is not ThreadSanitizer that answers the checks: programs must not call its interface.
    for pair in cc:main.c c++:main.cc; do
        try "$REGATTA" "${pair%:*}" -E -dM "${pair#*:}"
        code_is 0
        ! grep -q __SANITIZE_THREAD__ "$scratch/out" || fail '__SANITIZE_THREAD__ is defined'
    done
    try "$REGATTA" cc -E -dM -D__SANITIZE_THREAD__=7 main.c
    out_has '__SANITIZE_THREAD__ 7'
    try "$REGATTA" fc -Wall -Wextra -Werror -cpp -c main.f90
    code_is 0
    try "$REGATTA" c++ -std=c++20 -Wall -Wextra -Werror -c headers.cc
    code_is 0
    try "$REGATTA" cc -MM main.c
    code_is 0
    out_has '^main.o: main.c'
    try "$REGATTA" cc -S main.c -o main.s
    code_is 0
    try "$REGATTA" cc '-DTEXT="two words"' -c main.c
    code_is 0
    try "$REGATTA" cc --version
    code_is 0
    printf 'main.c -o main' >arguments
    try "$REGATTA" cc @arguments
    code_is 0
    # Archives that the compiler itself puts at the end of the line call functions that are wrapped.
    for pair in 'cc --coverage:main.c' 'cc -fprofile-generate:main.c' 'cc -shared -fPIC --coverage:main.c' 'cc -flto --coverage:main.c' \
        'c++ --coverage:main.cc' 'c++ -static-libstdc++ -static-libgcc:main.cc' 'fc --coverage:main.f90' 'fc -static-libgfortran:main.f90'; do
        # shellcheck disable=SC2086
        try "$REGATTA" ${pair%:*} "${pair#*:}" -o main
        code_is 0
    done
    rm -f ./*.gcno
    # … and what nobody calls is not there, but for what others may refer to weakly.
    try "$REGATTA" cc main.c -o main
    ! nm main | grep '__wrap_' | grep -qv '__wrap_\(pthread\|sem\)_' || fail 'wrapped functions that nobody calls are in the program'
    printf '%s\n' '#pragma weak pthread_mutex_lock' '#pragma weak sem_post' '#include <pthread.h>' '#include <semaphore.h>' \
        'int main(void) { return !pthread_mutex_lock || !sem_post; }' >weak.c
    try "$REGATTA" cc weak.c -o weak
    code_is 0
    try ./weak
    code_is 0
    try "$REGATTA" cc missing.c
    [ "$code" != 0 ] || fail 'a compile error is passed over'
done
unset REGATTA_MPI
try "$REGATTA" cc --mpi mpich main.c -o main
code_is 0
readelf -d main | grep -q libmpich.so || fail '--mpi as first argument'
finish
