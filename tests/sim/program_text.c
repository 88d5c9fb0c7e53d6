/* The text form of programs: one line per step, `name field=value …`. */
#include "program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[STEP_KINDS] = {
    "load",          "store",        "direct_load",    "direct_store",   "get",
    "put",           "accumulate",   "get_accumulate", "fetch_and_op",   "compare_and_swap",
    "wait",          "request_free", "flush",          "flush_local",    "fence",
    "post",          "start",        "complete",       "win_wait",       "lock",
    "unlock",        "send",         "ssend",          "recv",           "barrier",
    "allreduce",     "allgather",    "alltoall",       "reduce_scatter", "bcast",
    "scatter",       "reduce",       "gather",         "scan",           "exscan",
    "neighbor",      "win_create",   "win_free",       "attach",         "detach",
    "thread_create", "thread_join",  "mutex_lock",     "mutex_unlock",   "thread_barrier",
    "signal",        "await",        "notify",         "listen",
};
static const char *const type_names[TYPE_KINDS] = {"byte",  "short", "int",
                                                   "float", "long",  "double"};
static const char *const op_names[OP_LIMIT] = {"none", "no_op", "cas", "sum", "replace", "max"};
static const char *const window_kinds[] = {"plain", "shared", "dynamic"};

const char *step_name(enum step_what what)
{
    return names[what];
}

/* ---- Printing ---------------------------------------------------------------------------------
 */

static void print_section(FILE *file, const struct section *s)
{
    fprintf(file, "%llu+%llu", (unsigned long long)s->start, (unsigned long long)s->length);
    if (s->count > 1)
        fprintf(file, "*%llu/%llu", (unsigned long long)s->count, (unsigned long long)s->stride);
}

static void print_set(FILE *file, unsigned set)
{
    const char *comma = "";
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        if (set >> r & 1) {
            fprintf(file, "%s%u", comma, r);
            comma = ",";
        }
}

static bool has_window(enum step_what what)
{
    return (what >= STEP_DIRECT_LOAD && what <= STEP_COMPARE_AND_SWAP) ||
           (what >= STEP_FLUSH && what <= STEP_UNLOCK) ||
           (what >= STEP_WIN_CREATE && what <= STEP_DETACH);
}

static bool has_target(enum step_what what)
{
    return (what >= STEP_DIRECT_LOAD && what <= STEP_COMPARE_AND_SWAP) || what == STEP_FLUSH ||
           what == STEP_FLUSH_LOCAL || what == STEP_LOCK || what == STEP_UNLOCK;
}

void step_print(FILE *file, const struct step *step)
{
    enum step_what what = step->what;
    fprintf(file, "%s", names[what]);
    if (has_window(what))
        fprintf(file, " w=%u", step->window);
    if (has_target(what) && step->target == TARGET_ALL)
        fprintf(file, " at=all");
    else if (has_target(what))
        fprintf(file, " at=%u", step->target);
    if (what >= STEP_SEND && what <= STEP_RECV) {
        if (step->peer == PEER_ANY)
            fprintf(file, " peer=any");
        else
            fprintf(file, " peer=%u", step->peer);
        fprintf(file, " tag=%u", step->tag);
    }
    if (step_is_collective(what))
        fprintf(file, " comm=%u", step->comm);
    if (what == STEP_BCAST || what == STEP_SCATTER || what == STEP_REDUCE || what == STEP_GATHER)
        fprintf(file, " root=%u", step->root);
    if (step->zero) {
        fprintf(file, " zero=");
        print_set(file, step->zero);
    }
    if (what == STEP_POST || what == STEP_START || what == STEP_THREAD_BARRIER) {
        fprintf(file, " group=");
        print_set(file, step->members);
    }
    if (step_is_of_threads(what))
        fprintf(file, " n=%u", step->number);
    if (what == STEP_LOCK)
        fprintf(file, step->lock == LOCK_EXCLUSIVE ? " exclusive" : " shared");
    if (step->section_count) {
        fprintf(file, " bytes=");
        for (size_t i = 0; i < step->section_count; i++) {
            fprintf(file, i ? "," : "");
            print_section(file, &step->sections[i]);
        }
    }
    if (step->op != ACC_NONE)
        fprintf(file, " op=%s type=%s", op_names[step->op], type_names[step->type]);
    if (step->slot)
        fprintf(file, " req=%u", step->slot);
    if (step->ends)
        fprintf(file, " ends=%u", step->ends);
    if (step->no_precede)
        fprintf(file, " noprecede");
    if (step->reads_buffer) {
        fprintf(file, " reads=");
        print_section(file, &step->read_buffer);
    }
    if (step->writes_buffer) {
        fprintf(file, " writes=");
        print_section(file, &step->write_buffer);
    }
    if (step->site && (step_is_access(what) || step->reads_buffer || step->writes_buffer))
        fprintf(file, " site=%u", step->site);
    fprintf(file, "\n");
}

