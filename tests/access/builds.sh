#!/usr/bin/env bash
# regatta cc in the hands of build systems, and with all that programs are made of: libraries of both kinds,
# dlopen, constructors, signal handlers, longjmp, exceptions. Each program has races, which must be found at their lines.
# shellcheck source-path=SCRIPTDIR/../cli
. "$(dirname "$0")/../cli/harness.sh"
export REGATTA_MPI=${MPI:-mpich}

# The race in most of them: a store to a buffer that is being sent.
cat >store.c <<'END'
void store(int *to, int value);
void store(int *to, int value)
{
    *to = value; /* line 4 */
}
END
cat >main.c <<'END'
#include <mpi.h>
void store(int *to, int value);
static int buffer[4], other[4];
int main(void)
{
    MPI_Request request;
    MPI_Init(0, 0);
    MPI_Isend(buffer, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    store(&buffer[1], 1);
    MPI_Recv(other, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    store(&buffer[1], 2);
    return MPI_Finalize();
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <mpi.h>
static int buffer[4], other[4];
int main(void)
{
    MPI_Request request;
    MPI_Init(0, 0);
    MPI_Isend(buffer, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    void (*store)(int *, int) = (void (*)(int *, int))dlsym(dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL), "store");
    store(&buffer[1], 1);
    MPI_Recv(other, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
END
cat >odd.c <<'END'
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
static int buffer[4], other[4];
static jmp_buf back;
static void fail(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(back, 1);
}
static void handle(int signal)
{
    buffer[2] = signal; /* line 13 */
}
__attribute__((noinline)) static void deeper(int *to)
{
    volatile int room[64] = {0};
    *to = room[3]; /* line 18 */
}
static void __attribute__((constructor)) begin(void)
{
    MPI_Errhandler handler;
    MPI_Init(0, 0);
    MPI_Comm_create_errhandler(fail, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
}
int main(void)
{
    MPI_Request request;
    MPI_Isend(buffer, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    if (!setjmp(back))
        MPI_Send(buffer, 1, MPI_INT, 77, 0, MPI_COMM_SELF); /* no such rank */
    deeper(&buffer[3]);
    MPI_Recv(other, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
END
cat >fence.cc <<'END'
#include <atomic>
int main()
{
    std::atomic_thread_fence(std::memory_order_release);
}
END
# A heap of its own, whose blocks libc must not be asked about: there is nothing in front of them.
cat >deletes.cc <<'END'
#include <cstddef>
#include <mpi.h>
#include <sys/mman.h>
void *operator new(std::size_t)
{
    char *pages = (char *)mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages, 4096);
    return pages + 4096;
}
void operator delete(void *block) noexcept { munmap(block, 4096); }
void operator delete(void *block, std::size_t) noexcept { munmap(block, 4096); }
int main()
{
    int *sent = new int[4](), *one = new int, other[4];
    MPI_Request request;
    MPI_Init(0, 0);
    MPI_Isend(sent, 0, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    delete one;
    MPI_Recv(other, 0, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(sent, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    delete[] sent;
    MPI_Send(other, 0, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
END
cat >throws.cc <<'END'
#include <mpi.h>
#include <stdexcept>
struct row { int values[4]; };
static void look(row &r)
{
    if (r.values[1] != 77) /* line 6 */
        throw std::runtime_error("not there");
}
int main()
{
    row *in = new row(), *out = new row();
    MPI_Request request;
    MPI_Init(0, 0);
    MPI_Irecv(in, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    try {
        look(*in);
    } catch (std::exception &) {
        in->values[3] = 1; /* line 18 */
    }
    MPI_Send(out, 4, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
END

# found WHAT FILE:LINE…: the program ./main has races with stores or loads exactly at these places.
found() {
    local what=$1 places
    shift
    try "$REGATTA" run --quiet --json findings.json -n 1 ./main
    places=$(jq -r '.findings[] | "\(.rule) \(.second.file // "?" | split("/") | last):\(.second.line)"' findings.json | sort -u)
    [ "$places" = "$(for place in "$@"; do echo "local-race $place"; done)" ] || fail "$what: found: ${places:-nothing}"
    rm -f findings.json main
}

for compiler in gcc clang-19; do
    export MPICH_CC=$compiler OMPI_CC=$compiler MPICH_CXX=g++ OMPI_CXX=g++
    [ $compiler = gcc ] || export MPICH_CXX=clang++-19 OMPI_CXX=clang++-19

    try "$REGATTA" cc main.c store.c -o main
    code_is 0
    found "$compiler: compiled and linked at once" store.c:4

    try "$REGATTA" cc -c store.c
    code_is 0
    ar rcs libstore.a store.o
    try "$REGATTA" cc main.c -L. -lstore -o main
    code_is 0
    found "$compiler: static library" store.c:4

    try "$REGATTA" cc -shared -fPIC store.c -o plugin.so
    code_is 0
    try mpicc."$REGATTA_MPI" main.c ./plugin.so -o main
    code_is 0
    found "$compiler: shared library with checks, program without" store.c:4

    try mpicc."$REGATTA_MPI" loads.c -o main -ldl
    code_is 0
    found "$compiler: loaded while the buffer is in use, program without checks" store.c:4

    try "$REGATTA" cc odd.c -o main
    code_is 0
    found "$compiler: constructor, signal handler, longjmp out of MPI" odd.c:13 odd.c:18

    if [ $compiler = gcc ] || [ -f "$($compiler -print-file-name=libclang_rt.profile.a)" ]; then
        try "$REGATTA" cc --coverage main.c store.c -o main
        code_is 0
        found "$compiler: coverage" store.c:4
        [ -f main-store.gcda ] || [ -f store.gcda ] || fail "$compiler: coverage was not written"
        rm -f ./*.gc??
    fi
    try "$REGATTA" c++ -static-libstdc++ throws.cc -o main
    code_is 0
    found "$compiler: with libstdc++ in it" throws.cc:18 throws.cc:6

    try "$REGATTA" c++ -Wall -Wextra -Werror fence.cc -o main
    code_is 0

    for static in "" -static-libstdc++; do
        # shellcheck disable=SC2086 # no word at all
        try "$REGATTA" c++ $static deletes.cc -o main
        code_is 0
        found "$compiler: own operators new and delete $static" deletes.cc:22
    done

    try "$REGATTA" c++ throws.cc -o main
    code_is 0
    found "$compiler: exceptions" throws.cc:18 throws.cc:6
done
export MPICH_CC=gcc OMPI_CC=gcc MPICH_CXX=g++ OMPI_CXX=g++
# The ways to the assembler, which lets the checks of gcc run in place.
in_place() { nm main | grep -q 'T __regatta_write4\|t __regatta_write4'; }
for options in -pipe -save-temps '-fPIC -fno-plt' '-O2 -ffunction-sections -fcf-protection' '-O2 -flto' -masm=intel; do
    # shellcheck disable=SC2086
    try "$REGATTA" cc $options main.c store.c -o main
    code_is 0
    [ "$options" = -masm=intel ] || in_place || fail "$options: the checks are called"
    found "$options" store.c:4
done
try "$REGATTA" cc -S store.c
code_is 0
try "$REGATTA" cc main.c store.s -o main
code_is 0
in_place || fail "assembled later: the checks are called"
found "assembled later" store.c:4
printf 'int main(void) { __asm__("nonsense"); return 0; }\n' >wrong.c
try "$REGATTA" cc wrong.c -o main
[ "$code" != 0 ] || fail "the assembler's errors are lost"
grep -q 'wrong.c:1: Error: no such instruction' "$scratch/err" || fail "the assembler's messages are lost"

try "$REGATTA" cc -O2 -flto main.c store.c -o main
code_is 0
found "link-time optimisation" store.c:4

bin=$(dirname "$REGATTA")
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(probe C)
include(CheckFunctionExists)
check_function_exists(memcpy HAS_MEMCPY)
check_function_exists(no_such_function_anywhere HAS_NONE)
if(NOT HAS_MEMCPY OR HAS_NONE)
    message(FATAL_ERROR "probes give wrong answers")
endif()
add_library(store store.c)
add_executable(main main.c)
target_link_libraries(main store)
set_target_properties(main PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_SOURCE_DIR})
END
try cmake -S . -B cmake -DCMAKE_C_COMPILER="$bin/regatta-cc" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Release
code_is 0
try cmake --build cmake
code_is 0
found "cmake with shared libraries" store.c:4

# CMake takes "regatta-" for the prefix of a cross compiler, and looks for regatta-gcc-ar and regatta-llvm-ar.
cat >>CMakeLists.txt <<'END'
include(CheckIPOSupported)
check_ipo_supported(LANGUAGES C)
set_target_properties(main store PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
END
for compiler in gcc clang-19; do
    export MPICH_CC=$compiler OMPI_CC=$compiler
    try cmake -S . -B "cmake-$compiler" -DCMAKE_C_COMPILER="$bin/regatta-cc" -DCMAKE_BUILD_TYPE=Release
    code_is 0
    grep -q "COMPILER_AR:FILEPATH=$bin/regatta-" "cmake-$compiler/CMakeCache.txt" || fail "$compiler: the archiver is another"
    try cmake --build "cmake-$compiler"
    code_is 0
    rm -f main
done
try "$bin/regatta-gcc-nm" "cmake-gcc/libstore.a"
code_is 0
out_has ' T store'
finish
