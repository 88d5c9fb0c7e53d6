/* printf and scanf and their family: strings that are printed are loaded, results are stored. Other
 * arguments of printf were loaded by the program itself. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "wrap.h"

size_t REAL(strlen)(const char *s);
size_t REAL(strnlen)(const char *s, size_t n);

/* One conversion of a format: %[flags][width][.precision][length]specifier. */
struct conversion {
    bool skipped;        /* scanf: assignment suppressed by * */
    bool width_argument; /* printf: width is an argument */
    bool allocates;      /* scanf: m */
    int precision;       /* -1 if none, -2 if it is an argument */
    int width;           /* -1 if none */
    char length;         /* h, H (hh), l, L (ll and L), j, z, t or 0 */
    char specifier;
};

/* Parses behind the %. False for what is not understood: arguments by position. Then the rest is
 * not checked. */
static bool parse_conversion(const char **format, struct conversion *conversion, bool scan)
{
    const char *next = *format;
    *conversion = (struct conversion){.precision = -1, .width = -1};
    while (*next == '-' || *next == '+' || *next == ' ' || *next == '#' || *next == '0' ||
           *next == '\'' || *next == 'I')
        next++;
    if (*next == '*') {
        *(scan ? &conversion->skipped : &conversion->width_argument) = true;
        next++;
    }
    if (isdigit((unsigned char)*next))
        conversion->width = 0;
    for (; isdigit((unsigned char)*next); next++)
        conversion->width = conversion->width * 10 + (*next - '0');
    if (*next == '$')
        return false;
    if (*next == '.') {
        next++;
        conversion->precision = 0;
        if (*next == '*') {
            conversion->precision = -2;
            next++;
        }
        for (; isdigit((unsigned char)*next); next++)
            conversion->precision = conversion->precision * 10 + (*next - '0');
    }
    for (;; next++) {
        if (*next == 'h')
            conversion->length = conversion->length == 'h' ? 'H' : 'h';
        else if (*next == 'l' || *next == 'q')
            conversion->length = conversion->length == 'l' || *next == 'q' ? 'L' : 'l';
        else if (*next == 'L' || *next == 'j' || *next == 'z' || *next == 't')
            conversion->length = *next;
        else if (*next == 'm' && scan)
            conversion->allocates = true;
        else
            break;
    }
    conversion->specifier = *next;
    if (*next)
        next++;
    if (conversion->specifier == '[' && scan) {
        next += *next == '^';
        next += *next == ']';
        while (*next && *next != ']')
            next++;
        next += *next == ']';
    }
    *format = next;
    return true;
}

static size_t integer_size(char length)
{
    switch (length) {
    case 'H':
        return sizeof(char);
    case 'h':
        return sizeof(short);
    case 'l':
        return sizeof(long);
    case 'L':
        return sizeof(long long);
    case 'j':
        return sizeof(intmax_t);
    case 'z':
        return sizeof(size_t);
    case 't':
        return sizeof(ptrdiff_t);
    default:
        return sizeof(int);
    }
}

static void check_printed(const struct access_place *place, const char *format, va_list given)
{
    va_list arguments;
    va_copy(arguments, given);
    struct conversion c;
    while (*format) {
        if (*format++ != '%')
            continue;
        if (!parse_conversion(&format, &c, false))
            break;
        if (c.width_argument)
            (void)va_arg(arguments, int);
        int precision = c.precision == -2 ? va_arg(arguments, int) : c.precision;
        switch (c.specifier) {
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X':
        case 'c':
        case 'C':
            if (integer_size(c.length) == sizeof(long))
                (void)va_arg(arguments, long);
            else
                (void)va_arg(arguments, int);
            break;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            if (c.length == 'L')
                (void)va_arg(arguments, long double);
            else
                (void)va_arg(arguments, double);
            break;
        case 's': {
            const char *s = va_arg(arguments, const char *);
            if (s && c.length != 'l') {
                size_t most = precision >= 0 ? (size_t)precision : SIZE_MAX;
                size_t length = REAL(strnlen)(s, most);
                check_at(place, s, length < most ? length + 1 : length, HOOK_LOAD);
            }
            break;
        }
        case 'S':
        case 'p':
            (void)va_arg(arguments, void *);
            break;
        case 'n':
            check_at(place, va_arg(arguments, void *), integer_size(c.length), HOOK_STORE);
            break;
        case '%':
        case 'm':
            break;
        default:
            va_end(arguments);
            return;
        }
    }
    va_end(arguments);
}

