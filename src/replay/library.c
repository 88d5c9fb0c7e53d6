/* The functions outside the program that are modelled. Whatever is not here may synchronise, or
 * anything: the process is not followed beyond it. */
#include "lower.h"
#include "world.h"

#include <math.h>

enum model {
    M_ZERO,    /* harmless, returns 0 */
    M_UNKNOWN, /* harmless, returns what nobody knows */
    M_FIRST,   /* harmless, returns its first argument */
    M_MALLOC,
    M_CALLOC,
    M_REALLOC,
    M_FREE,
    M_MEMALIGN,
    M_ALIGNED,
    M_COPY,
    M_SET,
    M_COMPARE,
    M_EXIT,
    M_ABORT,
    M_SCRIBBLE,
    M_TEXT,      /* texts.c */
    M_CONTAINER, /* containers.c */
    M_STRING,    /* strings.c */
    M_REAL,
    M_REAL2,
    M_ABS,
    M_ERRNO,
    M_STACK_SAVE,
    M_STACK_RESTORE,
    M_MULADD,
    M_OVERFLOW,
    M_OUTSIDE, /* outside.c */
    M_OWN      /* harmless if the object is the process's alone, as there are no threads */
};

static const struct {
    const char *name;
    uint8_t model, kind;
    bool is_beginning; /* of the name */
} models[] = {
#define MODEL(name, model, kind) {name, M_##model, kind, false},
#define MODEL_ALL(name, model, kind) {name, M_##model, kind, true},
#include "library.def"
#undef MODEL
#undef MODEL_ALL
};

int library_number(const char *name)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        size_t length = strlen(models[i].name);
        bool prefix = models[i].is_beginning;
        if (prefix ? !strncmp(name, models[i].name, length) : !strcmp(name, models[i].name))
            return (int)i;
    }
    return -1;
}

static struct value number(uint64_t bits)
{
    return (struct value){bits, 1};
}

static bool all_known(const struct call *c, int n)
{
    for (int i = 0; i < n; i++)
        if (i >= c->n || !c->arguments[i].known)
            return false;
    return true;
}

/* ---- Memory ---- */

static enum outcome allocated(struct call *c, uint64_t size, uint64_t align, bool zero)
{
    uint64_t at = memory_allocate(c->p, size, align, zero);
    if (!at) {
        c->w->spent = true;
        stop(c->w, c->p, "more memory than is replayed");
        return STOPS;
    }
    c->w->steps += size / 64;
    c->results[0] = number(at);
    return OVER;
}

static enum outcome give_back(struct call *c, uint64_t address, const char *name)
{
    uint64_t size;
    if (!address)
        return OVER;
    if (!memory_block(c->p, address, &size)) {
        stop(c->w, c->p, "free() of something else");
        return STOPS;
    }
    judge_end_of(c->w, c->p, address, size, name);
    memory_kill(c->p, address, size);
    return OVER;
}

static enum outcome copy(struct call *c)
{
    struct process *one, *two;
    uint8_t *to_shadow, *from_shadow;
    uint64_t size = c->arguments[2].bits;
    if (!all_known(c, 3))
        return STOPS;
    c->results[0] = c->arguments[0];
    if (!size)
        return OVER;
    uint8_t *to = memory_at(c->w, c->p, c->arguments[0].bits, size, &to_shadow, &one);
    uint8_t *from = memory_at(c->w, c->p, c->arguments[1].bits, size, &from_shadow, &two);
    if (!to || !from) {
        stop(c->w, c->p, "an access to memory that is not the program's");
        return STOPS;
    }
    c->w->steps += size / 8;
    site_t site = site_here(c->w, c->p, NULL, NULL);
    judge_access(c->w, c->p, c->arguments[1].bits, size, false, site, NULL);
    judge_access(c->w, c->p, c->arguments[0].bits, size, true, site, NULL);
    uint8_t *known = got(malloc(size));
    memcpy(known, from_shadow, size);
    memmove(to, from, size);
    for (uint64_t i = 0; i < size; i++)
        to_shadow[i] = (uint8_t)((to_shadow[i] & ~KNOWN) | (known[i] & KNOWN));
    free(known);
    return OVER;
}

static enum outcome set(struct call *c, bool zero)
{
    struct process *owner;
    uint8_t *shadow;
    uint64_t size = c->arguments[zero ? 1 : 2].bits;
    if (!c->arguments[0].known || !c->arguments[zero ? 1 : 2].known)
        return STOPS;
    c->results[0] = c->arguments[0];
    if (!size)
        return OVER;
    uint8_t *to = memory_at(c->w, c->p, c->arguments[0].bits, size, &shadow, &owner);
    if (!to) {
        stop(c->w, c->p, "an access to memory that is not the program's");
        return STOPS;
    }
    judge_access(c->w, c->p, c->arguments[0].bits, size, true, site_here(c->w, c->p, NULL, NULL),
                 NULL);
    c->w->steps += size / 8;
    bool known = zero || c->arguments[1].known;
    memset(to, zero ? 0 : (int)(c->arguments[1].bits & 0xff), size);
    for (uint64_t i = 0; i < size; i++)
        shadow[i] = (uint8_t)(known ? shadow[i] | KNOWN : shadow[i] & ~KNOWN);
    return OVER;
}

