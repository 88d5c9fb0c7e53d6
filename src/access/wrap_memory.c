/* mem… and b… functions, and what clang calls in their place. The compilers themselves make calls
 * of memcpy, memmove and memset too. */
#include <sys/types.h>
#include <wchar.h>

#include "wrap.h"

void *REAL(memcpy)(void *to, const void *from, size_t n);
void *REAL(memmove)(void *to, const void *from, size_t n);
void *REAL(memset)(void *to, int byte, size_t n);
void *REAL(mempcpy)(void *to, const void *from, size_t n);
void *REAL(memccpy)(void *to, const void *from, int byte, size_t n);
int REAL(memcmp)(const void *a, const void *b, size_t n);
int REAL(bcmp)(const void *a, const void *b, size_t n);
void *REAL(memchr)(const void *s, int byte, size_t n);
void *REAL(memrchr)(const void *s, int byte, size_t n);
void *REAL(memmem)(const void *s, size_t n, const void *part, size_t part_n);
void REAL(bcopy)(const void *from, void *to, size_t n);
void REAL(bzero)(void *to, size_t n);
void REAL(swab)(const void *from, void *to, ssize_t n);

#define COPIES(to, from, n)                                                                        \
    do {                                                                                           \
        LOADS(from, n);                                                                            \
        STORES(to, n);                                                                             \
    } while (0)

void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    COPIES(to, from, n);
    return REAL(memcpy)(to, from, n);
}

void *__tsan_memmove(void *to, const void *from, size_t n)
{
    COPIES(to, from, n);
    return REAL(memmove)(to, from, n);
}

void *__tsan_memset(void *to, int byte, size_t n)
{
    STORES(to, n);
    return REAL(memset)(to, byte, n);
}

void *WRAP(memcpy)(void *to, const void *from, size_t n)
{
    COPIES(to, from, n);
    return REAL(memcpy)(to, from, n);
}

void *WRAP(memmove)(void *to, const void *from, size_t n)
{
    COPIES(to, from, n);
    return REAL(memmove)(to, from, n);
}

void *WRAP(memset)(void *to, int byte, size_t n)
{
    STORES(to, n);
    return REAL(memset)(to, byte, n);
}

void *WRAP(mempcpy)(void *to, const void *from, size_t n)
{
    COPIES(to, from, n);
    return REAL(mempcpy)(to, from, n);
}

void *WRAP(memccpy)(void *to, const void *from, int byte, size_t n)
{
    const void *found = access_is_watched() ? REAL(memchr)(from, byte, n) : NULL;
    size_t copied = found ? (size_t)((const char *)found - (const char *)from) + 1 : n;
    COPIES(to, from, copied);
    return REAL(memccpy)(to, from, byte, n);
}

/* How far a comparison reads is not specified; what it needs is up to the first difference. */
static size_t compared(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i < n ? i + 1 : n;
}

int WRAP(memcmp)(const void *a, const void *b, size_t n)
{
    if (access_range_is_flagged(a, n) || access_range_is_flagged(b, n)) {
        size_t read = compared(a, b, n);
        LOADS(a, read);
        LOADS(b, read);
    }
    return REAL(memcmp)(a, b, n);
}

int WRAP(bcmp)(const void *a, const void *b, size_t n)
{
    if (access_range_is_flagged(a, n) || access_range_is_flagged(b, n)) {
        size_t read = compared(a, b, n);
        LOADS(a, read);
        LOADS(b, read);
    }
    return REAL(bcmp)(a, b, n);
}

void *WRAP(memchr)(const void *s, int byte, size_t n)
{
    const char *found = REAL(memchr)(s, byte, n);
    LOADS(s, found ? (size_t)(found - (const char *)s) + 1 : n);
    return (void *)found;
}

void *WRAP(memrchr)(const void *s, int byte, size_t n)
{
    const char *found = REAL(memrchr)(s, byte, n);
    LOADS(found ? found : s, found ? n - (size_t)(found - (const char *)s) : n);
    return (void *)found;
}

void *WRAP(memmem)(const void *s, size_t n, const void *part, size_t part_n)
{
    const char *found = REAL(memmem)(s, n, part, part_n);
    LOADS(s, found ? (size_t)(found - (const char *)s) + part_n : n);
    LOADS(part, part_n);
    return (void *)found;
}

void WRAP(bcopy)(const void *from, void *to, size_t n)
{
    COPIES(to, from, n);
    REAL(bcopy)(from, to, n);
}

void WRAP(bzero)(void *to, size_t n)
{
    STORES(to, n);
    REAL(bzero)(to, n);
}

void WRAP(swab)(const void *from, void *to, ssize_t n)
{
    size_t bytes = n > 0 ? (size_t)n & ~(size_t)1 : 0;
    COPIES(to, from, bytes);
    REAL(swab)(from, to, n);
}

/* ---- with -D_FORTIFY_SOURCE ---- */

void *REAL(__memcpy_chk)(void *to, const void *from, size_t n, size_t room);
void *REAL(__memmove_chk)(void *to, const void *from, size_t n, size_t room);
void *REAL(__mempcpy_chk)(void *to, const void *from, size_t n, size_t room);
void *REAL(__memset_chk)(void *to, int byte, size_t n, size_t room);

void *WRAP(__memcpy_chk)(void *to, const void *from, size_t n, size_t room)
{
    COPIES(to, from, n);
    return REAL(__memcpy_chk)(to, from, n, room);
}

void *WRAP(__memmove_chk)(void *to, const void *from, size_t n, size_t room)
{
    COPIES(to, from, n);
    return REAL(__memmove_chk)(to, from, n, room);
}

void *WRAP(__mempcpy_chk)(void *to, const void *from, size_t n, size_t room)
{
    COPIES(to, from, n);
    return REAL(__mempcpy_chk)(to, from, n, room);
}

void *WRAP(__memset_chk)(void *to, int byte, size_t n, size_t room)
{
    STORES(to, n);
    return REAL(__memset_chk)(to, byte, n, room);
}

/* ---- wide characters ---- */

wchar_t *REAL(wmemcpy)(wchar_t *to, const wchar_t *from, size_t n);
wchar_t *REAL(wmemmove)(wchar_t *to, const wchar_t *from, size_t n);
wchar_t *REAL(wmemset)(wchar_t *to, wchar_t character, size_t n);

wchar_t *WRAP(wmemcpy)(wchar_t *to, const wchar_t *from, size_t n)
{
    COPIES(to, from, n * sizeof *to);
    return REAL(wmemcpy)(to, from, n);
}

wchar_t *WRAP(wmemmove)(wchar_t *to, const wchar_t *from, size_t n)
{
    COPIES(to, from, n * sizeof *to);
    return REAL(wmemmove)(to, from, n);
}

wchar_t *WRAP(wmemset)(wchar_t *to, wchar_t character, size_t n)
{
    STORES(to, n * sizeof *to);
    return REAL(wmemset)(to, character, n);
}
