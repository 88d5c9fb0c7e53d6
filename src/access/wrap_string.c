/* str… functions: what they need to read is measured first, but only in a process that is checked.
 */
#include <ctype.h>
#include <stdlib.h>

#include "wrap.h"

size_t REAL(strlen)(const char *s);
size_t REAL(strnlen)(const char *s, size_t n);
char *REAL(strcpy)(char *to, const char *from);
char *REAL(stpcpy)(char *to, const char *from);
char *REAL(strncpy)(char *to, const char *from, size_t n);
char *REAL(stpncpy)(char *to, const char *from, size_t n);
char *REAL(strcat)(char *to, const char *from);
char *REAL(strncat)(char *to, const char *from, size_t n);
int REAL(strcmp)(const char *a, const char *b);
int REAL(strncmp)(const char *a, const char *b, size_t n);
int REAL(strcasecmp)(const char *a, const char *b);
int REAL(strncasecmp)(const char *a, const char *b, size_t n);
char *REAL(strchr)(const char *s, int c);
char *REAL(strchrnul)(const char *s, int c);
char *REAL(strrchr)(const char *s, int c);
char *REAL(strstr)(const char *s, const char *part);
size_t REAL(strspn)(const char *s, const char *set);
size_t REAL(strcspn)(const char *s, const char *set);
char *REAL(strpbrk)(const char *s, const char *set);
char *REAL(strdup)(const char *s);
char *REAL(strndup)(const char *s, size_t n);

/* The string and its end. */
#define LOADS_STRING(s)                                                                            \
    do {                                                                                           \
        if (access_is_watched())                                                                   \
            LOADS(s, REAL(strlen)(s) + 1);                                                         \
    } while (0)
/* The same, but at most n bytes. */
static size_t bounded(const char *s, size_t n)
{
    size_t length = REAL(strnlen)(s, n);
    return length < n ? length + 1 : n;
}

size_t WRAP(strlen)(const char *s)
{
    size_t length = REAL(strlen)(s);
    LOADS(s, length + 1);
    return length;
}

size_t WRAP(strnlen)(const char *s, size_t n)
{
    size_t length = REAL(strnlen)(s, n);
    LOADS(s, length < n ? length + 1 : n);
    return length;
}

#define COPY_STRING(name)                                                                          \
    char *WRAP(name)(char *to, const char *from)                                                   \
    {                                                                                              \
        if (access_is_watched()) {                                                                 \
            size_t bytes = REAL(strlen)(from) + 1;                                                 \
            LOADS(from, bytes);                                                                    \
            STORES(to, bytes);                                                                     \
        }                                                                                          \
        return REAL(name)(to, from);                                                               \
    }
COPY_STRING(strcpy)
COPY_STRING(stpcpy)

/* These fill up to n bytes with zeroes. */
#define COPY_FIELD(name)                                                                           \
    char *WRAP(name)(char *to, const char *from, size_t n)                                         \
    {                                                                                              \
        if (access_is_watched()) {                                                                 \
            LOADS(from, bounded(from, n));                                                         \
            STORES(to, n);                                                                         \
        }                                                                                          \
        return REAL(name)(to, from, n);                                                            \
    }
COPY_FIELD(strncpy)
COPY_FIELD(stpncpy)

char *WRAP(strcat)(char *to, const char *from)
{
    if (access_is_watched()) {
        size_t before = REAL(strlen)(to), bytes = REAL(strlen)(from) + 1;
        LOADS(to, before + 1);
        LOADS(from, bytes);
        STORES(to + before, bytes);
    }
    return REAL(strcat)(to, from);
}

char *WRAP(strncat)(char *to, const char *from, size_t n)
{
    if (access_is_watched()) {
        size_t before = REAL(strlen)(to);
        LOADS(to, before + 1);
        LOADS(from, bounded(from, n));
        STORES(to + before, REAL(strnlen)(from, n) + 1);
    }
    return REAL(strncat)(to, from, n);
}

static size_t compared(const char *a, const char *b, size_t n, bool any_case)
{
    size_t i = 0;
    while (i < n && a[i] &&
           (a[i] == b[i] ||
            (any_case && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))))
        i++;
    return i < n ? i + 1 : n;
}

#define LOADS_COMPARED(a, b, n, any_case)                                                          \
    do {                                                                                           \
        if (access_is_watched()) {                                                                 \
            size_t bytes = compared(a, b, n, any_case);                                            \
            LOADS(a, bytes);                                                                       \
            LOADS(b, bytes);                                                                       \
        }                                                                                          \
    } while (0)

int WRAP(strcmp)(const char *a, const char *b)
{
    LOADS_COMPARED(a, b, SIZE_MAX, false);
    return REAL(strcmp)(a, b);
}

int WRAP(strncmp)(const char *a, const char *b, size_t n)
{
    LOADS_COMPARED(a, b, n, false);
    return REAL(strncmp)(a, b, n);
}

int WRAP(strcasecmp)(const char *a, const char *b)
{
    LOADS_COMPARED(a, b, SIZE_MAX, true);
    return REAL(strcasecmp)(a, b);
}

int WRAP(strncasecmp)(const char *a, const char *b, size_t n)
{
    LOADS_COMPARED(a, b, n, true);
    return REAL(strncasecmp)(a, b, n);
}