static enum outcome compare(struct call *c)
{
    uint8_t *shadow[2], *at[2];
    struct process *owner;
    uint64_t size = c->arguments[2].bits;
    c->results[0] = number(0);
    if (!all_known(c, 3))
        return STOPS;
    if (!size)
        return OVER;
    for (int i = 0; i < 2; i++) {
        at[i] = memory_at(c->w, c->p, c->arguments[i].bits, size, &shadow[i], &owner);
        if (!at[i]) {
            stop(c->w, c->p, "an access to memory that is not the program's");
            return STOPS;
        }
        judge_access(c->w, c->p, c->arguments[i].bits, size, false,
                     site_here(c->w, c->p, NULL, NULL), NULL);
        for (uint64_t k = 0; k < size; k++)
            if (!(shadow[i][k] & KNOWN))
                c->results[0].known = 0;
    }
    c->w->steps += size / 8;
    c->results[0].bits = (uint32_t)memcmp(at[0], at[1], size);
    return OVER;
}

/* ---- What nobody knows ---- */

static enum outcome scribble(struct call *c, int kind)
{
    int which = kind == 4 ? 1 : 0;
    uint64_t size = kind == 1 ? c->arguments[1].bits : kind == 0 ? 1024 : kind == 2 ? 8 : 16;
    if (!c->arguments[which].known || (kind == 1 && !c->arguments[1].known))
        return STOPS;
    uint64_t address = c->arguments[which].bits;
    for (uint64_t i = 0; address && i < size; i++) {
        uint8_t *shadow;
        if (!memory_at(c->w, c->p, address + i, 1, &shadow, NULL))
            break;
        *shadow &= (uint8_t)~KNOWN;
    }
    if (kind >= 3)
        c->results[0] = number(0);
    return OVER;
}

/* ---- Numbers ---- */

static double one_argument(int kind, double x)
{
    switch (kind) {
    case 0:
        return sqrt(x);
    case 1:
        return fabs(x);
    case 2:
        return sin(x);
    case 3:
        return cos(x);
    case 4:
        return tan(x);
    case 5:
        return exp(x);
    case 6:
        return log(x);
    case 7:
        return floor(x);
    case 8:
        return ceil(x);
    case 9:
        return round(x);
    case 10:
        return log10(x);
    case 11:
        return log2(x);
    case 12:
        return cbrt(x);
    case 13:
        return atan(x);
    case 14:
        return trunc(x);
    default:
        return tanh(x);
    }
}

static double two_arguments(int kind, double x, double y)
{
    switch (kind) {
    case 0:
        return pow(x, y);
    case 1:
        return fmod(x, y);
    case 2:
        return atan2(x, y);
    case 3:
        return fmax(x, y);
    case 4:
        return fmin(x, y);
    default:
        return hypot(x, y);
    }
}

static double real_argument(const struct call *c, int i, bool single)
{
    float f;
    double d;
    uint32_t low = (uint32_t)c->arguments[i].bits;
    memcpy(&f, &low, 4);
    memcpy(&d, &c->arguments[i].bits, 8);
    return single ? f : d;
}

static void real_result(struct call *c, double number, bool single, int arguments)
{
    float f = (float)number;
    uint32_t low;
    memcpy(&low, &f, 4);
    memcpy(&c->results[0].bits, &number, 8);
    if (single)
        c->results[0].bits = low;
    c->results[0].known = all_known(c, arguments);
}

static void overflow(struct call *c, int kind)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(c->site->instruction, 0));
    unsigned width = LLVMGetIntTypeWidth(type);
    __int128 a = c->arguments[0].bits, b = c->arguments[1].bits, r;
    bool is_signed = kind % 2 == 0;
    if (is_signed) {
        a = (int64_t)(c->arguments[0].bits << (64 - width)) >> (64 - width);
        b = (int64_t)(c->arguments[1].bits << (64 - width)) >> (64 - width);
    }
    r = kind < 2 ? a + b : kind < 4 ? a * b : a - b;
    __int128 most = is_signed ? ((__int128)1 << (width - 1)) - 1 : ((__int128)1 << width) - 1;
    __int128 least = is_signed ? -((__int128)1 << (width - 1)) : 0;
    uint64_t bits = (uint64_t)r;
    c->results[0] =
        (struct value){width < 64 ? bits & (((uint64_t)1 << width) - 1) : bits, all_known(c, 2)};
    c->results[1] = (struct value){r > most || r < least, all_known(c, 2)};
}