/* What the first `converted` conversions have stored. */
static void check_scanned(const struct access_place *place, const char *format, va_list given,
                          int converted)
{
    va_list arguments;
    va_copy(arguments, given);
    struct conversion c;
    while (*format && converted > 0) {
        if (*format++ != '%')
            continue;
        if (*format == '%') {
            format++;
            continue;
        }
        if (!parse_conversion(&format, &c, true) || !c.specifier)
            break;
        if (c.skipped)
            continue;
        char *to = va_arg(arguments, char *);
        size_t bytes;
        switch (c.specifier) {
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            bytes = c.length == 'L'   ? sizeof(long double)
                    : c.length == 'l' ? sizeof(double)
                                      : sizeof(float);
            break;
        case 's':
        case '[':
            bytes = c.allocates       ? sizeof(char *)
                    : c.length == 'l' ? sizeof(wchar_t)
                                      : REAL(strlen)(to) + 1;
            break;
        case 'c':
            bytes = c.allocates ? sizeof(char *) : c.width > 0 ? (size_t)c.width : 1;
            break;
        case 'p':
            bytes = sizeof(void *);
            break;
        default:
            bytes = integer_size(c.length);
            break;
        }
        check_at(place, to, bytes, HOOK_STORE);
        converted -= c.specifier != 'n';
    }
    va_end(arguments);
}

/* ---- output ---- */

int REAL(vprintf)(const char *format, va_list arguments);
int REAL(vfprintf)(FILE *file, const char *format, va_list arguments);
int REAL(vdprintf)(int file, const char *format, va_list arguments);
int REAL(vsprintf)(char *to, const char *format, va_list arguments);
int REAL(vsnprintf)(char *to, size_t n, const char *format, va_list arguments);
int REAL(__vprintf_chk)(int flag, const char *format, va_list arguments);
int REAL(__vfprintf_chk)(FILE *file, int flag, const char *format, va_list arguments);
int REAL(__vsprintf_chk)(char *to, int flag, size_t room, const char *format, va_list arguments);
int REAL(__vsnprintf_chk)(char *to, size_t n, int flag, size_t room, const char *format,
                          va_list arguments);

/* `store` is what the function stores itself, given the result. */
#define PRINTS(name, parameters, through, call, store)                                             \
    int WRAP(name) parameters                                                                      \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        if (access_is_watched())                                                                   \
            check_printed(&HERE, format, arguments);                                               \
        int result = REAL(through) call;                                                           \
        va_end(arguments);                                                                         \
        store;                                                                                     \
        return result;                                                                             \
    }
#define PRINTS_LIST(name, parameters, call, store)                                                 \
    int WRAP(name) parameters                                                                      \
    {                                                                                              \
        if (access_is_watched())                                                                   \
            check_printed(&HERE, format, arguments);                                               \
        int result = REAL(name) call;                                                              \
        store;                                                                                     \
        return result;                                                                             \
    }
#define STORES_ALL                                                                                 \
    if (result >= 0)                                                                               \
    STORES(to, (size_t)result + 1)
#define STORES_SOME                                                                                \
    if (result >= 0)                                                                               \
    STORES(to, (size_t)result < n ? (size_t)result + 1 : n)

PRINTS(printf, (const char *format, ...), vprintf, (format, arguments), )
PRINTS(fprintf, (FILE * file, const char *format, ...), vfprintf, (file, format, arguments), )
PRINTS(dprintf, (int file, const char *format, ...), vdprintf, (file, format, arguments), )
PRINTS(sprintf, (char *to, const char *format, ...), vsprintf, (to, format, arguments), STORES_ALL)
PRINTS(snprintf, (char *to, size_t n, const char *format, ...), vsnprintf,
       (to, n, format, arguments), STORES_SOME)
PRINTS_LIST(vprintf, (const char *format, va_list arguments), (format, arguments), )
PRINTS_LIST(vfprintf, (FILE * file, const char *format, va_list arguments),
            (file, format, arguments), )
PRINTS_LIST(vdprintf, (int file, const char *format, va_list arguments),
            (file, format, arguments), )
