/* Bytes of window memory that two accesses touch: of RMA operations and of the target itself. */
#include "bytes.h"
#include "solve.h"

struct remote_question {
    const struct remote_access *accesses[2];
    struct example example;
    bool inexact;
    struct draw witness;
};

/* The same as sums. */
struct remote_span {
    struct polynomial target, start, end;
    bool known, dense, constant; /* constant: so many elements whatever the input is */
};

static struct remote_span remote_span(struct proof *proof, enum side side,
                                      const struct remote_access *access)
{
    struct bridge *bridge = proof->moments->function->bridge;
    const struct event *event = access->event;
    const struct layout *layout = access->buffer ? &access->buffer->element : &access->target_type;
    struct polynomial at, count = polynomial_constant(1);
    struct remote_span span = {.known = layout->known, .dense = layout_is_dense(layout)};
    int64_t unit = 1;
    LLVMValueRef counted =
        access->buffer ? access->buffer->count : event_argument(event, ROLE_target_count);
    if (counted)
        count = proof_value(proof, side, counted);
    span.constant = polynomial_is_constant(&count, &unit);
    if (access->buffer) {
        span.known &= access->buffer->blocks == BLOCKS_one;
        span.target = proof_rank(proof, side);
        expression address = bridge_expression(bridge, access->buffer->address);
        at = proof_expression(proof, side, bridge_offset(bridge, address));
        if (access->base) {
            expression base = bridge_expression(bridge, access->base);
            struct polynomial zero = proof_expression(proof, side, bridge_offset(bridge, base));
            at = polynomial_difference(&at, &zero);
        }
    } else {
        unit = LLVMConstIntGetSExtValue(access->unit);
        span.target = proof_value(proof, side, event_argument(event, ROLE_target));
        at = proof_value(proof, side, event_argument(event, ROLE_target_disp));
        at = polynomial_scaled(&at, unit);
    }
    layout_hull(layout, &at, &count, &span.start, &span.end);
    struct polynomial one = polynomial_constant(1);
    inequalities_at_most(&proof->known.all, &one, &count);
    return span;
}

/* What is known about both moments, and in `meet` that they touch the same bytes of the same rank.
 * False if that cannot be said. */
static bool say_that_they_meet(struct proof *proof, const struct moments *moments,
                               const struct remote_question *question, inequality_list *meet)
{
    proof_open(proof, moments, NULL);
    struct remote_span a = remote_span(proof, THEN, question->accesses[THEN]);
    struct remote_span b = remote_span(proof, NOW, question->accesses[NOW]);
    inequalities_equal(meet, &a.target, &b.target);
    inequalities_less(meet, &a.start, &b.end);
    inequalities_less(meet, &b.start, &a.end);
    return a.known && b.known;
}

static bool proved_apart(const struct moments *moments, const struct remote_question *question)
{
    struct proof proof;
    inequality_list meet = {0};
    bool apart = say_that_they_meet(&proof, moments, question, &meet) &&
                 inequalities_exclude(&proof.known, &meet);
    DROP(&meet);
    proof_close(&proof);
    return apart;
}

static void add_target_exists(struct proof *proof, inequality_list *list, enum side side,
                              const struct remote_access *access)
{
    if (access->buffer)
        return;
    struct polynomial target = proof_value(proof, side, event_argument(access->event, ROLE_target));
    struct polynomial zero = polynomial_constant(0), size = proof_size(proof);
    inequalities_at_most(list, &zero, &target);
    inequalities_less(list, &target, &size);
}

/* The solver's example for the fewest processes with which they meet. */
static bool solved_to_meet(const struct moments *moments, const struct remote_question *question,
                           struct draw *found)
{
    struct proof proof;
    inequality_list meet = {0};
    bool any = false;
    if (say_that_they_meet(&proof, moments, question, &meet)) {
        add_target_exists(&proof, &meet, THEN, question->accesses[THEN]);
        add_target_exists(&proof, &meet, NOW, question->accesses[NOW]);
        struct draw example;
        struct polynomial size = proof_size(&proof);
        while (solve_example(&proof, &meet, &example) == SOLVED_found) {
            any = true;
            *found = example;
            struct polynomial limit = polynomial_constant(example.size);
            inequalities_less(&meet, &size, &limit);
        }
    }
    DROP(&meet);
    proof_close(&proof);
    return any;
}

