/* The C library's functions on texts. */
#include "world.h"

static struct value number(uint64_t bits)
{
    return (struct value){bits, 1};
}

/* ---- Texts of the program: a copy in memory of ours, NULL if one is not known up to its end ----
 */

static char *text(struct call *c, int i, uint64_t most)
{
    enum { LONGEST = 1 << 16 };
    if (i >= c->n || !c->arguments[i].known)
        return NULL;
    char *result = got(malloc(LONGEST + 1));
    uint64_t n = 0, byte = 1;
    for (; n < LONGEST && n < most && byte; n++) {
        if (!peek(c->w, c->p, c->arguments[i].bits + n, 1, &byte)) {
            free(result);
            return NULL;
        }
        result[n] = (char)byte;
    }
    result[n] = 0;
    judge_access(c->w, c->p, c->arguments[i].bits, n, false, site_here(c->w, c->p, NULL, NULL),
                 NULL);
    return result;
}

static enum outcome compare_texts(struct call *c, bool limited)
{
    uint64_t most = limited ? c->arguments[2].bits : UINT64_MAX;
    if (limited && !c->arguments[2].known)
        return STOPS;
    char *a = text(c, 0, most), *b = text(c, 1, most);
    if (a && b)
        c->results[0] = number((uint32_t)(limited ? strncmp(a, b, most) : strcmp(a, b)));
    free(a);
    free(b);
    return OVER;
}

static enum outcome copy_text(struct call *c, bool limited)
{
    uint64_t most = limited ? c->arguments[2].bits : UINT64_MAX;
    char *from = limited && !c->arguments[2].known ? NULL : text(c, 1, most);
    if (!from || !c->arguments[0].known)
        return free(from), STOPS;
    uint64_t size = limited ? most : strlen(from) + 1, length = strlen(from);
    judge_access(c->w, c->p, c->arguments[0].bits, size, true, site_here(c->w, c->p, NULL, NULL),
                 NULL);
    for (uint64_t i = 0; i < size; i++)
        if (!poke(c->w, c->p, c->arguments[0].bits + i, 1, i < length ? (uint8_t)from[i] : 0))
            return free(from), STOPS;
    free(from);
    c->results[0] = c->arguments[0];
    return OVER;
}

static enum outcome duplicate(struct call *c)
{
    char *from = text(c, 0, UINT64_MAX);
    uint64_t to = from ? memory_allocate(c->p, strlen(from) + 1, 16, true) : 0;
    for (size_t i = 0; to && from[i]; i++)
        poke(c->w, c->p, to + i, 1, (uint8_t)from[i]);
    free(from);
    c->results[0] = number(to);
    return to ? OVER : STOPS;
}

static enum outcome find_character(struct call *c, bool last)
{
    char *from = text(c, 0, UINT64_MAX);
    if (from && c->arguments[1].known) {
        char *at = last ? strrchr(from, (int)(char)c->arguments[1].bits)
                        : strchr(from, (int)(char)c->arguments[1].bits);
        c->results[0] = number(at ? c->arguments[0].bits + (uint64_t)(at - from) : 0);
    }
    free(from);
    return OVER;
}

static enum outcome parse_number(struct call *c, bool with_end)
{
    char *from = text(c, 0, UINT64_MAX), *end = NULL;
    if (!from) /* atoi(argv[1]) without arguments */
        return c->arguments[0].known && !c->arguments[0].bits ? crash(c->p) : OVER;
    int base = with_end && c->arguments[2].known ? (int)c->arguments[2].bits : 10;
    c->results[0] = number((uint64_t)strtol(from, &end, base));
    if (!with_end && c->function->name[3] == 'i')
        c->results[0].bits &= UINT32_MAX;
    if (with_end && c->arguments[1].known && c->arguments[1].bits)
        poke(c->w, c->p, c->arguments[1].bits, 8, c->arguments[0].bits + (uint64_t)(end - from));
    free(from);
    return OVER;
}

static enum outcome parse_real(struct call *c)
{
    char *from = text(c, 0, UINT64_MAX), *end = NULL;
    if (!from)
        return c->arguments[0].known && !c->arguments[0].bits ? crash(c->p) : OVER;
    double x = strtod(from, &end);
    c->results[0].known = 1;
    memcpy(&c->results[0].bits, &x, sizeof x);
    if (c->n > 1 && c->arguments[1].known && c->arguments[1].bits)
        poke(c->w, c->p, c->arguments[1].bits, 8, c->arguments[0].bits + (uint64_t)(end - from));
    free(from);
    return OVER;
}

