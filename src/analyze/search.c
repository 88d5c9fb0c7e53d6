/* Local search, as for linear integer arithmetic in SMT solvers (S. Cai, B. Li, X. Zhang, CAV
 * 2022): something that does not hold is chosen, and one of its unknowns gets the nearest value
 * with which it does; the one is taken that breaks least. What does not hold in a dead end weighs
 * more from then on. */
#include "search.h"

enum { UNKNOWNS = 192, UNITS = 256, STEPS = 160 };

/* An inequality, or a choice of two lists of them: it holds or not. */
struct unit {
    const struct inequality *alone;
    const struct choice *choice;
    unsigned weight;
    bool holds;
};

struct range {
    int64_t low, high;
};

typedef uint64_t unit_set[UNITS / 64];

struct search {
    const struct proof *proof;
    unsigned nunits;
    struct unit units[UNITS];
    struct range ranges[UNKNOWNS];
    int64_t values[UNKNOWNS];
    unit_set users[UNKNOWNS]; /* units that the unknown is in */
    bool full;                /* too much for this: gives up */
};

/* ---- what there is ---- */

static struct range range_of(const struct proof_symbol *symbol)
{
    enum { FEW_PROCESSES = 64, SMALL = 5000, LARGE = 1000000000 };
    switch (symbol->kind) {
    case PROOF_size:
        return (struct range){1, FEW_PROCESSES};
    case PROOF_value:
    case PROOF_counter:
    case PROOF_rank:
        return (struct range){0, SMALL};
    case PROOF_switch:
        return (struct range){0, 1};
    case PROOF_expression:
    case PROOF_derived:
        break;
    }
    return (struct range){-LARGE, LARGE};
}

static int64_t first_value(const struct proof_symbol *symbol)
{
    switch (symbol->kind) {
    case PROOF_size:
        return FIRST_SIZE;
    case PROOF_value:
        return 1;
    default:
        return 0;
    }
}

static void note_users(struct search *search, const struct inequality *inequality, unsigned unit)
{
    for (unsigned i = 0; i < inequality->sum.count; i++)
        for (unsigned k = 0; k < POLYNOMIAL_DEGREE && inequality->sum.terms[i].symbols[k]; k++)
            search->users[inequality->sum.terms[i].symbols[k] - 1][unit / 64] |= (uint64_t)1
                                                                                 << unit % 64;
}

static struct unit *new_unit(struct search *search)
{
    if (search->nunits == UNITS) {
        search->full = true;
        return NULL;
    }
    struct unit *unit = &search->units[search->nunits++];
    *unit = (struct unit){.weight = 1};
    return unit;
}

static void add_list(struct search *search, const inequality_list *list)
{
    for EACH (inequality, list) {
        struct unit *unit = new_unit(search);
        if (!unit)
            return;
        unit->alone = inequality;
        note_users(search, inequality, search->nunits - 1);
    }
}

static void add_choices(struct search *search, const struct choice *choices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct unit *unit = new_unit(search);
        if (!unit)
            return;
        unit->choice = &choices[i];
        for EACH (inequality, &choices[i].either)
            note_users(search, inequality, search->nunits - 1);
        for EACH (inequality, &choices[i].other)
            note_users(search, inequality, search->nunits - 1);
    }
}

/* ---- whether it holds ---- */

static __int128 value_of(const struct search *search, const struct polynomial *sum)
{
    __int128 result = 0;
    for (unsigned i = 0; i < sum->count; i++) {
        __int128 product = sum->terms[i].factor;
        for (unsigned k = 0; k < POLYNOMIAL_DEGREE && sum->terms[i].symbols[k]; k++)
            product *= search->values[sum->terms[i].symbols[k] - 1];
        result += product;
    }
    return result;
}

static bool inequality_holds(const struct search *search, const struct inequality *inequality)
{
    __int128 value = value_of(search, &inequality->sum);
    return inequality->relation == IS_ZERO ? value == 0 : value >= 0;
}

static bool list_holds(const struct search *search, const inequality_list *list)
{
    for EACH (inequality, list)
        if (!inequality_holds(search, inequality))
            return false;
    return true;
}

static bool unit_holds(const struct search *search, const struct unit *unit)
{
    return unit->alone ? inequality_holds(search, unit->alone)
                       : list_holds(search, &unit->choice->either) ||
                             list_holds(search, &unit->choice->other);
}

