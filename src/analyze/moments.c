#include "moments.h"

#include "alias.h"
#include "bytes.h"
#include "search.h"
#include "solve.h"
#include "versions.h"

static LLVMValueRef base_of(const struct moments *moments, LLVMValueRef address)
{
    expression e = bridge_expression(moments->function->bridge, address);
    return e ? bridge_base(moments->function->bridge, e) : NULL;
}

/* Pointers that were loaded from elements of one array, `buffers[i]` then and `buffers[k]` now, are
 * the same if the elements are. What must be equal for that: */
struct links {
    unsigned count;
    struct link {
        expression offsets[2];
    } items[4];
};

/* Whether the version of memory that both loads see is one: it was not made anew in between. */
static bool version_is_shared(const struct moments *moments, struct version version)
{
    return version.scope < 0 || (!moments->aligned && moments_in_loop(moments, version.scope) &&
                                 !moments_gone_round(moments, version.scope));
}

static enum alias bases(const struct moments *moments, LLVMValueRef then_base,
                        LLVMValueRef now_base, struct links *links);

/* What a loop has put into an array stays there until the loop is come to again. */
static struct version version_kept_by(const struct function *function, LLVMValueRef store)
{
    int loop = bridge_loop(function->bridge, LLVMGetInstructionParent(store));
    return (struct version){.writer = store, .scope = bridge_loop_parent(function->bridge, loop)};
}

/* Both are loads, which see the same memory, at places with one beginning; or the first one is an
 * allocation that is kept in such a place. */
static bool linked(const struct moments *moments, LLVMValueRef then_load, LLVMValueRef now_load,
                   struct links *links)
{
    struct function *function = moments->function;
    struct bridge *bridge = function->bridge;
    LLVMValueRef keeper = alias_keeper(function, then_load, now_load);
    if (!alias_may_be_linked(function, then_load, now_load) ||
        !version_is_shared(moments, keeper ? version_kept_by(function, keeper)
                                           : version_of(function, then_load)) ||
        links->count == sizeof links->items / sizeof links->items[0])
        return false;
    expression then_place =
        bridge_expression(bridge, LLVMGetOperand(keeper ? keeper : then_load, keeper ? 1 : 0));
    expression now_place = bridge_expression(bridge, LLVMGetOperand(now_load, 0));
    struct link link = {{bridge_offset(bridge, then_place), bridge_offset(bridge, now_place)}};
    if (!link.offsets[THEN] || !link.offsets[NOW])
        return false;
    links->items[links->count++] = link;
    return bases(moments, bridge_base(bridge, then_place), bridge_base(bridge, now_place), links) ==
           ALIAS_same;
}

/* `links`: what must be equal for the answer "the same"; NULL: it must need nothing. */
static enum alias bases(const struct moments *moments, LLVMValueRef then_base,
                        LLVMValueRef now_base, struct links *links)
{
    if (!then_base || !now_base)
        return ALIAS_unknown;
    struct function *function = moments->function;
    enum alias alias = alias_bases(function, then_base, now_base);
    LLVMValueRef common = alias_representative(function, then_base);
    bool shared = moments_share(moments, common);
    if (alias == ALIAS_same && !shared && alias_is_allocation(common))
        return ALIAS_distinct;
    if (alias == ALIAS_distinct || (alias == ALIAS_same && shared))
        return alias;
    return links && linked(moments, common, alias_representative(function, now_base), links)
               ? ALIAS_same
               : ALIAS_unknown;
}

/* ---- bytes of two buffers ---- */

enum { FIRST_ATTEMPTS = 28, ATTEMPTS = 168, WITNESSES = 4 };

struct overlap {
    const struct event *events[2];
    const struct buffer *buffers[2];
    expression offsets[2];
    struct links links;
    int64_t size;       /* of the variable they are both in, -1: unknown */
    unsigned witnesses; /* draws in which they overlap */
    bool certain;
    struct example example; /* one in which they overlap */
};

