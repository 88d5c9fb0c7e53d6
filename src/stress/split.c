#include "split.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "layer.h"
#include "interpose/datatype_layout.h"

/* At most so many pieces per operation: longer ones get longer pieces. A process has a supply of
 * pieces, of which an operation may take a part, but a few in any case: each piece costs a message,
 * and a program that becomes a hundred times slower would be taken for one that hangs. And no
 * attempt at data larger than this in pieces of a derived datatype. */
enum {
    PIECES_MOST = 512,
    PIECES_LEAST = 4,
    SUPPLY = 8192,
    SHARE = 16,
    DERIVED_MOST = 1 << 16,
    SPAN_MOST = 1 << 20
};

static _Atomic int supply = SUPPLY;

/* ---- where the i-th byte of the data lies ----
 * MPI's own packing tells, whatever constructors made the datatype: memory whose bytes hold their
 * own address is packed, and the addresses come out in the order of the data. */

struct places {
    int64_t *at; /* NULL: contiguous from `start` */
    int64_t start;
    uint64_t bytes;
};

static inline int64_t place_of(const struct places *places, uint64_t i)
{
    return places->at ? places->at[i] : places->start + (int64_t)i;
}

static bool pack_addresses(MPI_Datatype type, int size, int64_t low, int64_t span, int64_t *places)
{
    unsigned char *image = malloc((size_t)span), *packed = malloc((size_t)size);
    bool good = image && packed;
    for (int i = 0; good && i < size; i++)
        places[i] = low;
    for (int shift = 0; good && shift < 24; shift += 8) {
        int position = 0;
        for (int64_t i = 0; i < span; i++)
            image[i] = (unsigned char)(i >> shift);
        void *base = (void *)((uintptr_t)image - (uintptr_t)low);
        good =
            pmpi.Pack(base, 1, type, packed, size, &position, handles.comm_self) == MPI_SUCCESS &&
            position == size;
        for (int i = 0; good && i < size; i++)
            places[i] += (int64_t)packed[i] << shift;
    }
    free(image);
    free(packed);
    return good;
}

static bool places_of(struct places *places, const struct buffer *buffer)
{
    int size = 0;
    MPI_Aint lower = 0, extent = 0, low = 0, span = 0;
    struct bytes bytes;
    *places = (struct places){0};
    if (pmpi.Type_size(buffer->type, &size) != MPI_SUCCESS || size <= 0)
        return false;
    places->bytes = (uint64_t)size * (uint64_t)buffer->count;
    struct buffer relative = {NULL, buffer->count, buffer->type};
    if (!bytes_of(&bytes, &relative))
        return false;
    pmpi.Type_get_extent(buffer->type, &lower, &extent);
    pmpi.Type_get_true_extent(buffer->type, &low, &span);
    int combiner = 0, unused[3];
    pmpi.Type_get_envelope(buffer->type, &unused[0], &unused[1], &unused[2], &combiner);
    bool contiguous = combiner == MPI_COMBINER_NAMED && bytes.count == 1 && bytes.at[0].count == 1;
    if (contiguous)
        places->start = (int64_t)bytes.at[0].start;
    bytes_free(&bytes);
    if (contiguous)
        return true;
    if (places->bytes > DERIVED_MOST || span > SPAN_MOST)
        return false;
    places->at = malloc(places->bytes * sizeof *places->at);
    if (!places->at || !pack_addresses(buffer->type, size, low, span, places->at)) {
        free(places->at);
        return false;
    }
    for (uint64_t i = (uint64_t)size; i < places->bytes; i++)
        places->at[i] = places->at[i - (uint64_t)size] + extent;
    return true;
}

/* ---- pieces ---- */

static struct piece *append(struct pieces *pieces)
{
    if (pieces->count == pieces->room) {
        size_t room = pieces->room ? 2 * pieces->room : 64;
        struct piece *larger = realloc(pieces->at, room * sizeof *larger);
        if (!larger)
            return NULL;
        pieces->at = larger;
        pieces->room = room;
    }
    return &pieces->at[pieces->count++];
}

static bool append_whole(struct pieces *pieces, struct operation *operation)
{
    struct piece *piece = append(pieces);
    if (piece)
        *piece = (struct piece){.operation = operation, .whole = true};
    return piece != NULL;
}

static bool basic_of(MPI_Datatype type, struct layout_basic *basic)
{
    layer_lock();
    const struct layout *layout = layout_of(layer.layouts, type);
    bool found = layout && layout_basic(layout, basic);
    layer_unlock();
    return found;
}

static bool is_row(const struct places *places, uint64_t i, uint64_t bytes)
{
    for (uint64_t k = 1; k < bytes; k++)
        if (place_of(places, i + k) != place_of(places, i) + (int64_t)k)
            return false;
    return true;
}

struct cut {
    struct places origin, result, target;
    bool has_origin, has_result;
    uint64_t unit; /* bytes that stay together */
};

static bool is_joint(const struct cut *cut, uint64_t i, uint64_t bytes)
{
    return is_row(&cut->target, i, bytes) && (!cut->has_origin || is_row(&cut->origin, i, bytes)) &&
           (!cut->has_result || is_row(&cut->result, i, bytes));
}

