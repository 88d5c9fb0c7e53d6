#include "conflict_table.h"
#include "mutants.h"

/* What a kind counts as in the table. */
enum role { LOAD, STORE, GET, PUT, ACC, ATOMIC_READ, IN_USE_READ, IN_USE_WRITE, ROLES };

static enum role role_of(const struct access *access)
{
    switch (access->kind) {
    case ACCESS_LOAD:
        return LOAD;
    case ACCESS_STORE:
        return STORE;
    case ACCESS_GET:
        return GET;
    case ACCESS_PUT:
        return PUT;
    case ACCESS_BUFFER_READ:
        return IN_USE_READ;
    case ACCESS_BUFFER_WRITE:
        return IN_USE_WRITE;
    default:
        return access->op == ACC_NO_OP && !MUTANT(no_op_is_update) ? ATOMIC_READ : ACC;
    }
}

enum verdict {
    OK,      /* never a conflict */
    RACE,    /* always one */
    THREADS, /* of two threads or two processes: one; program order excludes the rest */
    ATOMIC,  /* one unless the two accumulates are atomic to each other */
    INUSE,   /* the business of inuse.h, not of the engine */
};

#ifdef REGATTA_MUTANTS
#define CELL(row, column, verdict) (MUTANT(cell_##row##_##column) ? OK : verdict)
#else
#define CELL(row, column, verdict) (verdict)
#endif

/* The table, by roles in ascending order (row <= column). */
static enum verdict verdict_of(enum role row, enum role column)
{
    switch (row * ROLES + column) {
#define PAIR(row, column) ((row) * ROLES + (column))
    case PAIR(LOAD, STORE):
        return CELL(load, store, THREADS);
    case PAIR(STORE, STORE):
        return CELL(store, store, THREADS);
    case PAIR(LOAD, PUT):
        return CELL(load, put, RACE);
    case PAIR(LOAD, ACC):
        return CELL(load, acc, RACE);
    case PAIR(STORE, GET):
        return CELL(store, get, RACE);
    case PAIR(STORE, PUT):
        return CELL(store, put, RACE);
    case PAIR(STORE, ACC):
        return CELL(store, acc, RACE);
    case PAIR(STORE, ATOMIC_READ):
        return CELL(store, atomic_read, RACE);
    case PAIR(GET, PUT):
        return CELL(get, put, RACE);
    case PAIR(GET, ACC):
        return CELL(get, acc, RACE);
    case PAIR(PUT, PUT):
        return CELL(put, put, RACE);
    case PAIR(PUT, ACC):
        return CELL(put, acc, RACE);
    case PAIR(PUT, ATOMIC_READ):
        return CELL(put, atomic_read, RACE);
    case PAIR(ACC, ACC):
        return CELL(acc, acc, ATOMIC);
    case PAIR(ACC, ATOMIC_READ):
        return CELL(acc, atomic_read, ATOMIC);
    case PAIR(GET, IN_USE_WRITE):
        return CELL(get, buffer_write, RACE);
    case PAIR(PUT, IN_USE_READ):
        return CELL(put, buffer_read, RACE);
    case PAIR(PUT, IN_USE_WRITE):
        return CELL(put, buffer_write, RACE);
    case PAIR(ACC, IN_USE_READ):
        return CELL(acc, buffer_read, RACE);
    case PAIR(ACC, IN_USE_WRITE):
        return CELL(acc, buffer_write, RACE);
    case PAIR(ATOMIC_READ, IN_USE_WRITE):
        return CELL(atomic_read, buffer_write, RACE);
    case PAIR(LOAD, IN_USE_WRITE):
    case PAIR(STORE, IN_USE_READ):
    case PAIR(STORE, IN_USE_WRITE):
    case PAIR(IN_USE_READ, IN_USE_WRITE):
    case PAIR(IN_USE_WRITE, IN_USE_WRITE):
        return INUSE;
    default:
        return OK;
    }
#undef PAIR
}

static enum verdict verdict_for(const struct access *a, const struct access *b)
{
    /* Loads and stores of one thread are in program order, however they arrive here. */
    if (a->kind <= ACCESS_STORE && b->kind <= ACCESS_STORE && a->rank == b->rank &&
        a->thread == b->thread)
        return OK;
    enum role x = role_of(a), y = role_of(b);
    return x <= y ? verdict_of(x, y) : verdict_of(y, x);
}