/* Where a buffer starts and how many elements it has, as sums. */
struct extent {
    struct polynomial start, count;
    bool counted; /* the number of elements is understood */
};

static struct extent extent_of(struct proof *proof, const struct overlap *overlap, enum side side)
{
    const struct buffer *buffer = overlap->buffers[side];
    struct extent extent = {.start = proof_expression(proof, side, overlap->offsets[side]),
                            .count = polynomial_constant(1),
                            .counted = true};
    if (buffer->count)
        extent.count = proof_value(proof, side, buffer->count);
    if (buffer->blocks == BLOCKS_size) {
        struct polynomial size = proof_size(proof);
        extent.count = polynomial_product(&extent.count, &size);
    } else if (buffer->blocks != BLOCKS_one) {
        extent.counted = false;
    }
    return extent;
}

/* What touches anything is not empty, stays within its variable, and is done by those who do it. */
static void assume_sense(struct proof *proof, const struct overlap *overlap, enum side side,
                         const struct extent *extent, const struct polynomial *start,
                         const struct polynomial *end)
{
    struct polynomial number = polynomial_constant(1);
    inequalities_at_most(&proof->known.all, &number, &extent->count);
    if (overlap->size >= 0) {
        number = polynomial_constant(0);
        inequalities_at_most(&proof->known.all, &number, start);
        number = polynomial_constant(overlap->size);
        inequalities_at_most(&proof->known.all, end, &number);
    }
    for (unsigned i = 0; i < overlap->buffers[side]->nindices; i++) {
        const struct member_index *member = &overlap->buffers[side]->indices[i];
        struct polynomial index = proof_value(proof, side, member->index);
        number = polynomial_constant(0);
        inequalities_at_most(&proof->known.all, &number, &index);
        number = polynomial_constant(member->limit);
        inequalities_less(&proof->known.all, &index, &number);
    }
    proof_takes_part(proof, side, overlap->events[side], overlap->buffers[side]);
}

/* What is known about both moments, and that the two hulls meet. False if that says nothing. */
static bool say_that_they_meet(struct proof *proof, const struct moments *moments,
                               const struct overlap *overlap, inequality_list *meet)
{
    struct polynomial start[2], end[2];
    if (!overlap->buffers[THEN]->element.known || !overlap->buffers[NOW]->element.known)
        return false;
    proof_open(proof, moments, NULL);
    bool counted = true;
    for (int side = THEN; side <= NOW; side++) {
        struct extent extent = extent_of(proof, overlap, side);
        layout_hull(&overlap->buffers[side]->element, &extent.start, &extent.count, &start[side],
                    &end[side]);
        assume_sense(proof, overlap, side, &extent, &start[side], &end[side]);
        counted &= extent.counted;
    }
    inequalities_less(meet, &start[THEN], &end[NOW]);
    inequalities_less(meet, &start[NOW], &end[THEN]);
    for (unsigned i = 0; i < overlap->links.count; i++) {
        const struct link *link = &overlap->links.items[i];
        struct polynomial then = proof_expression(proof, THEN, link->offsets[THEN]);
        struct polynomial now = proof_expression(proof, NOW, link->offsets[NOW]);
        inequalities_equal(meet, &then, &now);
    }
    if (!counted)
        proof_close(proof);
    return counted;
}

static bool proved_apart(const struct moments *moments, const struct overlap *overlap)
{
    struct proof proof;
    inequality_list meet = {0};
    bool apart = false;
    if (say_that_they_meet(&proof, moments, overlap, &meet)) {
        apart = inequalities_exclude(&proof.known, &meet);
        proof_close(&proof);
    }
    DROP(&meet);
    return apart;
}

/* Whether the elements that the pointers come from are the same whatever the input is. */
static bool proved_linked(struct proof *proof, const struct links *links, bool *guess)
{
    bool all = true;
    for (unsigned i = 0; i < links->count; i++) {
        struct polynomial then = proof_expression(proof, THEN, links->items[i].offsets[THEN]);
        struct polynomial now = proof_expression(proof, NOW, links->items[i].offsets[NOW]);
        struct polynomial distance = polynomial_difference(&now, &then);
        int64_t number;
        bool constant = polynomial_is_constant(&distance, &number);
        *guess |= proof_is_guess(proof, &distance);
        all &= constant ? number == 0 : proof_equal(proof, &then, &now);
    }
    return all;
}

