/* What a program asks the world outside: the clock, random numbers, the environment, files. Any
 * answer that the world may give makes a legal execution, so one is chosen: clocks that go on by a
 * millisecond with each look, the numbers of the C library's own generators, no variables set, no
 * files to read and no input. */
#include "world.h"

struct outside {
    struct random_data random;
    struct drand48_data real;
    char state[128];
    uint64_t clock; /* microseconds since the process began */
};

void outside_open(struct process *p)
{
    struct outside *outside = zeroed(1, sizeof *outside);
    /* Every process begins with the same numbers, as real ones do. */
    initstate_r(1, outside->state, sizeof outside->state, &outside->random);
    p->outside = outside;
}

void outside_close(struct process *p)
{
    free(p->outside);
}

uint64_t outside_microseconds(struct process *p)
{
    return p->outside->clock += 1000;
}

static struct value number(uint64_t bits)
{
    return (struct value){bits, 1};
}

static struct value real(double x)
{
    struct value value = {0, 1};
    memcpy(&value.bits, &x, sizeof x);
    return value;
}

/* A store by the C library, judged as the caller's. */
static bool put(struct call *c, uint64_t address, unsigned bytes, uint64_t value)
{
    judge_access(c->w, c->p, address, bytes, true, site_here(c->w, c->p, NULL, NULL), NULL);
    return poke(c->w, c->p, address, bytes, value);
}

/* ---- Time ---- */

#define EPOCH ((uint64_t)1700000000)

static enum outcome ask_time(struct call *c)
{
    uint64_t now = EPOCH + outside_microseconds(c->p) / 1000000;
    if (!c->arguments[0].known || (c->arguments[0].bits && !put(c, c->arguments[0].bits, 8, now)))
        return STOPS;
    c->results[0] = number(now);
    return OVER;
}

static enum outcome ask_clock(struct call *c)
{
    c->results[0] = number(outside_microseconds(c->p));
    return OVER;
}

/* gettimeofday(&t, …), clock_gettime(which, &t): seconds and a part of one. */
static enum outcome ask_time_of_day(struct call *c)
{
    bool nanoseconds = c->function->name[0] == 'c';
    struct value to = c->arguments[nanoseconds];
    uint64_t now = outside_microseconds(c->p), part = now % 1000000 * (nanoseconds ? 1000 : 1);
    c->results[0] = number(0);
    return to.known && put(c, to.bits, 8, EPOCH + now / 1000000) && put(c, to.bits + 8, 8, part)
               ? OVER
               : STOPS;
}

/* ---- Random numbers ---- */

static enum outcome seed(struct call *c)
{
    if (!c->arguments[0].known) /* any seed will do */
        return OVER;
    if (!strcmp(c->function->name, "srand48"))
        srand48_r((long)c->arguments[0].bits, &c->p->outside->real);
    else
        srandom_r((unsigned)c->arguments[0].bits, &c->p->outside->random);
    return OVER;
}

static enum outcome draw(struct call *c)
{
    int32_t drawn;
    random_r(&c->p->outside->random, &drawn);
    c->results[0] = number((uint32_t)drawn);
    c->w->chosen = true;
    return OVER;
}

static enum outcome draw_from_seed(struct call *c)
{
    uint64_t old;
    if (!c->arguments[0].known || !peek(c->w, c->p, c->arguments[0].bits, 4, &old))
        return STOPS;
    unsigned state = (unsigned)old;
    c->results[0] = number((uint32_t)rand_r(&state));
    c->w->chosen = true;
    return put(c, c->arguments[0].bits, 4, state) ? OVER : STOPS;
}

static enum outcome draw_48(struct call *c)
{
    double x;
    long n;
    c->w->chosen = true;
    if (c->function->name[0] == 'd') {
        drand48_r(&c->p->outside->real, &x);
        c->results[0] = real(x);
    } else {
        lrand48_r(&c->p->outside->real, &n);
        c->results[0] = number((uint64_t)n);
    }
    return OVER;
}

/* ---- Environment, files, input ---- */

/* Set for everybody, or for nobody that we know of. */
static enum outcome ask_environment(struct call *c)
{
    static const char *const set[] = {"HOME", "PATH", "USER", "PWD", "SHELL", "LOGNAME"};
    char name[64];
    uint64_t byte = 1;
    for (unsigned n = 0; n < sizeof name && byte; n++) {
        if (!c->arguments[0].known || !peek(c->w, c->p, c->arguments[0].bits + n, 1, &byte))
            return STOPS;
        name[n] = (char)byte;
    }
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        if (!byte && !strcmp(name, set[i]))
            return OVER; /* unknown */
    c->w->chosen = true;
    c->results[0] = number(0);
    return OVER;
}

static enum outcome ask_number(struct call *c)
{
    c->results[0] = number((uint64_t)(4000 + c->p->rank));
    c->w->chosen = true;
    return OVER;
}

/* What is to be read is not there; what is to be written can be. */
static enum outcome open_file(struct call *c)
{
    uint64_t mode;
    if (!c->arguments[1].known || !peek(c->w, c->p, c->arguments[1].bits, 1, &mode))
        return STOPS;
    c->w->chosen = true;
    c->results[0] = number(mode == 'r' ? 0 : memory_allocate(c->p, 16, 16, true));
    return OVER;
}

static enum outcome read_nothing(struct call *c)
{
    const char *name = c->function->name;
    bool null = !strcmp(name, "fgets") || !strcmp(name, "fread");
    c->w->chosen = true;
    c->results[0] = number(null ? 0 : strstr(name, "line") ? UINT64_MAX : UINT32_MAX);
    return OVER;
}

/* Programs are started without options: the first argument that is none ends them. */
static enum outcome next_option(struct call *c)
{
    uint64_t first = 0, byte = 0;
    bool known = c->arguments[0].known && c->arguments[1].known;
    if (known && (int32_t)c->arguments[0].bits > 1)
        known = peek(c->w, c->p, c->arguments[1].bits + 8, 8, &first) &&
                peek(c->w, c->p, first, 1, &byte);
    if (!known || byte == '-')
        return STOPS;
    c->results[0] = number(UINT32_MAX);
    return OVER;
}

enum outcome outside_call(struct call *c)
{
    static const struct {
        const char *name;
        enum outcome (*answer)(struct call *c);
    } answers[] = {
        {"time", ask_time},
        {"clock", ask_clock},
        {"_ZNSt6chrono3_V212steady_clock3nowEv", ask_clock},
        {"_ZNSt6chrono3_V212system_clock3nowEv", ask_clock},
        {"gettimeofday", ask_time_of_day},
        {"clock_gettime", ask_time_of_day},
        {"srand", seed},
        {"srandom", seed},
        {"srand48", seed},
        {"rand", draw},
        {"random", draw},
        {"rand_r", draw_from_seed},
        {"drand48", draw_48},
        {"lrand48", draw_48},
        {"getenv", ask_environment},
        {"getpid", ask_number},
        {"fopen", open_file},
        {"fgets", read_nothing},
        {"fread", read_nothing},
        {"fscanf", read_nothing},
        {"__isoc99_fscanf", read_nothing},
        {"scanf", read_nothing},
        {"__isoc99_scanf", read_nothing},
        {"getchar", read_nothing},
        {"fgetc", read_nothing},
        {"getc", read_nothing},
        {"getline", read_nothing},
        {"getopt", next_option},
        {"getopt_long", next_option},
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (!strcmp(c->function->name, answers[i].name))
            return answers[i].answer(c);
    return STOPS;
}
