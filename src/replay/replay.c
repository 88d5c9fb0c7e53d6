/* The program is run with a few numbers of processes, one after the other. */
#include "replay.h"

#include "world.h"

#include <sys/mman.h>

enum { QUANTUM = 2000, MOST_SPINS = 3000 };
#define BUDGET ((uint64_t)20000000)

/* What the program is given: numbers. */
enum { MOST_ARGUMENTS = 5 };
struct arguments {
    int n, at[MOST_ARGUMENTS];
};

#define VALUES_SIZE ((size_t)(1 << 20) * sizeof(struct value))

/* ---- One run ---- */

static void enter_constructors(struct world *w, struct process *p)
{
    LLVMValueRef list = LLVMGetNamedGlobal(w->code->module, "llvm.global_ctors");
    LLVMValueRef value = list ? LLVMGetInitializer(list) : NULL;
    if (!value || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMArrayTypeKind)
        return;
    for (unsigned i = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(value)); i-- > 0;) {
        LLVMValueRef entry = LLVMGetAggregateElement(value, i);
        LLVMValueRef function = entry ? LLVMGetAggregateElement(entry, 1) : NULL;
        struct function *constructor = function ? code_function(w->code, function) : NULL;
        if (!constructor || !constructor->has_body)
            stop(w, p, "a constructor that cannot be seen");
        else
            enter_function(w, p, constructor, NULL, 0, 0, -1);
    }
}

static uint64_t new_text(struct world *w, struct process *p, const char *text)
{
    size_t size = strlen(text) + 1;
    uint64_t at = memory_allocate(p, size, 16, true);
    for (size_t i = 0; i < size; i++)
        poke(w, p, at + i, 1, (uint8_t)text[i]);
    return at;
}

static bool process_open(struct world *w, int rank, struct function *entry,
                         const struct arguments *given)
{
    struct process *p = &w->processes[rank];
    p->rank = rank;
    outside_open(p);
    p->values = mmap(NULL, VALUES_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p->values == MAP_FAILED || !space_open(w, p))
        return false;
    uint64_t list = memory_allocate(p, 8 * (MOST_ARGUMENTS + 2), 16, true);
    poke(w, p, list, 8, new_text(w, p, "program"));
    for (int i = 0; i < given->n; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", given->at[i]);
        poke(w, p, list + 8 * (uint64_t)(i + 1), 8, new_text(w, p, text));
    }
    /* The environment is the end of the list: empty. */
    const struct value arguments[3] = {
        {(uint64_t)given->n + 1, 1}, {list, 1}, {list + 8 * (uint64_t)(given->n + 1), 1}};
    if (!enter_function(w, p, entry, arguments, 3, 0, 0))
        return false;
    enter_constructors(w, p);
    return true;
}

static void world_close(struct world *w)
{
    mpi_close(w);
    judge_close(w);
    for (int i = 0; i < w->n; i++) {
        struct process *p = &w->processes[i];
        space_close(p);
        outside_close(p);
        if (p->values && p->values != MAP_FAILED)
            munmap(p->values, VALUES_SIZE);
        EMPTY(&p->frames);
        free(p->constants);
    }
    free(w->processes);
    free(w->image);
    free(w->image_shadow);
    EMPTY(&w->relocations);
}

static bool is_live(const struct process *p)
{
    return p->state == RUNNING || p->state == BLOCKED;
}

/* Everybody in turn, until nobody can go on. */
static void run(struct world *w)
{
    for (bool moves = true; moves && !w->aborted && !w->illegal;) {
        bool spinning = true;
        moves = false;
        for (int i = 0; i < w->n && !w->aborted && !w->illegal; i++) {
            struct process *p = &w->processes[i];
            uint64_t before = w->steps, spins = p->spins;
            if (!is_live(p))
                continue;
            run_process(w, p, QUANTUM);
            bool moved = p->state != BLOCKED || w->steps - before > 1;
            moves |= moved;
            spinning &=
                !moved || (p->state == RUNNING && p->spins > MOST_SPINS && p->spins > spins);
            if (w->steps >= w->budget) {
                w->spent = true;
                return;
            }
        }
        if (spinning)
            return;
    }
}

/* A program that leaves messages behind, or waits for ever though everybody could be followed, is
 * not meant for this number of processes. */