/* They overlap in this draw. Do they whatever the input is, as long as this rank comes to these
 * iterations? Either nothing unknown is in the difference, or it does not matter. */
static bool proved_to_meet(const struct draw *draw, const struct overlap *overlap, bool *guess)
{
    struct polynomial start[2], end[2];
    struct proof proof;
    int64_t number;
    bool counted = true, dense = true, constant = true;
    proof_open(&proof, draw->moments, draw);
    for (int side = THEN; side <= NOW; side++) {
        struct extent extent = extent_of(&proof, overlap, side);
        layout_hull(&overlap->buffers[side]->element, &extent.start, &extent.count, &start[side],
                    &end[side]);
        assume_sense(&proof, overlap, side, &extent, &start[side], &end[side]);
        counted &= extent.counted;
        dense &= layout_is_dense(&overlap->buffers[side]->element);
        constant &= polynomial_is_constant(&extent.count, &number);
    }
    struct polynomial distance = polynomial_difference(&start[NOW], &start[THEN]);
    *guess = proof_is_guess(&proof, &distance);
    bool meet = counted && constant && polynomial_is_constant(&distance, &number);
    if (!meet && counted && dense) {
        struct polynomial first = polynomial_plus(&start[THEN], 1);
        struct polynomial second = polynomial_plus(&start[NOW], 1);
        meet =
            proof_at_most(&proof, &first, &end[NOW]) && proof_at_most(&proof, &second, &end[THEN]);
    }
    meet &= proved_linked(&proof, &overlap->links, guess);
    proof_close(&proof);
    return meet;
}

/* Whether the addresses stay inside the arrays they are in. */
static bool stays_inside(struct draw *draw, const struct overlap *overlap)
{
    for (int side = THEN; side <= NOW; side++)
        for (unsigned i = 0; i < overlap->buffers[side]->nindices; i++) {
            const struct member_index *member = &overlap->buffers[side]->indices[i];
            int64_t index;
            draw->side = side;
            if (draw_value(draw, member->index, &index) && (index < 0 || index >= member->limit))
                return false;
        }
    return true;
}

/* Whether the pointers come from the same elements. */
static bool linked_here(struct draw *draw, const struct links *links)
{
    for (unsigned i = 0; i < links->count; i++) {
        int64_t numbers[2];
        for (int side = THEN; side <= NOW; side++) {
            draw->side = side;
            if (!draw_expression(draw, links->items[i].offsets[side], &numbers[side]))
                return false;
        }
        if (numbers[THEN] != numbers[NOW])
            return false;
    }
    return true;
}

/* How often a loop runs that nothing tells the end of depends on the input: a race may need that it
 * runs, and more than once, but not that it runs long. */
static bool needs_many_iterations(struct draw *draw)
{
    enum { FEW = 8 };
    struct bridge *bridge = draw->moments->function->bridge;
    for (int side = THEN; side <= NOW; side++)
        for (int loop = 0; loop < MAX_LOOPS && loop < bridge_loop_count(bridge); loop++) {
            expression trips = bridge_loop_trips(bridge, loop);
            int64_t number;
            if (draw->drawn[side][loop] && draw->counters[side][loop] > FEW &&
                !(trips && bridge_constant(trips, &number)))
                return true;
        }
    return false;
}

/* Buffers that share bytes only if some number that nobody knows is large enough, or a datatype
 * that nobody knows reaches that far: `halo` elements at the start of a field, and what stands two
 * elements behind it. Whether natural numbers can be found with which they do not meet: in these
 * iterations, or, if the access runs through the field, not even in the first. */