/* Whether one process among so many can come to this moment: the program can be run with them. */
static bool makes_sense_with(const struct moments *moments, enum side side,
                             const struct remote_access *access, int64_t size)
{
    condition_list conditions = {0};
    for (size_t i = 0; i < moments->nconditions; i++)
        if (moments->conditions[i].side == side) {
            APPEND(&conditions, moments->conditions[i]);
            conditions.items[conditions.count - 1].side = THEN;
        }
    unsigned block = side == THEN ? moments->then_block : moments->now_block;
    struct moments alone = {.function = moments->function,
                            .then_block = block,
                            .now_block = block,
                            .conditions = conditions.items,
                            .nconditions = conditions.count};
    struct proof proof;
    struct draw found;
    inequality_list more = {0};
    proof_open(&proof, &alone, NULL);
    struct polynomial all = proof_size(&proof), number = polynomial_constant(size);
    inequalities_equal(&more, &all, &number);
    add_target_exists(&proof, &more, THEN, access);
    enum solved solved = solve_example(&proof, &more, &found);
    bool sense = solved != SOLVED_none && !inequalities_exclude(&proof.known, &more);
    proof_close(&proof);
    DROP(&more);
    DROP(&conditions);
    return sense;
}

/* Whether the program cannot be run with fewer processes than the example has: a program that can,
 * and does not race then, may be meant for that. */
static bool needs_so_many(const struct moments *moments, const struct remote_question *question,
                          int64_t size)
{
    for (int64_t fewer = FIRST_SIZE; fewer < size; fewer++)
        if (makes_sense_with(moments, THEN, question->accesses[THEN], fewer) &&
            makes_sense_with(moments, NOW, question->accesses[NOW], fewer))
            return false;
    return true;
}

/* They meet in the witness: do they whatever the input is, for these ranks and iterations? */
static bool proved_to_meet(const struct remote_question *question)
{
    struct proof proof;
    int64_t number;
    proof_open(&proof, question->witness.moments, &question->witness);
    struct remote_span a = remote_span(&proof, THEN, question->accesses[THEN]);
    struct remote_span b = remote_span(&proof, NOW, question->accesses[NOW]);
    struct polynomial distance = polynomial_difference(&b.start, &a.start);
    bool meet = a.known && b.known && proof_equal(&proof, &a.target, &b.target);
    if (meet && !(a.constant && b.constant && polynomial_is_constant(&distance, &number))) {
        struct polynomial first = polynomial_plus(&a.start, 1);
        struct polynomial second = polynomial_plus(&b.start, 1);
        meet = a.dense && b.dense && proof_at_most(&proof, &first, &b.end) &&
               proof_at_most(&proof, &second, &a.end);
    }
    proof_close(&proof);
    return meet;
}

/* The rank whose window is touched, and the bytes of it. */
static bool remote_bytes(struct draw *draw, enum side side, const struct remote_access *access,
                         int64_t *target, struct bytes *bytes)
{
    const struct event *event = access->event;
    int64_t disp, unit, count = 1;
    draw->side = side;
    if (access->buffer) {
        *target = draw->ranks[side];
        if (!buffer_bytes(draw, side, event, access->buffer, bytes))
            return false;
        int64_t start = 0;
        struct bridge *bridge = draw->moments->function->bridge;
        if (access->base &&
            !draw_expression(draw, bridge_offset(bridge, bridge_expression(bridge, access->base)),
                             &start))
            return false;
        for (unsigned i = 0; i < bytes->count; i++)
            bytes->sections[i].start -= (uint64_t)start;
        return true;
    }
    LLVMValueRef target_count = event_argument(event, ROLE_target_count);
    bytes->count = 0;
    bytes->exact = access->target_type.known;
    bytes->swept_loop = -1;
    int64_t nobody = draw->moments->function->flavour == FLAVOUR_openmpi ? -2 : -1;
    if (!draw_value(draw, event_argument(event, ROLE_target), target) ||
        !draw_value(draw, event_argument(event, ROLE_target_disp), &disp) ||
        !draw_value(draw, access->unit, &unit) ||
        (target_count && !draw_value(draw, target_count, &count)))
        return false;
    if (*target == nobody || count <= 0 || !access->target_type.known)
        return access->target_type.known;
    const struct layout *type = &access->target_type;
    if (layout_is_dense(type)) {
        bytes_add(bytes, disp * unit, type->extent * count, 0, 1);
        return true;
    }
    for (int64_t i = 0; i < count && i < 32; i++)
        for (unsigned r = 0; r < type->nruns; r++)
            bytes_add(bytes, disp * unit + i * type->extent + type->runs[r].offset,
                      type->runs[r].length, type->runs[r].stride, type->runs[r].count);
    return true;
}