static bool is_meant(const struct world *w)
{
    bool gave_up = w->spent || w->aborted, waits = false, ended = true;
    for (int i = 0; i < w->n; i++) {
        const struct process *p = &w->processes[i];
        gave_up |= p->state == GAVE_UP || (p->state == ENDED && !p->finalised);
        waits |= is_live(&w->processes[i]);
        ended &= w->processes[i].finalised;
    }
    return !w->illegal && (gave_up || !waits) && !(ended && mpi_has_messages(w));
}

static void settle(struct world *w)
{
    mpi_hand_over(w);
    for (int i = 0; i < w->n; i++)
        take_in(&w->processes[i]);
    for (int i = 0; i < w->n; i++)
        take_in(&w->processes[i]);
}

/* ---- What is told ---- */

struct told {
    const char *rule;
    LLVMValueRef at[2];
};
typedef ROW(struct told) told_row;

static bool is_told(told_row *told, const struct found *found, const struct world *w)
{
    struct told new = {found->rule,
                       {w->sites.at[found->sites[0]].at, w->sites.at[found->sites[1]].at}};
    for (size_t i = 0; i < told->n; i++) {
        const struct told *old = &told->at[i];
        if (old->rule == new.rule && ((old->at[0] == new.at[0] && old->at[1] == new.at[1]) ||
                                      (old->at[0] == new.at[1] && old->at[1] == new.at[0])))
            return true;
    }
    ADD(told, new);
    return false;
}

/* An operation of a process to its own memory that meets another access twice, at both its ends, is
 * one mistake. */
static bool is_second_end(const struct world *w, const struct found *found)
{
    if (strcmp(found->rule, "local-race"))
        return false;
    for (size_t i = 0; i < w->found.n; i++) {
        const struct found *other = &w->found.at[i];
        if (strcmp(other->rule, "local-race") && other->own &&
            ((other->sites[0] == found->sites[0] && other->sites[1] == found->sites[1]) ||
             (other->sites[0] == found->sites[1] && other->sites[1] == found->sites[0])))
            return true;
    }
    return false;
}

static size_t places_of(const struct world *w, const struct site *site, LLVMValueRef places[64])
{
    size_t n = 0;
    places[n++] = site->at;
    for (uint32_t node = site->node; node && n < 64; node = w->nodes.at[node].parent)
        places[n++] = w->nodes.at[node].call;
    return n;
}

static void tell(const struct world *w, bool fewest, const struct arguments *given, told_row *told,
                 replay_found *callback, void *context)
{
    LLVMValueRef places[2][64];
    for (size_t i = 0; i < w->found.n; i++) {
        const struct found *found = &w->found.at[i];
        if (is_second_end(w, found) || is_told(told, found, w))
            continue;
        struct replay_race race = {.rule = found->rule,
                                   .misuse = found->misuse,
                                   .owner = found->owner,
                                   .processes = w->n,
                                   .fewest = fewest,
                                   .arguments = given->at,
                                   .narguments = given->n};
        for (int k = 0; k < 2; k++) {
            const struct site *site = &w->sites.at[found->sites[k]];
            race.sides[k] = (struct replay_side){places[k],       places_of(w, site, places[k]),
                                                 found->ranks[k], site->routine,
                                                 site->call,      found->kinds[k],
                                                 found->writes[k]};
        }
        callback(context, &race);
    }
}

/* ---- All runs ---- */

static struct world world_open(struct code *code, bool openmpi, int n, uint64_t budget)
{
    struct world w = {.code = code, .openmpi = openmpi, .n = n, .budget = budget};
    w.processes = zeroed((size_t)n, sizeof *w.processes);
    return w;
}

/* `followed`: a number of processes that the program is meant for has been tried. */
static void note(struct replay_result *result, const struct world *w, bool *followed,
                 bool *refused_all)
{
    result->instructions += w->steps;
    result->budget_spent |= w->spent;
    result->lucky |= w->lucky;
    bool all = !w->aborted && !w->spent, refused = w->aborted;
    for (int i = 0; i < w->n; i++) {
        const struct process *p = &w->processes[i];
        all &= p->state == ENDED && p->finalised;
        refused |= p->state == ENDED && !p->finalised; /* "run me with 4 processes" */
    }
    *refused_all &= refused && !w->reason;
    if (!w->illegal && !refused) {
        result->conclusive = all && !w->reason && !w->chosen && (result->conclusive || !*followed);
        *followed = true;
    }
    result->finished |= all && !w->illegal;
    /* Why it is not meant for some number of processes is of no interest. */
    if (w->reason && !w->illegal && !result->where) {
        snprintf(result->reason, sizeof result->reason, "%s", w->reason);
        result->where = w->where;
    }
}