static bool needs_luck(struct draw *draw, const struct overlap *overlap, const struct bytes *now)
{
    enum { LEAST = 4 }; /* bytes of what nothing is known about */
    bool runs = now->swept_loop >= 0;
    bool known = overlap->buffers[THEN]->element.known && overlap->buffers[NOW]->element.known;
    bool calls = overlap->events[THEN]->routine && overlap->events[NOW]->routine;
    if (overlap->buffers[THEN]->scattered || overlap->buffers[NOW]->scattered ||
        (runs ? now->swept_stride <= 0 : known && !calls))
        return false;
    int64_t iteration = runs ? draw->counters[NOW][now->swept_loop] : 0;
    if (runs)
        draw->counters[NOW][now->swept_loop] = 0;
    struct polynomial start[2], end[2];
    struct proof proof;
    bool luck = false;
    proof_open(&proof, draw->moments, draw);
    for (int side = THEN; side <= NOW; side++) {
        struct extent extent = extent_of(&proof, overlap, side);
        struct layout element = overlap->buffers[side]->element;
        if (!element.known)
            element = layout_bytes(LEAST);
        layout_hull(&element, &extent.start, &extent.count, &start[side], &end[side]);
        assume_sense(&proof, overlap, side, &extent, &start[side], &end[side]);
    }
    for (int side = THEN; side <= (runs ? THEN : NOW) && !luck; side++) {
        inequality_list apart = {0};
        struct draw example;
        inequalities_at_most(&apart, &end[side], &start[!side]);
        luck = search_example(&proof, &apart, &example) == SEARCHED_found ||
               solve_example(&proof, &apart, &example) == SOLVED_found;
        DROP(&apart);
    }
    proof_close(&proof);
    if (runs)
        draw->counters[NOW][now->swept_loop] = iteration;
    return luck;
}

static enum outcome overlaps_here(struct draw *draw, void *context)
{
    struct overlap *overlap = context;
    struct bytes bytes[2];
    for (int side = THEN; side <= NOW; side++)
        if (!buffer_bytes(draw, side, overlap->events[side], overlap->buffers[side],
                          &bytes[side]) ||
            (overlap->size >= 0 && bytes_exceed(&bytes[side], overlap->size)))
            return NO;
    for (unsigned i = 0; i < bytes[THEN].count; i++)
        for (unsigned k = 0; k < bytes[NOW].count; k++) {
            struct section common;
            if (!section_overlaps(&bytes[THEN].sections[i], &bytes[NOW].sections[k], &common))
                continue;
            bytes_go_to(draw, THEN, &bytes[THEN], common.start);
            bytes_go_to(draw, NOW, &bytes[NOW], common.start);
            if ((bytes[THEN].swept_loop >= 0 || bytes[NOW].swept_loop >= 0) &&
                !draw_satisfied(draw))
                continue;
            if (!stays_inside(draw, overlap) || !linked_here(draw, &overlap->links))
                continue;
            bool guess, proved = proved_to_meet(draw, overlap, &guess);
            if (!proved && (guess || needs_luck(draw, overlap, &bytes[NOW])))
                return NO; /* two indices that may or may not be the same: nothing speaks for it */
            overlap->example = example_of(draw);
            bool many = needs_many_iterations(draw);
            overlap->certain = proved && !many && bytes[THEN].exact && bytes[NOW].exact;
            overlap->witnesses++;
            return overlap->certain || (!many && overlap->witnesses >= WITNESSES) ? YES : NO;
        }
    return NO;
}

/* Where the draws have found nothing: a solution, as one more example, or the proof that there is
 * none. True if nothing more is to be looked for. */
