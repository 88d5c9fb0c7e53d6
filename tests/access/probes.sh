#!/usr/bin/env bash
# What configure scripts ask of a compiler, with warnings as errors; and a program with checks just run.
# shellcheck source-path=SCRIPTDIR/../cli
. "$(dirname "$0")/../cli/harness.sh"
export REGATTA_MPI=${MPI:-mpich}
for compiler in gcc clang-19; do
    export MPICH_CC=$compiler OMPI_CC=$compiler
    echo 'int main(void) { return 0; }' >conftest.c
    for arguments in --version -v -dumpmachine -print-prog-name=ld '-E conftest.c' '-c -Wall -Werror conftest.c' \
        '-S -Werror conftest.c' '-M conftest.c' '-### conftest.c' '-c conftest.c -o conftest.o -MD -MF conftest.d' \
        '-Werror -O2 conftest.c -o conftest' '-r conftest.o -o joined.o' '-Werror conftest.o -o conftest' \
        '-fsyntax-only conftest.c' '-shared -fPIC conftest.c -o conftest.so' '-x c conftest.c -o conftest'; do
        # shellcheck disable=SC2086
        try "$REGATTA" cc $arguments
        code_is 0
    done
    try sh -c "'$REGATTA' cc -x c - -o conftest <conftest.c"
    code_is 0
    printf -- '-O1 "conftest.c"\n-o conftest' >arguments
    try "$REGATTA" cc @arguments
    code_is 0
    nm conftest | grep -q access_attach || fail "$compiler: a response file is linked without the library"
    echo 'int main(void) { int missing(void); return missing(); }' >conftest.c
    try "$REGATTA" cc conftest.c -o conftest
    [ "$code" != 0 ] || fail "$compiler: a missing function is not missed"

    cat >main.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char text[8] = "abc", copy[8];
    MPI_Init(0, 0);
    memcpy(copy, text, 4);
    printf("%s %d\n", copy, (int)strlen(copy));
    return MPI_Finalize();
}
END
    try "$REGATTA" cc -O2 main.c -o main
    code_is 0
    [ ! -s "$scratch/err" ] || fail "$compiler: something on standard error"
    nm main | grep -q ' __wrap_memcpy\| __tsan_mem' || fail "$compiler: no checks in it"
    try ldd main
    ! grep -q tsan "$scratch/out" || fail "$compiler: needs ThreadSanitizer's library"
    try ./main
    code_is 0
    out_is 'abc 3'
done
finish