/* ---- moves ---- */

struct move {
    unsigned unknown;
    int64_t value;
    long gain;
    bool possible;
};

/* What is gained if the unknown gets this value: weights of what holds then, less what no longer
 * does. */
static long gain_of(struct search *search, unsigned unknown, int64_t value)
{
    long gain = 0;
    int64_t before = search->values[unknown];
    search->values[unknown] = value;
    for (unsigned word = 0; word * 64 < search->nunits; word++)
        for (uint64_t left = search->users[unknown][word]; left; left &= left - 1) {
            const struct unit *unit = &search->units[word * 64 + (unsigned)__builtin_ctzll(left)];
            gain += (long)unit->weight * (unit_holds(search, unit) - unit->holds);
        }
    search->values[unknown] = before;
    return gain;
}

static void make_move(struct search *search, const struct move *move)
{
    search->values[move->unknown] = move->value;
    for (unsigned word = 0; word * 64 < search->nunits; word++)
        for (uint64_t left = search->users[move->unknown][word]; left; left &= left - 1) {
            struct unit *unit = &search->units[word * 64 + (unsigned)__builtin_ctzll(left)];
            unit->holds = unit_holds(search, unit);
        }
}

/* a / b, rounded up or down. */
static __int128 quotient(__int128 a, __int128 b, bool up)
{
    __int128 result = a / b;
    if (a % b && (a % b < 0) == (b < 0) && up)
        return result + 1;
    if (a % b && (a % b < 0) != (b < 0) && !up)
        return result - 1;
    return result;
}

/* The sum as factor·unknown + rest; false if the unknown is in it squared. */
static bool split_sum(struct search *search, const struct polynomial *sum, unsigned unknown,
                      __int128 *factor, __int128 *rest)
{
    int64_t before = search->values[unknown];
    for (unsigned i = 0; i < sum->count; i++) {
        unsigned times = 0;
        for (unsigned k = 0; k < POLYNOMIAL_DEGREE; k++)
            times += sum->terms[i].symbols[k] == unknown + 1;
        if (times > 1)
            return false;
    }
    search->values[unknown] = 0;
    *rest = value_of(search, sum);
    search->values[unknown] = 1;
    *factor = value_of(search, sum) - *rest;
    search->values[unknown] = before;
    return *factor != 0;
}

/* The nearest value of the unknown with which the inequality holds. */
static void try_unknown(struct search *search, const struct inequality *inequality,
                        unsigned unknown, struct move *best)
{
    __int128 factor, rest, value;
    if (!split_sum(search, &inequality->sum, unknown, &factor, &rest))
        return;
    if (inequality->relation == IS_ZERO && rest % factor)
        return;
    value = quotient(-rest, factor, factor > 0);
    const struct range *range = &search->ranges[unknown];
    if (value < range->low || value > range->high || value == search->values[unknown])
        return;
    long gain = gain_of(search, unknown, (int64_t)value);
    if (!best->possible || gain > best->gain)
        *best = (struct move){unknown, (int64_t)value, gain, true};
}

static void try_inequality(struct search *search, const struct inequality *inequality,
                           struct move *best)
{
    if (inequality_holds(search, inequality))
        return;
    for (unsigned i = 0; i < inequality->sum.count; i++)
        for (unsigned k = 0; k < POLYNOMIAL_DEGREE && inequality->sum.terms[i].symbols[k]; k++)
            try_unknown(search, inequality, inequality->sum.terms[i].symbols[k] - 1u, best);
}

static struct move best_move(struct search *search, const struct unit *unit)
{
    struct move best = {.possible = false};
    if (unit->alone) {
        try_inequality(search, unit->alone, &best);
        return best;
    }
    for EACH (inequality, &unit->choice->either)
        try_inequality(search, inequality, &best);
    for EACH (inequality, &unit->choice->other)
        try_inequality(search, inequality, &best);
    return best;
}

/* ---- the way ---- */