/* ---- Formats ---- */

/* One conversion of a format, "%-8.3ld". */
struct conversion {
    char flags[8];
    int width, precision; /* -1: none; -2: an argument */
    unsigned bytes;       /* of an integer */
    char letter;
};

static int read_number(const char **at, int none)
{
    if (**at == '*') {
        (*at)++;
        return -2;
    }
    if (**at < '0' || **at > '9')
        return none;
    char *end;
    long n = strtol(*at, &end, 10);
    *at = end;
    return n < 4096 ? (int)n : 4096;
}

/* From behind the %. */
static struct conversion read_conversion(const char **at)
{
    struct conversion it = {.bytes = 4};
    for (size_t n = 0; **at && strchr("-+ #0", **at) && n + 1 < sizeof it.flags; (*at)++)
        it.flags[n++] = **at;
    it.width = read_number(at, -1);
    it.precision = -1;
    if (**at == '.') {
        (*at)++;
        it.precision = read_number(at, 0);
    }
    for (; **at && strchr("hlzjtL", **at); (*at)++)
        it.bytes = **at == 'h' ? it.bytes / 2 : 8;
    it.letter = **at;
    *at += it.letter != 0;
    return it;
}

struct printed {
    char text[4096];
    size_t n;
    int argument; /* the next one */
};

static bool next_number(const struct call *c, struct printed *out, int *n)
{
    if (*n != -2)
        return true;
    int i = out->argument++;
    *n = i < c->n ? (int32_t)c->arguments[i].bits : 0;
    return i < c->n && c->arguments[i].known && *n >= 0 && *n <= 4096;
}

static void append(struct printed *out, const char *what)
{
    size_t room = sizeof out->text - 1 - out->n, length = strlen(what);
    memcpy(out->text + out->n, what, length < room ? length : room);
    out->n += length < room ? length : room;
    out->text[out->n] = 0;
}

static bool print_one(struct call *c, struct printed *out, struct conversion it)
{
    char spec[64], result[4200];
    if (!next_number(c, out, &it.width) || !next_number(c, out, &it.precision))
        return false;
    int n = snprintf(spec, sizeof spec, "%%%s", it.flags);
    if (it.width >= 0)
        n += snprintf(spec + n, sizeof spec - (size_t)n, "%d", it.width);
    if (it.precision >= 0)
        n += snprintf(spec + n, sizeof spec - (size_t)n, ".%d", it.precision);
    int i = out->argument++;
    if (i >= c->n || !c->arguments[i].known)
        return false;
    uint64_t bits = c->arguments[i].bits;
    unsigned shift = 64 - 8 * it.bytes;
    double real;
    memcpy(&real, &bits, sizeof real);
    if (it.letter && strchr("di", it.letter)) {
        snprintf(spec + n, sizeof spec - (size_t)n, "ld");
        snprintf(result, sizeof result, spec, (long)((int64_t)(bits << shift) >> shift));
    } else if (it.letter && strchr("uxXo", it.letter)) {
        snprintf(spec + n, sizeof spec - (size_t)n, "l%c", it.letter);
        snprintf(result, sizeof result, spec, (unsigned long)(bits << shift >> shift));
    } else if (it.letter && strchr("feEgG", it.letter)) {
        snprintf(spec + n, sizeof spec - (size_t)n, "%c", it.letter);
        snprintf(result, sizeof result, spec, real);
    } else if (it.letter == 'c') {
        snprintf(spec + n, sizeof spec - (size_t)n, "c");
        snprintf(result, sizeof result, spec, (int)bits);
    } else if (it.letter == 's') {
        char *from = text(c, i, it.precision >= 0 ? (uint64_t)it.precision : UINT64_MAX);
        if (!from)
            return false;
        snprintf(spec + n, sizeof spec - (size_t)n, "s");
        snprintf(result, sizeof result, spec, from);
        free(from);
    } else {
        return false;
    }
    append(out, result);
    return true;
}

/* What printf would make of the format and of what follows it. False: not known. */
static bool print(struct call *c, int format, struct printed *out)
{
    char *from = text(c, format, UINT64_MAX), letter[2] = {0};
    bool known = from != NULL;
    *out = (struct printed){.argument = format + 1};
    for (const char *at = from; known && *at;) {
        letter[0] = *at++;
        if (*letter != '%' || *at == '%') {
            at += *letter == '%';
            append(out, letter);
        } else {
            known = print_one(c, out, read_conversion(&at));
        }
    }
    free(from);
    return known && out->n + 1 < sizeof out->text;
}