/* How many bytes stay together. 0: the operation cannot be cut. */
static uint64_t unit_of(const struct operation *operation, enum split split)
{
    struct layout_basic basic;
    int size = 0;
    bool one = basic_of(operation->target_type, &basic);
    if (!is_accumulate(operation->kind))
        return split == SPLIT_BYTE || !one ? 1 : basic.size;
    /* A pair with a gap inside is no row of bytes. */
    if (!one || pmpi.Type_size(basic.type, &size) != MPI_SUCCESS || (uint64_t)size != basic.size)
        return 0;
    return basic.size;
}

static uint64_t most_pieces(void)
{
    int share = atomic_load_explicit(&supply, memory_order_relaxed) / SHARE;
    return share > PIECES_MOST    ? PIECES_MOST
           : share < PIECES_LEAST ? PIECES_LEAST
                                  : (uint64_t)share;
}

static bool has_displacement(const struct operation *operation, int64_t place)
{
    return operation->disp_unit > 0 && place % operation->disp_unit == 0;
}

static bool cut_up(struct pieces *pieces, struct operation *operation, const struct cut *cut)
{
    uint64_t bytes = cut->target.bytes, units = bytes / cut->unit, most = most_pieces();
    uint64_t together = cut->unit * ((units + most - 1) / most);
    for (uint64_t i = 0, length; i < bytes; i += length) {
        length = bytes - i < together ? bytes - i : together;
        while (length > cut->unit && !is_joint(cut, i, length))
            length -= cut->unit;
        if (length > cut->unit)
            length -= length % cut->unit;
        struct piece *piece = append(pieces);
        if (!piece || !is_joint(cut, i, length) ||
            (cut->has_result && !has_displacement(operation, place_of(&cut->target, i))))
            return false;
        if (atomic_load_explicit(&supply, memory_order_relaxed) > 0)
            atomic_fetch_sub_explicit(&supply, 1, memory_order_relaxed);
        *piece = (struct piece){
            .operation = operation, .target = place_of(&cut->target, i), .bytes = length};
        piece->origin = cut->has_origin ? place_of(&cut->origin, i) : 0;
        piece->result = cut->has_result ? place_of(&cut->result, i) : 0;
    }
    return true;
}

bool pieces_add(struct pieces *pieces, struct operation *operation, enum split split)
{
    size_t before = pieces->count;
    bool single = operation->kind >= OPERATION_FETCH_AND_OP;
    struct cut cut = {.has_origin = operation->kind != OPERATION_GET,
                      .has_result = is_fetching(operation->kind)};
    struct buffer target = {NULL, operation->target_count, operation->target_type};
    bool no_op = is_accumulate(operation->kind) && operation->op == handles.no_op;
    if (split == SPLIT_NONE || single || no_op || !(cut.unit = unit_of(operation, split)))
        return append_whole(pieces, operation);
    bool done =
        places_of(&cut.target, &target) &&
        (!cut.has_origin ||
         (places_of(&cut.origin, &operation->origin) && cut.origin.bytes == cut.target.bytes)) &&
        (!cut.has_result ||
         (places_of(&cut.result, &operation->result) && cut.result.bytes == cut.target.bytes)) &&
        cut.target.bytes % cut.unit == 0 && cut_up(pieces, operation, &cut);
    free(cut.origin.at);
    free(cut.result.at);
    free(cut.target.at);
    if (!done)
        pieces->count = before;
    return done || append_whole(pieces, operation);
}

struct placed piece_place(const struct piece *piece)
{
    const struct operation *operation = piece->operation;
    struct placed placed = {operation->kind, operation->target, operation->low, operation->high,
                            -1};
    if (!piece->whole) {
        placed.low = operation->start + (uint64_t)piece->target;
        placed.high = placed.low + piece->bytes;
    }
    return placed;
}

/* ---- to MPI ---- */

static int issue_at_place(struct operation *part, const struct layout_basic *basic, int count,
                          MPI_Aint place, MPI_Win win)
{
    MPI_Datatype type;
    int error = pmpi.Type_create_hindexed_block(1, count, &place, basic->type, &type);
    if (error == MPI_SUCCESS)
        error = pmpi.Type_commit(&type);
    if (error != MPI_SUCCESS)
        return error;
    part->target_count = 1;
    part->target_type = type;
    error = operation_issue(part, win);
    pmpi.Type_free(&type);
    return error;
}

int piece_issue(const struct piece *piece, MPI_Win win)
{
    struct operation part = *piece->operation;
    struct layout_basic basic = {handles.byte, 0, 1};
    if (piece->whole)
        return operation_issue(piece->operation, win);
    if (is_accumulate(part.kind))
        basic_of(part.target_type, &basic);
    int count = (int)(piece->bytes / basic.size);
    part.origin = (struct buffer){part.origin.base + piece->origin, count, basic.type};
    part.result = (struct buffer){part.result.base + piece->result, count, basic.type};
    if (!has_displacement(&part, piece->target))
        return issue_at_place(&part, &basic, count, (MPI_Aint)piece->target, win);
    part.disp += (MPI_Aint)(piece->target / part.disp_unit);
    part.target_count = count;
    part.target_type = basic.type;
    return operation_issue(&part, win);
}
