#!/usr/bin/env bash
# Every __tsan_ symbol that a compiler can refer to is in the library: what gcc's compilers have as text in
# them, what clang's runtime library offers to its code, and what both leave undefined in a corpus.
# shellcheck source-path=SCRIPTDIR/../cli
. "$(dirname "$0")/../cli/harness.sh"
: >"$scratch/out" >"$scratch/err"
nm "$BUILD/lib/libregatta_access.a" 2>/dev/null | awk '$2 == "T" { print $3 }' | sort -u >defined

check() { # NAME: the symbols in file `wanted` must be defined
    [ -s wanted ] || fail "$1: no symbols found"
    comm -23 <(sort -u wanted) defined >missing
    [ ! -s missing ] || fail "$1: not defined: $(paste -sd' ' missing)"
}

for language in cc1 cc1plus f951; do
    program=$(gcc -print-prog-name=$language)
    [ -x "$program" ] || continue
    strings -a "$program" | grep -E '^__tsan_[a-z0-9_]+$' >wanted
    check "gcc's $language"
done

# Not for compiled code: what is inside it, questions that debuggers ask, Java, Go, what users may define themselves.
runtime=$(clang-19 -print-resource-dir)/lib/linux/libclang_rt.tsan-x86_64.a
if [ -f "$runtime" ]; then
    nm "$runtime" 2>/dev/null | awk '$2 ~ /[TW]/ && $3 ~ /^(__tsan_|Annotate|WTFAnnotate)/ { print $3 }' |
        grep -vE '^__tsan_(java_|go_|get_(report|current_report|alloc_stack)|locate_address|on_|testonly_|default_|symbolize|resume|setjmp|stack_init|tls_init|thread_start)' >wanted
    check "clang's runtime"
fi

cat >corpus.c <<'END'
#include <stdatomic.h>
#include <string.h>
struct odd { char bytes[37]; } a, b;
struct bits { int x : 3, y : 7; } *bits;
_Atomic int number; _Atomic long long wide; _Atomic char small; _Atomic short medium;
volatile int flag; volatile long long big_flag;
double *numbers; __int128 *large; long double *extended;
struct __attribute__((packed)) packed { char c; int i; double d; } *packed;
void f(int n)
{
    a = b; bits->x = n; bits->y++; numbers[n] += 1; large[n]++; extended[n] *= 2; packed->i = packed->d;
    number++; wide |= n; small ^= 1; medium -= 2; flag = n; big_flag = flag;
    int expected = n; atomic_compare_exchange_weak(&number, &expected, 4);
    atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acquire);
    atomic_exchange(&wide, n); atomic_store_explicit(&number, 3, memory_order_relaxed);
    memcpy(numbers, large, n); memset(numbers, 0, n); memmove(numbers, numbers + 1, n);
}
END
cat >corpus.cc <<'END'
#include <atomic>
#include <string>
#include <vector>
struct base { virtual ~base() {} virtual int f() { return x; } int x = 0; };
struct derived : base { ~derived() {} int f() { return 2 * x; } };
std::atomic<__int128> wide; std::atomic<bool> flag; static thread_local std::string text;
int g(base *b, std::vector<int> &v)
{
    try { v.at(3) = b->f(); delete b; } catch (...) { v.push_back(1); }
    wide = 3; flag.exchange(true); text += "x"; static derived once; return once.f() + (int)wide.load();
}
END
cat >corpus.f90 <<'END'
subroutine s(a, b, n)
    integer :: n
    real(8) :: a(n), b(n, n)
    complex(8) :: z(n)
    a = matmul(b, a); z = a; b(2:n:2, :) = 0; write (*, *) a, z(1)
end subroutine
END
for optimisation in -O0 -O2; do
    for compile in "gcc corpus.c" "g++ corpus.cc" "gfortran corpus.f90" "clang-19 corpus.c" "clang++-19 corpus.cc"; do
        compiler=${compile% *}
        command -v "$compiler" >/dev/null || continue
        # shellcheck disable=SC2086
        try $compile $optimisation -fsanitize=thread -w -c -o corpus.o
        code_is 0
        nm -u corpus.o | awk '$2 ~ /^__tsan_/ { print $2 }' >wanted
        check "$compiler $optimisation"
    done
done
finish