bool rules_kinds_conflict(const struct access *a, const struct access *b)
{
    enum verdict verdict = verdict_for(a, b);
    if (verdict == INUSE) /* a direct access by another process is nobody else's business */
        return a->rank != b->rank;
    return verdict != OK;
}

/* Cuts a section whose stride is no multiple of the element size into sections that are: at most
 * type_size of them (MPI's types are small). Returns their number. */
enum { MAX_PHASES = 64 };

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static size_t by_phase(const struct section *section, uint64_t size,
                       struct section parts[MAX_PHASES])
{
    uint64_t phases = section->count > 1 ? size / common_divisor(section->stride, size) : 1;
    if (phases > section->count)
        phases = section->count;
    if (phases > MAX_PHASES)
        phases = 1; /* no basic type is that large */
    for (uint64_t i = 0; i < phases; i++) {
        uint64_t count = (section->count - i - 1) / phases + 1;
        parts[i] = (struct section){section->start + i * section->stride, section->length,
                                    count > 1 ? section->stride * phases : 0, count};
    }
    return phases;
}

/* Whether two elements overlap without being the same bytes. */
static bool elements_cross(const struct section *a, const struct section *b, uint64_t size,
                           struct section *common)
{
    if (size <= 1)
        return false;
    struct section parts_a[MAX_PHASES], parts_b[MAX_PHASES];
    size_t count_a = by_phase(a, size, parts_a), count_b = by_phase(b, size, parts_b);
    for (size_t i = 0; i < count_a; i++)
        for (size_t k = 0; k < count_b; k++) {
            uint64_t x = parts_a[i].start, y = parts_b[k].start;
            if ((x > y ? x - y : y - x) % size &&
                section_overlaps(&parts_a[i], &parts_b[k], common))
                return true;
        }
    return false;
}

static bool ops_go_together(const struct access *a, const struct access *b, bool strict)
{
    if (a->op == b->op)
        return true;
    /* MPI keeps the accumulates of one process to one location in order (accumulate_ordering). */
    if (a->rank == b->rank && !MUTANT(own_ops_conflict))
        return true;
    if ((a->op == ACC_CAS || b->op == ACC_CAS) && !strict)
        return !MUTANT(cas_is_strict);
    if (a->op == ACC_NO_OP || b->op == ACC_NO_OP)
        return (!a->same_op && !b->same_op) || MUTANT(same_op_ignored);
    return MUTANT(any_op_atomic);
}

bool rules_conflict(const struct access *a, const struct section *bytes_of_a,
                    const struct access *b, const struct section *bytes_of_b, bool strict,
                    enum race_rule *rule, struct section *common)
{
    enum verdict verdict = verdict_for(a, b);
    bool processes = a->rank != b->rank;
    if (verdict == INUSE)
        verdict = processes ? RACE : OK;
    if (verdict == OK || !section_overlaps(bytes_of_a, bytes_of_b, common))
        return false;
    if (verdict == THREADS) {
        *rule = processes ? RACE_SHARED : RACE_THREAD;
        return true;
    }
    if (verdict == ATOMIC) {
        *rule = RACE_ATOMICITY;
        if ((a->type != b->type && !MUTANT(any_type_atomic)) || !ops_go_together(a, b, strict))
            return true;
        return !MUTANT(alignment_ignored) &&
               elements_cross(bytes_of_a, bytes_of_b, a->type_size, common);
    }
    *rule = (a->kind <= ACCESS_STORE || a->kind >= ACCESS_BUFFER_READ) &&
                    (b->kind <= ACCESS_STORE || b->kind >= ACCESS_BUFFER_READ)
                ? RACE_SHARED
                : RACE_REMOTE;
    return true;
}

bool rules_locks_exclude(enum lock_type a, enum lock_type b)
{
    if (MUTANT(no_lock_exclusion))
        return false;
    if (MUTANT(shared_locks_exclude))
        return a != LOCK_NONE && b != LOCK_NONE;
    return (a == LOCK_EXCLUSIVE && b != LOCK_NONE) || (b == LOCK_EXCLUSIVE && a != LOCK_NONE);
}