/* sprintf, snprintf: the text if it is known, else something that nobody knows. */
static enum outcome print_into(struct call *c, bool limited)
{
    struct value to = c->arguments[0], room = {UINT64_MAX, 1};
    if (limited)
        room = c->arguments[1];
    if (!to.known || !room.known)
        return STOPS;
    struct printed out;
    bool known = print(c, limited ? 2 : 1, &out);
    uint64_t size =
        known ? (out.n + 1 < room.bits ? out.n + 1 : room.bits) : (limited ? room.bits : 1024);
    if (known && size)
        judge_access(c->w, c->p, to.bits, size, true, site_here(c->w, c->p, NULL, NULL), NULL);
    for (uint64_t i = 0; i < size; i++) {
        uint8_t *shadow;
        if (!memory_at(c->w, c->p, to.bits + i, 1, &shadow, NULL)) {
            if (!known)
                break;
            return STOPS;
        }
        if (known)
            poke(c->w, c->p, to.bits + i, 1, i + 1 < size ? (uint8_t)out.text[i] : 0);
        else
            *shadow &= (uint8_t)~KNOWN;
    }
    if (known)
        c->results[0] = number((uint32_t)out.n);
    return OVER;
}

static bool scan_one(struct call *c, const char **at, struct conversion it, int argument)
{
    char *end = NULL;
    uint64_t bits;
    unsigned bytes = it.bytes;
    if (argument >= c->n || !c->arguments[argument].known)
        return false;
    if (strchr("di", it.letter)) {
        bits = (uint64_t)strtol(*at, &end, it.letter == 'd' ? 10 : 0);
    } else if (it.letter == 'u') {
        bits = strtoul(*at, &end, 10);
    } else {
        double real = strtod(*at, &end);
        float single = (float)real;
        uint32_t low;
        memcpy(&low, &single, 4);
        memcpy(&bits, &real, 8);
        if (bytes == 4)
            bits = low;
    }
    if (end == *at)
        return false;
    *at = end;
    judge_access(c->w, c->p, c->arguments[argument].bits, bytes, true,
                 site_here(c->w, c->p, NULL, NULL), NULL);
    return poke(c->w, c->p, c->arguments[argument].bits, bytes, bits);
}

/* sscanf of numbers only: "%d x %lf". */
static enum outcome scan(struct call *c)
{
    char *from = text(c, 0, UINT64_MAX), *format = text(c, 1, UINT64_MAX);
    bool null = c->arguments[0].known && !c->arguments[0].bits, strange = !from || !format;
    const char *in = from, *at = format;
    uint32_t found = 0;
    while (!strange && *at) {
        if (*at == ' ' || *at == '\n' || *at == '\t') {
            in += strspn(in, " \n\t");
            at++;
        } else if (*at != '%') {
            if (*in != *at)
                break;
            in++, at++;
        } else {
            at++;
            struct conversion it = read_conversion(&at);
            strange = !it.letter || !strchr("diufeg", it.letter) || it.width != -1;
            if (strange || !scan_one(c, &in, it, (int)(2 + found)))
                break;
            found++;
        }
    }
    c->results[0] = number(!found && from && !*in ? UINT32_MAX : found);
    free(from);
    free(format);
    return null ? crash(c->p) : strange ? STOPS : OVER;
}

enum outcome text_call(struct call *c, int kind)
{
    char *from;
    switch (kind) {
    case TEXT_LENGTH:
        from = text(c, 0, UINT64_MAX);
        if (from)
            c->results[0] = number(strlen(from));
        free(from);
        return OVER;
    case TEXT_COMPARE:
    case TEXT_COMPARE_SOME:
        return compare_texts(c, kind == TEXT_COMPARE_SOME);
    case TEXT_COPY:
    case TEXT_COPY_SOME:
        return copy_text(c, kind == TEXT_COPY_SOME);
    case TEXT_DUPLICATE:
        return duplicate(c);
    case TEXT_FIND:
    case TEXT_FIND_LAST:
        return find_character(c, kind == TEXT_FIND_LAST);
    case TEXT_NUMBER:
    case TEXT_NUMBER_TO:
        return parse_number(c, kind == TEXT_NUMBER_TO);
    case TEXT_REAL:
        return parse_real(c);
    case TEXT_PRINT:
    case TEXT_PRINT_SOME:
        return print_into(c, kind == TEXT_PRINT_SOME);
    case TEXT_SCAN:
        return scan(c);
    default:
        return STOPS;
    }
}