static enum outcome remote_here(struct draw *draw, void *context)
{
    struct remote_question *question = context;
    struct bytes bytes[2];
    int64_t targets[2];
    for (int side = THEN; side <= NOW; side++)
        if (!remote_bytes(draw, side, question->accesses[side], &targets[side], &bytes[side])) {
            question->inexact = true;
            return NO;
        }
    if (targets[THEN] < 0 || targets[THEN] >= draw->size || targets[NOW] < 0 ||
        targets[NOW] >= draw->size)
        return INVALID;
    if (targets[THEN] != targets[NOW])
        return NO;
    for (unsigned i = 0; i < bytes[THEN].count; i++)
        for (unsigned k = 0; k < bytes[NOW].count; k++)
            if (section_overlaps(&bytes[THEN].sections[i], &bytes[NOW].sections[k], NULL)) {
                question->example = example_of(draw);
                question->inexact |= !bytes[THEN].exact || !bytes[NOW].exact;
                question->witness = *draw;
                return YES;
            }
    return NO;
}

/* Which bytes a datatype that cannot be seen covers is anybody's guess. */
static bool is_understood(const struct remote_access *access)
{
    return access->buffer ? access->buffer->element.known : access->target_type.known;
}

static enum outcome proved_here(struct draw *draw, void *context)
{
    struct remote_question *question = context;
    return remote_here(draw, question) == YES && !question->inexact && proved_to_meet(question)
               ? YES
               : NO;
}

/* Two accesses by one process: an example, and the proof that the input does not matter. */
static enum answer overlap_of_one(const struct moments *moments, struct remote_question *question,
                                  struct example *example, bool *proved)
{
    enum { ATTEMPTS = 56 };
    struct draw found;
    *proved = find_draw(moments, ATTEMPTS, proved_here, question, &found) ||
              (solved_to_meet(moments, question, &found) && proved_here(&found, question) == YES);
    *example = question->example;
    return *proved ? ALWAYS : SOMETIMES;
}

enum answer remote_overlap(const struct moments *moments, const struct remote_access *then_access,
                           const struct remote_access *now_access, struct example *example,
                           bool *proved)
{
    struct remote_question question = {.accesses = {then_access, now_access}};
    unsigned yes = 0, no = 0;
    *proved = false;
    if (!is_understood(then_access) || !is_understood(now_access) ||
        proved_apart(moments, &question))
        return NEVER;
    if (!moments->aligned)
        return overlap_of_one(moments, &question, example, proved);
    /* A program may be written for a certain number of processes. What races must do so with
     * every number for which it makes sense at all. */
    struct draw fewest;
    for (int64_t size = FIRST_SIZE; size < FIRST_SIZE + SIZES; size++)
        for (uint64_t seed = 0; seed < SEEDS && !no; seed++) {
            enum outcome outcome = each_draw_of_size(moments, seed, size, remote_here, &question);
            if (outcome == YES && !yes)
                fewest = question.witness;
            yes += outcome == YES;
            no += outcome == NO;
        }
    /* No number that was tried makes sense. What is not proved in the solver's example may well be
     * its own idea. */
    bool solved = !yes && !no && solved_to_meet(moments, &question, &fewest);
    if (solved)
        yes = proved_here(&fewest, &question) == YES;
    if (!yes)
        return NEVER;
    *example = example_of(&fewest);
    question.witness = fewest;
    *proved = !no && !question.inexact && proved_to_meet(&question) &&
              needs_so_many(moments, &question, fewest.size);
    return no || question.inexact ? SOMETIMES : ALWAYS;
}