static void print_header(FILE *file, const struct program *program)
{
    fprintf(file, "ranks %u memory %u%s%s\n", program->ranks, program->memory,
            program->strict_accumulate ? " strict_accumulate" : "",
            program->implicit_world ? " implicit_world" : "");
    for (uint32_t r = 0; r < program->ranks; r++)
        if (program->base[r] != 0x10000)
            fprintf(file, "base %u %#llx\n", r, (unsigned long long)program->base[r]);
    for (uint32_t c = 1; c < MAX_COMMS; c++)
        if (program->comms[c]) {
            fprintf(file, "comm %u ranks ", c);
            print_set(file, program->comms[c]);
            fprintf(file, "\n");
        }
    for (uint32_t w = 0; w < MAX_WINDOWS; w++) {
        const struct program_window *window = &program->windows[w];
        if (!window->exists)
            continue;
        fprintf(file, "window %u ranks ", w);
        print_set(file, window->members);
        fprintf(file, " %s%s at", window_kinds[window->kind], window->same_op ? " same_op" : "");
        const char *comma = " ";
        for (uint32_t r = 0; r < program->ranks; r++)
            if (window->members >> r & 1) {
                fprintf(file, "%s%u+%u", comma, window->at[r], window->size[r]);
                comma = ",";
            }
        fprintf(file, "\n");
    }
}

void program_print(FILE *file, const struct program *program)
{
    print_header(file, program);
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++) {
            const struct step_list *list = &program->lists[r][t];
            if (!list->count)
                continue;
            fprintf(file, "actor %u.%u\n", r, t);
            for (size_t i = 0; i < list->count; i++) {
                fprintf(file, "  ");
                step_print(file, &list->steps[i]);
            }
        }
}

/* ---- Parsing ----------------------------------------------------------------------------------
 */

static bool parse_number(const char **at, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *value = strtoull(*at, &end, 0);
    *at = end;
    return true;
}

static bool parse_section(const char **at, struct section *s)
{
    *s = (struct section){0, 0, 0, 1};
    if (!parse_number(at, &s->start) || *(*at)++ != '+' || !parse_number(at, &s->length))
        return false;
    if (**at != '*')
        return s->length > 0;
    ++*at;
    if (!parse_number(at, &s->count) || *(*at)++ != '/' || !parse_number(at, &s->stride))
        return false;
    return s->length > 0 && s->count > 1 && s->stride > s->length;
}

static bool parse_set(const char **at, uint8_t *set)
{
    uint64_t rank;
    *set = 0;
    do {
        if (!parse_number(at, &rank) || rank >= MAX_RANKS)
            return false;
        *set |= (uint8_t)(1u << rank);
    } while (**at == ',' && ++*at);
    return true;
}

static bool parse_name(const char **at, const char *const *list, size_t count, uint8_t *value)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(list[i]);
        if (!strncmp(*at, list[i], length) && !isalnum((unsigned char)(*at)[length]) &&
            (*at)[length] != '_') {
            *value = (uint8_t)i;
            *at += length;
            return true;
        }
    }
    return false;
}

static bool parse_small(const char **at, uint8_t *value)
{
    uint64_t number;
    if (!strncmp(*at, "all", 3) || !strncmp(*at, "any", 3)) {
        *value = 0xff;
        *at += 3;
        return true;
    }
    if (!parse_number(at, &number) || number >= 0xff)
        return false;
    *value = (uint8_t)number;
    return true;
}

/* If `key` stands at *at, moves past it. */
static bool key_is(const char **at, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(*at, key, length))
        return false;
    *at += length;
    return true;
}

static bool parse_sections(const char **at, struct step *step)
{
    do {
        if (step->section_count == MAX_SECTIONS ||
            !parse_section(at, &step->sections[step->section_count++]))
            return false;
    } while (**at == ',' && ++*at);
    return true;
}

static bool parse_field(const char **at, struct step *step)
{
    uint64_t number;
    if (key_is(at, "w="))
        return parse_small(at, &step->window) && step->window < MAX_WINDOWS;
    if (key_is(at, "at="))
        return parse_small(at, &step->target);
    if (key_is(at, "peer="))
        return parse_small(at, &step->peer);
    if (key_is(at, "comm="))
        return parse_small(at, &step->comm) && step->comm < MAX_COMMS;
    if (key_is(at, "root="))
        return parse_small(at, &step->root);
    if (key_is(at, "zero="))
        return parse_set(at, &step->zero);
    if (key_is(at, "group="))
        return parse_set(at, &step->members);
    if (key_is(at, "n="))
        return parse_small(at, &step->number) && step->number < MAX_FLAGS;
    if (key_is(at, "req="))
        return parse_small(at, &step->slot) && step->slot < MAX_SLOTS;
    if (key_is(at, "ends="))
        return parse_small(at, &step->ends) && step->ends < MAX_SLOTS;
    if (key_is(at, "op="))
        return parse_name(at, op_names, OP_LIMIT, &step->op);
    if (key_is(at, "type="))
        return parse_name(at, type_names, TYPE_KINDS, &step->type);
    if (key_is(at, "bytes="))
        return parse_sections(at, step);
    if (key_is(at, "reads="))
        return step->reads_buffer = parse_section(at, &step->read_buffer);
    if (key_is(at, "writes="))
        return step->writes_buffer = parse_section(at, &step->write_buffer);
    if (key_is(at, "site=") && parse_number(at, &number)) {
        step->site = (uint32_t)number;
        return true;
    }
    if (key_is(at, "tag=") && parse_number(at, &number)) {
        step->tag = (uint16_t)number;
        return true;
    }
    if (key_is(at, "exclusive")) {
        step->lock = LOCK_EXCLUSIVE;
        return true;
    }
    if (key_is(at, "shared")) {
        step->lock = LOCK_SHARED;
        return true;
    }
    if (key_is(at, "noprecede"))
        return step->no_precede = true;
    return false;
}