static void tell_visited(const struct code *code, replay_visited *visited, void *context)
{
    for (size_t i = 0; i < code->functions.n; i++) {
        const struct function *function = code->functions.at[i];
        for (size_t k = 0; function->ran && k < function->steps.n; k++) {
            uint8_t what = function->steps.at[k].what;
            if (function->ran[k] && function->sources.at[k] &&
                (what == DO_LOAD || what == DO_STORE || what == DO_CALL || what == DO_UPDATE ||
                 what == DO_EXCHANGE))
                visited(context, function->sources.at[k]);
        }
    }
}

/* With these arguments, for one number of processes after the other. */
struct runs {
    struct function *start;
    bool openmpi;
    told_row told;
    bool meant; /* for one of the numbers tried */
    bool followed;
    bool refused; /* … always: "usage: …" */
    replay_found *found;
    void *context;
};

static bool run_with(struct runs *runs, struct code *code, int n, const struct arguments *given,
                     struct replay_result *result)
{
    struct world w = world_open(code, runs->openmpi, n, BUDGET - result->instructions);
    image_build(&w);
    mpi_open(&w);
    bool open = judge_open(&w);
    w.chosen = given->n > 0;
    for (int k = 0; k < n && open; k++)
        open = process_open(&w, k, runs->start, given);
    if (open) {
        run(&w);
        w.illegal = !is_meant(&w);
        settle(&w);
        /* Who never asks how many there are is meant for the fewest. */
        if (!w.illegal && (!runs->meant || w.asked))
            tell(&w, !runs->meant, given, &runs->told, runs->found, runs->context);
        runs->meant |= w.interesting && !w.illegal;
    }
    w.spent |= !open;
    note(result, &w, &runs->followed, &runs->refused);
    world_close(&w);
    return open;
}

static void run_with_arguments(struct runs *runs, struct code *code, struct replay_result *result)
{
    static const int numbers[] = {2, 3, 4, 5, 6, 8, 9, 12, 16};
    const struct arguments none = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if ((numbers[i] > 4 && runs->meant) || result->instructions >= BUDGET ||
            !run_with(runs, code, numbers[i], &none, result))
            return;
    /* A program that only says how it is to be started gets small numbers: sizes, how often, and
     * processes by rows and columns. Whatever it accepts is a legal input. */
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && runs->refused; i++)
        for (int n = 1; n <= MOST_ARGUMENTS; n++)
            for (int rows = 0; rows <= numbers[i] && rows <= 4; rows++) {
                struct arguments given = {.n = n, .at = {8, 8, 8, 8, 8}};
                if (rows && (n < 2 || numbers[i] % rows))
                    continue;
                if (rows) {
                    given.at[0] = numbers[i] / rows;
                    given.at[1] = rows;
                }
                if (!runs->refused || result->instructions >= BUDGET ||
                    !run_with(runs, code, numbers[i], &given, result))
                    return;
            }
}

void replay(LLVMModuleRef program, bool openmpi, replay_found *found, replay_visited *visited,
            void *context, struct replay_result *result)
{
    struct code *code = code_open(program);
    LLVMValueRef entry = LLVMGetNamedFunction(program, "main");
    struct runs runs = {.start = entry ? code_function(code, entry) : NULL,
                        .openmpi = openmpi,
                        .refused = entry && LLVMCountParams(entry) >= 2,
                        .found = found,
                        .context = context};
    memset(result, 0, sizeof *result);
    if (runs.start && runs.start->has_body)
        run_with_arguments(&runs, code, result);
    if (!runs.followed && !result->reason[0])
        snprintf(result->reason, sizeof result->reason,
                 "it ends for want of other arguments, input or numbers of processes");
    if (result->conclusive)
        tell_visited(code, visited, context);
    EMPTY(&runs.told);
    code_close(code);
}