PRINTS_LIST(vsprintf, (char *to, const char *format, va_list arguments), (to, format, arguments),
            STORES_ALL)
PRINTS_LIST(vsnprintf, (char *to, size_t n, const char *format, va_list arguments),
            (to, n, format, arguments), STORES_SOME)

/* with -D_FORTIFY_SOURCE */
PRINTS(__printf_chk, (int flag, const char *format, ...), __vprintf_chk,
       (flag, format, arguments), )
PRINTS(__fprintf_chk, (FILE * file, int flag, const char *format, ...), __vfprintf_chk,
       (file, flag, format, arguments), )
PRINTS(__sprintf_chk, (char *to, int flag, size_t room, const char *format, ...), __vsprintf_chk,
       (to, flag, room, format, arguments), STORES_ALL)
PRINTS(__snprintf_chk, (char *to, size_t n, int flag, size_t room, const char *format, ...),
       __vsnprintf_chk, (to, n, flag, room, format, arguments), STORES_SOME)
PRINTS_LIST(__vprintf_chk, (int flag, const char *format, va_list arguments),
            (flag, format, arguments), )
PRINTS_LIST(__vfprintf_chk, (FILE * file, int flag, const char *format, va_list arguments),
            (file, flag, format, arguments), )
PRINTS_LIST(__vsprintf_chk,
            (char *to, int flag, size_t room, const char *format, va_list arguments),
            (to, flag, room, format, arguments), STORES_ALL)
PRINTS_LIST(__vsnprintf_chk,
            (char *to, size_t n, int flag, size_t room, const char *format, va_list arguments),
            (to, n, flag, room, format, arguments), STORES_SOME)

/* ---- input ---- */

/* glibc gives programs in standard C other names than those in GNU C; both understand the same
 * here. */
#define SCANS_LIST(name, parameters, call, load)                                                   \
    int WRAP(name) parameters                                                                      \
    {                                                                                              \
        va_list kept;                                                                              \
        va_copy(kept, arguments);                                                                  \
        load;                                                                                      \
        int result = REAL(name) call;                                                              \
        if (access_is_watched())                                                                   \
            check_scanned(&HERE, format, kept, result);                                            \
        va_end(kept);                                                                              \
        return result;                                                                             \
    }
#define LOADS_TEXT                                                                                 \
    if (access_is_watched())                                                                       \
    LOADS(s, REAL(strlen)(s) + 1)

#define SCAN_FAMILY(prefix)                                                                        \
    int REAL(prefix##vscanf)(const char *format, va_list arguments);                               \
    int REAL(prefix##vfscanf)(FILE * file, const char *format, va_list arguments);                 \
    int REAL(prefix##vsscanf)(const char *s, const char *format, va_list arguments);               \
    SCANS_LIST(prefix##vscanf, (const char *format, va_list arguments), (format, arguments), )     \
    SCANS_LIST(prefix##vfscanf, (FILE * file, const char *format, va_list arguments),              \
               (file, format, arguments), )                                                        \
    SCANS_LIST(prefix##vsscanf, (const char *s, const char *format, va_list arguments),            \
               (s, format, arguments), LOADS_TEXT)                                                 \
    SCAN_COPY(prefix)

#define SCAN_COPY(prefix)                                                                          \
    int WRAP(prefix##scanf)(const char *format, ...)                                               \
        SCAN_BODY(REAL(prefix##vscanf)(format, arguments), ) int WRAP(prefix##fscanf)(             \
            FILE * file, const char *format, ...)                                                  \
            SCAN_BODY(REAL(prefix##vfscanf)(file, format, arguments), ) int WRAP(prefix##sscanf)(  \
                const char *s, const char *format, ...)                                            \
                SCAN_BODY(REAL(prefix##vsscanf)(s, format, arguments), LOADS_TEXT)

#define SCAN_BODY(call, load)                                                                      \
    {                                                                                              \
        va_list arguments, kept;                                                                   \
        va_start(arguments, format);                                                               \
        va_copy(kept, arguments);                                                                  \
        load;                                                                                      \
        int result = call;                                                                         \
        va_end(arguments);                                                                         \
        if (access_is_watched())                                                                   \
            check_scanned(&HERE, format, kept, result);                                            \
        va_end(kept);                                                                              \
        return result;                                                                             \
    }

SCAN_FAMILY()
SCAN_FAMILY(__isoc99_)