static void skip_blanks(const char **at)
{
    while (**at == ' ' || **at == '\t')
        ++*at;
}

static bool line_over(const char **at)
{
    skip_blanks(at);
    return !**at || **at == '\n' || **at == '#';
}

static bool parse_step(const char **at, struct step *step)
{
    uint8_t what;
    memset(step, 0, sizeof *step);
    if (!parse_name(at, names, STEP_KINDS, &what))
        return false;
    step->what = what;
    while (!line_over(at))
        if (!parse_field(at, step))
            return false;
    return true;
}

static bool parse_window(const char **at, struct program *program)
{
    uint64_t number;
    uint8_t kind;
    if (!parse_number(at, &number) || number >= MAX_WINDOWS)
        return false;
    struct program_window *window = &program->windows[number];
    window->exists = true;
    skip_blanks(at);
    if (!key_is(at, "ranks ") || !parse_set(at, &window->members))
        return false;
    while (!line_over(at)) {
        if (parse_name(at, window_kinds, 3, &kind)) {
            window->kind = kind;
        } else if (key_is(at, "same_op")) {
            window->same_op = true;
        } else if (key_is(at, "at ")) {
            for (uint32_t r = 0; r < program->ranks; r++) {
                uint64_t start, size;
                if (!(window->members >> r & 1))
                    continue;
                if (!parse_number(at, &start) || *(*at)++ != '+' || !parse_number(at, &size) ||
                    start + size > program->memory)
                    return false;
                window->at[r] = (uint16_t)start;
                window->size[r] = (uint16_t)size;
                if (**at == ',')
                    ++*at;
            }
        } else {
            return false;
        }
    }
    return true;
}

static bool parse_header(const char **at, struct program *program)
{
    uint64_t ranks, memory;
    if (!parse_number(at, &ranks) || !ranks || ranks > MAX_RANKS)
        return false;
    skip_blanks(at);
    if (!key_is(at, "memory ") || !parse_number(at, &memory) || memory > MAX_MEMORY)
        return false;
    program_init(program, (uint32_t)ranks, (uint32_t)memory);
    while (!line_over(at)) {
        if (key_is(at, "strict_accumulate"))
            program->strict_accumulate = true;
        else if (key_is(at, "implicit_world"))
            program->implicit_world = true;
        else
            return false;
    }
    return true;
}

static bool parse_line(const char **at, struct program *program, uint32_t *rank, uint32_t *thread)
{
    uint64_t number, second;
    struct step step;
    if (key_is(at, "ranks "))
        return parse_header(at, program);
    if (!program->ranks)
        return false;
    if (key_is(at, "window "))
        return parse_window(at, program);
    if (key_is(at, "base ")) {
        if (!parse_number(at, &number) || number >= MAX_RANKS)
            return false;
        skip_blanks(at);
        return parse_number(at, &program->base[number]);
    }
    if (key_is(at, "comm ")) {
        if (!parse_number(at, &number) || number >= MAX_COMMS)
            return false;
        skip_blanks(at);
        return key_is(at, "ranks ") && parse_set(at, &program->comms[number]);
    }
    if (key_is(at, "actor *")) {
        *rank = RANK_ALL;
        *thread = 0;
        return true;
    }
    if (key_is(at, "actor ")) {
        if (!parse_number(at, &number) || *(*at)++ != '.' || !parse_number(at, &second) ||
            number >= program->ranks || second >= MAX_THREADS)
            return false;
        *rank = (uint32_t)number;
        *thread = (uint32_t)second;
        return true;
    }
    if (!parse_step(at, &step))
        return false;
    for (uint32_t r = 0; r < program->ranks; r++)
        if (*rank == RANK_ALL || *rank == r)
            program_append(program, r, *thread, &step);
    return true;
}

bool program_parse(struct program *program, const char *text, const char **rest)
{
    uint32_t rank = 0, thread = 0;
    const char *at = text;
    memset(program, 0, sizeof *program);
    while (*at) {
        const char *line = at;
        if (!line_over(&at)) {
            if (key_is(&at, "end"))
                break;
            if (!parse_line(&at, program, &rank, &thread) || !line_over(&at)) {
                fprintf(stderr, "not understood: %.*s\n", (int)strcspn(line, "\n"), line);
                program_clear(program);
                return false;
            }
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (rest)
        *rest = at;
    return program->ranks > 0;
}