static bool walk(struct search *search)
{
    unsigned next = 0;
    for (unsigned i = 0; i < search->nunits; i++)
        search->units[i].holds = unit_holds(search, &search->units[i]);
    for (unsigned step = 0; step < STEPS; step++) {
        struct move best = {.possible = false};
        unsigned broken = 0;
        enum { LOOKED_AT = 4 };
        for (unsigned i = 0; i < search->nunits && broken < LOOKED_AT; i++) {
            const struct unit *unit = &search->units[(next + i) % search->nunits];
            if (unit->holds)
                continue;
            broken++;
            struct move move = best_move(search, unit);
            if (move.possible && (!best.possible || move.gain > best.gain))
                best = move;
        }
        if (!broken)
            return true;
        if (!best.possible || best.gain <= 0)
            for (unsigned i = 0; i < search->nunits; i++)
                search->units[i].weight += !search->units[i].holds;
        if (best.possible)
            make_move(search, &best);
        next = (next + 7) % search->nunits;
    }
    return false;
}

/* What no inequality is about but its own bounds may be anything: operands of what is not
 * understood, mostly. */
static bool matters(const struct search *search, size_t unknown)
{
    for (unsigned word = 0; word * 64 < search->nunits; word++)
        for (uint64_t left = search->users[unknown][word]; left; left &= left - 1) {
            const struct unit *unit = &search->units[word * 64 + (unsigned)__builtin_ctzll(left)];
            if (!unit->alone || unit->alone->sum.count > 2 ||
                (unit->alone->sum.count == 2 && unit->alone->sum.terms[0].symbols[0] &&
                 unit->alone->sum.terms[1].symbols[0]))
                return true;
        }
    return false;
}

static enum searched examples_of(const struct search *search, struct draw *found)
{
    enum { ATTEMPTS = 6 };
    bool given[UNKNOWNS];
    if (example_from(search->proof, search->values, NULL, 0, found))
        return SEARCHED_found;
    for (size_t i = 0; i < search->proof->symbols.count; i++)
        given[i] = matters(search, i);
    for (uint64_t seed = 1; seed <= ATTEMPTS; seed++)
        if (example_from(search->proof, search->values, given, seed, found))
            return SEARCHED_found;
    return SEARCHED_unfit;
}

enum searched search_example(const struct proof *proof, const inequality_list *more,
                             struct draw *found)
{
    static _Thread_local struct search search;
    size_t count = proof->symbols.count;
    if (count > UNKNOWNS || proof->known.hopeless)
        return SEARCHED_in_vain;
    search.proof = proof;
    search.nunits = 0;
    search.full = false;
    memset(search.users, 0, count * sizeof search.users[0]);
    for (size_t i = 0; i < count; i++) {
        search.ranges[i] = range_of(&proof->symbols.items[i]);
        search.values[i] = first_value(&proof->symbols.items[i]);
    }
    add_list(&search, &proof->known.all);
    if (more)
        add_list(&search, more);
    add_choices(&search, proof->known.choices.items, proof->known.choices.count);
    add_choices(&search, proof->known.finer.items, proof->known.finer.count);
    return !search.full && walk(&search) ? examples_of(&search, found) : SEARCHED_in_vain;
}

/* ---- from numbers to an example ---- */

static void take_symbol(struct draw *draw, const struct proof_symbol *symbol, int64_t value)
{
    switch (symbol->kind) {
    case PROOF_value:
        draw_give(draw, (LLVMValueRef)symbol->key, symbol->shared, symbol->side, value);
        return;
    case PROOF_counter: {
        enum side side = symbol->side;
        bool both = symbol->shared;
        draw_give_iteration(draw, both ? THEN : side, symbol->number, value);
        if (both)
            draw_give_iteration(draw, NOW, symbol->number, value);
        return;
    }
    case PROOF_rank:
        draw->ranks[symbol->side] = value;
        if (symbol->shared)
            draw->ranks[THEN] = draw->ranks[NOW] = value;
        draw->rank = draw->ranks[THEN];
        return;
    case PROOF_size:
        draw->size = value;
        return;
    case PROOF_expression:
    case PROOF_derived:
    case PROOF_switch:
        return; /* follow from the others */
    }
}

bool example_from(const struct proof *proof, const int64_t *values, const bool *given,
                  uint64_t seed, struct draw *found)
{
    draw_open(found, proof->moments, seed);
    for (size_t i = 0; i < proof->symbols.count; i++)
        if (!given || given[i])
            take_symbol(found, &proof->symbols.items[i], values[i]);
    return draw_satisfied(found);
}