char *WRAP(strchr)(const char *s, int c)
{
    char *found = REAL(strchr)(s, c);
    if (found)
        LOADS(s, (size_t)(found - s) + 1);
    else
        LOADS_STRING(s);
    return found;
}

char *WRAP(strchrnul)(const char *s, int c)
{
    char *found = REAL(strchrnul)(s, c);
    LOADS(s, (size_t)(found - s) + 1);
    return found;
}

char *WRAP(strrchr)(const char *s, int c)
{
    LOADS_STRING(s);
    return REAL(strrchr)(s, c);
}

char *WRAP(strstr)(const char *s, const char *part)
{
    char *found = REAL(strstr)(s, part);
    if (access_is_watched()) {
        size_t length = REAL(strlen)(part);
        LOADS(s, found ? (size_t)(found - s) + length : REAL(strlen)(s) + 1);
        LOADS(part, length + 1);
    }
    return found;
}

size_t WRAP(strspn)(const char *s, const char *set)
{
    size_t length = REAL(strspn)(s, set);
    LOADS(s, length + 1);
    LOADS_STRING(set);
    return length;
}

size_t WRAP(strcspn)(const char *s, const char *set)
{
    size_t length = REAL(strcspn)(s, set);
    LOADS(s, length + 1);
    LOADS_STRING(set);
    return length;
}

char *WRAP(strpbrk)(const char *s, const char *set)
{
    char *found = REAL(strpbrk)(s, set);
    if (found)
        LOADS(s, (size_t)(found - s) + 1);
    else
        LOADS_STRING(s);
    LOADS_STRING(set);
    return found;
}

char *WRAP(strdup)(const char *s)
{
    LOADS_STRING(s);
    return REAL(strdup)(s);
}

char *WRAP(strndup)(const char *s, size_t n)
{
    if (access_is_watched())
        LOADS(s, bounded(s, n));
    return REAL(strndup)(s, n);
}

/* ---- with -D_FORTIFY_SOURCE ---- */

#define COPY_STRING_CHECKED(name)                                                                  \
    char *REAL(name)(char *to, const char *from, size_t room);                                     \
    char *WRAP(name)(char *to, const char *from, size_t room)                                      \
    {                                                                                              \
        if (access_is_watched()) {                                                                 \
            size_t bytes = REAL(strlen)(from) + 1;                                                 \
            LOADS(from, bytes);                                                                    \
            STORES(to, bytes);                                                                     \
        }                                                                                          \
        return REAL(name)(to, from, room);                                                         \
    }
COPY_STRING_CHECKED(__strcpy_chk)
COPY_STRING_CHECKED(__stpcpy_chk)

char *REAL(__strncpy_chk)(char *to, const char *from, size_t n, size_t room);
char *WRAP(__strncpy_chk)(char *to, const char *from, size_t n, size_t room)
{
    if (access_is_watched()) {
        LOADS(from, bounded(from, n));
        STORES(to, n);
    }
    return REAL(__strncpy_chk)(to, from, n, room);
}

char *REAL(__strcat_chk)(char *to, const char *from, size_t room);
char *WRAP(__strcat_chk)(char *to, const char *from, size_t room)
{
    if (access_is_watched()) {
        size_t before = REAL(strlen)(to), bytes = REAL(strlen)(from) + 1;
        LOADS(to, before + 1);
        LOADS(from, bytes);
        STORES(to + before, bytes);
    }
    return REAL(__strcat_chk)(to, from, room);
}

char *REAL(__strncat_chk)(char *to, const char *from, size_t n, size_t room);
char *WRAP(__strncat_chk)(char *to, const char *from, size_t n, size_t room)
{
    if (access_is_watched()) {
        size_t before = REAL(strlen)(to);
        LOADS(to, before + 1);
        LOADS(from, bounded(from, n));
        STORES(to + before, REAL(strnlen)(from, n) + 1);
    }
    return REAL(__strncat_chk)(to, from, n, room);
}

/* ---- numbers ---- */

/* The characters of the number, and the one that ends it. */
#define NUMBER(type, name, ...)                                                                    \
    {                                                                                              \
        char *last;                                                                                \
        type value = REAL(name)(__VA_ARGS__);                                                      \
        LOADS(s, (size_t)(last - s) + 1);                                                          \
        if (end)                                                                                   \
            *end = last;                                                                           \
        return value;                                                                              \
    }
#define FLOATING(type, name)                                                                       \
    type REAL(name)(const char *s, char **end);                                                    \
    type WRAP(name)(const char *s, char **end) NUMBER(type, name, s, &last)
#define INTEGER(type, name)                                                                        \
    type REAL(name)(const char *s, char **end, int base);                                          \
    type WRAP(name)(const char *s, char **end, int base) NUMBER(type, name, s, &last, base)
FLOATING(float, strtof)
FLOATING(double, strtod)
FLOATING(long double, strtold)
INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)

#define FROM_TEXT(type, name, through, ...)                                                        \
    type WRAP(name)(const char *s)                                                                 \
    {                                                                                              \
        char *last;                                                                                \
        type value = (type)REAL(through)(s, &last __VA_ARGS__);                                    \
        LOADS(s, (size_t)(last - s) + 1);                                                          \
        return value;                                                                              \
    }
FROM_TEXT(int, atoi, strtol, , 10)
FROM_TEXT(long, atol, strtol, , 10)
FROM_TEXT(long long, atoll, strtoll, , 10)
FROM_TEXT(double, atof, strtod, )