static bool solved_apart(const struct moments *moments, struct overlap *overlap)
{
    struct proof proof;
    struct draw example;
    inequality_list meet = {0};
    enum solved solved = SOLVED_undecided;
    unsigned searched = 0;
    if (say_that_they_meet(&proof, moments, overlap, &meet)) {
        if (search_example(&proof, &meet, &example) == SEARCHED_found)
            overlaps_here(&example, overlap);
        searched = overlap->witnesses;
        if (!overlap->certain)
            solved = solve_example(&proof, &meet, &example);
        proof_close(&proof);
    }
    DROP(&meet);
    if (solved == SOLVED_found || solved == SOLVED_strained)
        overlaps_here(&example, overlap);
    /* That the bytes can be made to meet by odd numbers alone says nothing. */
    if (solved == SOLVED_strained && !overlap->certain)
        overlap->witnesses = searched;
    return solved == SOLVED_none || overlap->certain;
}

/* The object of one buffer is given back: whatever of it the other one is, it is hit, if it is
 * anything at all. */
static enum outcome used_here(struct draw *draw, void *context)
{
    struct overlap *overlap = context;
    struct bytes bytes;
    enum side side = overlap->buffers[THEN]->whole ? NOW : THEN;
    if (!buffer_bytes(draw, side, overlap->events[side], overlap->buffers[side], &bytes) ||
        !bytes.count || !linked_here(draw, &overlap->links))
        return NO;
    struct proof proof;
    bool guess = false;
    proof_open(&proof, draw->moments, draw);
    bool proved = proved_linked(&proof, &overlap->links, &guess);
    proof_close(&proof);
    if (!proved && guess)
        return NO;
    overlap->example = example_of(draw);
    overlap->certain = proved;
    overlap->witnesses++;
    return proved ? YES : NO;
}

static enum answer object_is_used(const struct moments *moments, struct overlap *overlap,
                                  struct example *found)
{
    struct draw example;
    struct proof proof;
    if (!find_draw(moments, FIRST_ATTEMPTS, used_here, overlap, &example)) {
        proof_open(&proof, moments, NULL);
        enum solved solved = solve_example(&proof, NULL, &example);
        proof_close(&proof);
        if (solved == SOLVED_found || solved == SOLVED_strained)
            used_here(&example, overlap);
    }
    *found = overlap->example;
    return overlap->certain ? ALWAYS : overlap->witnesses ? SOMETIMES : NEVER;
}

enum answer buffers_overlap(const struct moments *moments, const struct event *then_event,
                            const struct buffer *then_buffer, const struct event *now_event,
                            const struct buffer *now_buffer, struct example *example)
{
    struct bridge *bridge = moments->function->bridge;
    LLVMValueRef then_base = then_buffer->base, now_base = now_buffer->base;
    struct draw witness;
    struct links links = {0};
    if (bases(moments, then_base, now_base, &links) != ALIAS_same)
        return NEVER;
    struct overlap overlap = {
        .links = links,
        .events = {then_event, now_event},
        .buffers = {then_buffer, now_buffer},
        .offsets = {bridge_offset(bridge, bridge_expression(bridge, then_buffer->address)),
                    bridge_offset(bridge, bridge_expression(bridge, now_buffer->address))},
        .size = alias_object_size(then_base)};
    if (!overlap.offsets[THEN] || !overlap.offsets[NOW])
        return NEVER;
    if (then_buffer->whole || now_buffer->whole)
        return object_is_used(moments, &overlap, example);
    if (proved_apart(moments, &overlap))
        return NEVER;
    if (!find_draw(moments, FIRST_ATTEMPTS, overlaps_here, &overlap, &witness) &&
        !overlap.witnesses && !solved_apart(moments, &overlap))
        find_draw(moments, ATTEMPTS, overlaps_here, &overlap, &witness);
    *example = overlap.example;
    return overlap.certain ? ALWAYS : overlap.witnesses ? SOMETIMES : NEVER;
}

/* ---- slots ---- */

static int64_t slot_size(const struct moments *moments)
{
    return moments->function->flavour == FLAVOUR_openmpi ? 8 : 4;
}