static enum outcome reallocate(struct call *c)
{
    uint64_t old = c->arguments[0].bits, size = c->arguments[1].bits, before = 0;
    if (!all_known(c, 2) || (old && !memory_block(c->p, old, &before)))
        return STOPS;
    if (allocated(c, size, 16, false) != OVER)
        return STOPS;
    uint64_t new = c->results[0].bits, kept = before < size ? before : size;
    if (!old)
        return OVER;
    uint8_t *from_shadow, *to_shadow, *from = memory_at(c->w, c->p, old, kept, &from_shadow, NULL);
    uint8_t *to = memory_at(c->w, c->p, new, kept, &to_shadow, NULL);
    if (kept && (!from || !to))
        return STOPS;
    for (uint64_t i = 0; i < kept; i++) {
        to[i] = from[i];
        to_shadow[i] = from_shadow[i] & (ALIVE | KNOWN);
    }
    return give_back(c, old, "realloc");
}

static enum outcome memory_model(struct call *c, int model, int kind)
{
    uint64_t at;
    switch (model) {
    case M_MALLOC:
        return all_known(c, 1) ? allocated(c, c->arguments[0].bits, 16, false) : STOPS;
    case M_CALLOC:
        return all_known(c, 2) ? allocated(c, c->arguments[0].bits * c->arguments[1].bits, 16, true)
                               : STOPS;
    case M_ALIGNED:
        return all_known(c, 2) ? allocated(c, c->arguments[1].bits, c->arguments[0].bits, false)
                               : STOPS;
    case M_MEMALIGN:
        if (!all_known(c, 3) ||
            allocated(c, c->arguments[2].bits, c->arguments[1].bits, false) != OVER)
            return STOPS;
        at = c->results[0].bits;
        c->results[0] = number(0);
        return poke(c->w, c->p, c->arguments[0].bits, 8, at) ? OVER : STOPS;
    case M_REALLOC:
        return reallocate(c);
    default:
        return all_known(c, 1) ? give_back(c, c->arguments[0].bits, kind ? "delete" : "free")
                               : STOPS;
    }
}

enum outcome library_call(struct call *c)
{
    if (c->function->library < 0)
        return STOPS;
    int model = models[c->function->library].model, kind = models[c->function->library].kind;
    struct process *p = c->p;
    bool single = kind & 32;
    switch (model) {
    case M_ZERO:
        c->results[0] = number(0);
        return OVER;
    case M_UNKNOWN:
        return OVER;
    case M_OWN:
        c->results[0] = number(0);
        return c->arguments[0].known && memory_at(c->w, p, c->arguments[0].bits, 1, NULL, NULL) &&
                       !memory_has(p, c->arguments[0].bits, 1, WINDOW)
                   ? OVER
                   : STOPS;
    case M_FIRST:
        c->results[0] = c->arguments[0];
        return OVER;
    case M_COPY:
        return copy(c);
    case M_SET:
        return set(c, kind);
    case M_COMPARE:
        return compare(c);
    case M_TEXT:
        return text_call(c, kind);
    case M_CONTAINER:
        return container_call(c, kind);
    case M_STRING:
        return string_call(c);
    case M_EXIT:
        p->failed |= !c->arguments[0].known || (uint32_t)c->arguments[0].bits;
        p->state = ENDED;
        return OVER;
    case M_ABORT:
        p->failed = true;
        p->state = ENDED;
        return OVER;
    case M_OUTSIDE:
        return outside_call(c);
    case M_SCRIBBLE:
        return scribble(c, kind);
    case M_REAL:
        real_result(c, one_argument(kind & 31, real_argument(c, 0, single)), single, 1);
        return OVER;
    case M_REAL2:
        real_result(c, two_arguments(kind, real_argument(c, 0, false), real_argument(c, 1, false)),
                    false, 2);
        return OVER;
    case M_MULADD:
        single = kind == 32;
        real_result(c,
                    real_argument(c, 0, single) * real_argument(c, 1, single) +
                        real_argument(c, 2, single),
                    single, 3);
        return OVER;
    case M_ABS: {
        int64_t n = kind == 32 ? (int32_t)c->arguments[0].bits : (int64_t)c->arguments[0].bits;
        c->results[0] =
            (struct value){kind == 32 ? (uint32_t)(n < 0 ? -n : n) : (uint64_t)(n < 0 ? -n : n),
                           c->arguments[0].known};
        return OVER;
    }
    case M_ERRNO:
        return allocated(c, 4, 16, true);
    case M_STACK_SAVE:
        c->results[0] = number(p->space.stack);
        return OVER;
    case M_STACK_RESTORE:
        if (p->space.stack > c->arguments[0].bits && c->arguments[0].known) {
            uint64_t start = process_base(p->rank) + c->arguments[0].bits,
                     size = p->space.stack - c->arguments[0].bits;
            judge_end_of(c->w, p, start, size, "return");
            memory_kill(p, start, size);
            p->space.stack = c->arguments[0].bits;
        }
        return OVER;
    case M_OVERFLOW:
        overflow(c, kind);
        return OVER;
    default:
        return memory_model(c, model, kind);
    }
}