/* Decided by proof alone: what is not shown is "sometimes". */
static enum answer offset_among(const struct moments *moments, expression then_offset,
                                expression now_offset, LLVMValueRef count)
{
    struct proof proof;
    proof_open(&proof, moments, NULL);
    struct polynomial slot = proof_expression(&proof, THEN, then_offset);
    struct polynomial first = proof_expression(&proof, NOW, now_offset);
    struct polynomial number = count ? proof_value(&proof, NOW, count) : polynomial_constant(1);
    number = polynomial_scaled(&number, slot_size(moments));
    struct polynomial end = polynomial_sum(&first, &number);
    inequality_list inside = {0};
    inequalities_at_most(&inside, &first, &slot);
    inequalities_less(&inside, &slot, &end);
    enum answer answer = SOMETIMES;
    if (inequalities_exclude(&proof.known, &inside)) {
        answer = NEVER;
    } else {
        struct polynomial after = polynomial_plus(&slot, 1);
        if (proof_at_most(&proof, &first, &slot) && proof_at_most(&proof, &after, &end))
            answer = ALWAYS;
    }
    DROP(&inside);
    proof_close(&proof);
    return answer;
}

enum answer slot_among(const struct moments *moments, LLVMValueRef then_slot,
                       LLVMValueRef now_slots, LLVMValueRef count)
{
    struct bridge *bridge = moments->function->bridge;
    LLVMValueRef then_base = base_of(moments, then_slot), now_base = base_of(moments, now_slots);
    switch (bases(moments, then_base, now_base, NULL)) {
    case ALIAS_distinct:
        return alias_is_copied(moments->function, then_base) ? SOMETIMES : NEVER;
    case ALIAS_unknown:
        return SOMETIMES;
    case ALIAS_same:
        break;
    }
    expression then_offset = bridge_offset(bridge, bridge_expression(bridge, then_slot));
    expression now_offset = bridge_offset(bridge, bridge_expression(bridge, now_slots));
    int64_t slot, first, many = 1;
    bool plain = bridge_constant(then_offset, &slot) && bridge_constant(now_offset, &first) &&
                 (!count || LLVMIsAConstantInt(count));
    if (plain && count)
        many = LLVMConstIntGetSExtValue(count);
    enum answer answer =
        !plain ? offset_among(moments, then_offset, now_offset, count)
               : (slot >= first && slot < first + many * slot_size(moments) ? ALWAYS : NEVER);
    return answer == NEVER && alias_is_copied(moments->function, then_base) ? SOMETIMES : answer;
}

bool slot_index(const struct moments *moments, LLVMValueRef then_slot, LLVMValueRef now_slots,
                int64_t *index)
{
    struct bridge *bridge = moments->function->bridge;
    struct proof proof;
    if (bases(moments, base_of(moments, then_slot), base_of(moments, now_slots), NULL) !=
        ALIAS_same)
        return false;
    proof_open(&proof, moments, NULL);
    struct polynomial slot =
        proof_expression(&proof, THEN, bridge_offset(bridge, bridge_expression(bridge, then_slot)));
    struct polynomial first =
        proof_expression(&proof, NOW, bridge_offset(bridge, bridge_expression(bridge, now_slots)));
    struct polynomial distance = polynomial_difference(&slot, &first);
    bool known = polynomial_is_constant(&distance, index);
    *index = known ? *index / slot_size(moments) : 0;
    proof_close(&proof);
    return known;
}

enum answer values_equal(const struct moments *moments, LLVMValueRef then_value,
                         LLVMValueRef now_value)
{
    if (LLVMIsAConstantInt(then_value) && LLVMIsAConstantInt(now_value))
        return then_value == now_value ? ALWAYS : NEVER;
    struct proof proof;
    proof_open(&proof, moments, NULL);
    struct polynomial a = proof_value(&proof, THEN, then_value);
    struct polynomial b = proof_value(&proof, NOW, now_value);
    inequality_list same = {0};
    inequalities_equal(&same, &a, &b);
    enum answer answer = inequalities_exclude(&proof.known, &same) ? NEVER
                         : proof_equal(&proof, &a, &b)             ? ALWAYS
                                                                   : SOMETIMES;
    DROP(&same);
    proof_close(&proof);
    return answer;
}
