/* Datatypes, and data on its way. */
#include "mpi.h"

static const struct {
    const char *openmpi;
    uint32_t mpich;
    uint8_t size, element, element_size, extent;
} predefined[] = {
    {"char", 0x4c000101, 1, ELEMENT_SIGNED, 1, 1},
    {"signed_char", 0x4c000118, 1, ELEMENT_SIGNED, 1, 1},
    {"unsigned_char", 0x4c000102, 1, ELEMENT_UNSIGNED, 1, 1},
    {"byte", 0x4c00010d, 1, ELEMENT_UNSIGNED, 1, 1},
    {"packed", 0x4c00010f, 1, ELEMENT_UNSIGNED, 1, 1},
    {"wchar", 0x4c00040e, 4, ELEMENT_SIGNED, 4, 4},
    {"short", 0x4c000203, 2, ELEMENT_SIGNED, 2, 2},
    {"unsigned_short", 0x4c000204, 2, ELEMENT_UNSIGNED, 2, 2},
    {"int", 0x4c000405, 4, ELEMENT_SIGNED, 4, 4},
    {"unsigned", 0x4c000406, 4, ELEMENT_UNSIGNED, 4, 4},
    {"long", 0x4c000807, 8, ELEMENT_SIGNED, 8, 8},
    {"unsigned_long", 0x4c000808, 8, ELEMENT_UNSIGNED, 8, 8},
    {"long_long_int", 0x4c000809, 8, ELEMENT_SIGNED, 8, 8},
    {"unsigned_long_long", 0x4c000819, 8, ELEMENT_UNSIGNED, 8, 8},
    {"float", 0x4c00040a, 4, ELEMENT_REAL, 4, 4},
    {"double", 0x4c00080b, 8, ELEMENT_REAL, 8, 8},
    {"long_double", 0x4c00100c, 16, ELEMENT_BYTES, 16, 16},
    {"int8_t", 0x4c000137, 1, ELEMENT_SIGNED, 1, 1},
    {"int16_t", 0x4c000238, 2, ELEMENT_SIGNED, 2, 2},
    {"int32_t", 0x4c000439, 4, ELEMENT_SIGNED, 4, 4},
    {"int64_t", 0x4c00083a, 8, ELEMENT_SIGNED, 8, 8},
    {"uint8_t", 0x4c00013b, 1, ELEMENT_UNSIGNED, 1, 1},
    {"uint16_t", 0x4c00023c, 2, ELEMENT_UNSIGNED, 2, 2},
    {"uint32_t", 0x4c00043d, 4, ELEMENT_UNSIGNED, 4, 4},
    {"uint64_t", 0x4c00083e, 8, ELEMENT_UNSIGNED, 8, 8},
    {"aint", 0x4c000843, 8, ELEMENT_SIGNED, 8, 8},
    {"offset", 0x4c000844, 8, ELEMENT_SIGNED, 8, 8},
    {"count", 0x4c000845, 8, ELEMENT_SIGNED, 8, 8},
    {"c_bool", 0x4c00013f, 1, ELEMENT_UNSIGNED, 1, 1},
    {"cxx_bool", 0x4c000133, 1, ELEMENT_UNSIGNED, 1, 1},
    {"c_float_complex", 0x4c000840, 8, ELEMENT_BYTES, 8, 8},
    {"c_double_complex", 0x4c001041, 16, ELEMENT_BYTES, 16, 16},
    {"2int", 0x4c000816, 8, ELEMENT_PAIR, 8, 8},
    {"float_int", 0x8c000000, 8, ELEMENT_PAIR, 8, 8},
    {"double_int", 0x8c000001, 12, ELEMENT_PAIR, 12, 16},
    {"long_int", 0x8c000002, 12, ELEMENT_PAIR, 12, 16},
};

static void add_piece(struct datatype *type, int64_t offset, int64_t length)
{
    struct piece *last = type->pieces.n ? &type->pieces.at[type->pieces.n - 1] : NULL;
    struct piece piece = {offset, length};
    if (length <= 0)
        return;
    if (last && last->offset + last->length == offset)
        last->length += length;
    else
        ADD(&type->pieces, piece);
}

void types_open(struct mpi *mpi)
{
    mpi->npredefined = sizeof predefined / sizeof predefined[0];
    for (size_t i = 0; i < mpi->npredefined; i++) {
        struct datatype *type = zeroed(1, sizeof *type);
        type->size = predefined[i].size;
        type->extent = predefined[i].extent;
        type->basic = (int)i;
        type->element = predefined[i].element;
        type->element_size = predefined[i].element_size;
        add_piece(type, 0, type->size);
        ADD(&mpi->types, type);
    }
}

bool type_of(struct call *c, uint64_t handle, const struct datatype **type)
{
    int number = object_of(c, KIND_TYPE, handle);
    for (size_t i = 0; number < 0 && !c->w->openmpi && i < c->w->mpi->npredefined; i++)
        if (predefined[i].mpich == handle)
            number = (int)i;
    const char *name = c->w->openmpi && number < 0 ? global_name(c->w, handle) : NULL;
    for (size_t i = 0; name && !strncmp(name, "ompi_mpi_", 9) && i < c->w->mpi->npredefined; i++)
        if (!strcmp(name + 9, predefined[i].openmpi))
            number = (int)i;
    if (number < 0) {
        stop(c->w, c->p, "a datatype that is not modelled");
        return false;
    }
    *type = c->w->mpi->types.at[number];
    return true;
}

/* ---- Bytes of a buffer ---- */

static void add_block(section_row *row, uint64_t start, uint64_t length)
{
    struct section *last = row->n ? &row->at[row->n - 1] : NULL;
    if (last && last->count == 1 && last->start + last->length == start) {
        last->length += length;
        return;
    }
    if (last && last->length == length) {
        uint64_t stride = last->count == 1 ? start - last->start : last->stride;
        if (start > last->start && stride > length && stride < (uint64_t)1 << 32 &&
            start == last->start + last->count * stride) {
            last->stride = stride;
            last->count++;
            return;
        }
    }
    struct section section = {start, length, 0, 1};
    ADD(row, section);
}

bool type_sections(struct call *c, const struct datatype *type, uint64_t address, int64_t count,
                   section_row *sections)
{
    enum { MOST_BLOCKS = 1 << 18 };
    if (count <= 0 || !type->pieces.n)
        return true;
    if (type->pieces.n == 1 && type->pieces.at[0].length == type->extent) {
        add_block(sections, address + (uint64_t)type->pieces.at[0].offset,
                  (uint64_t)(count * type->extent));
        return true;
    }
    if (count > MOST_BLOCKS / (int64_t)type->pieces.n) {
        stop(c->w, c->p, "a buffer with too many pieces");
        return false;
    }
    for (int64_t i = 0; i < count; i++)
        for (size_t k = 0; k < type->pieces.n; k++)
            add_block(sections, address + (uint64_t)(i * type->extent + type->pieces.at[k].offset),
                      (uint64_t)type->pieces.at[k].length);
    return true;
}

bool sections_alive(struct world *w, struct process *p, const section_row *sections)
{
    struct process *owner;
    for (size_t i = 0; i < sections->n; i++)
        for (uint64_t k = 0; k < sections->at[i].count; k++)
            if (!memory_at(w, p, sections->at[i].start + k * sections->at[i].stride,
                           sections->at[i].length, NULL, &owner))
                return false;
    return true;
}

struct payload payload_read(struct world *w, const section_row *sections)
{
    struct payload payload = {0};
    struct process *owner;
    for (size_t i = 0; i < sections->n; i++)
        payload.size += section_bytes(&sections->at[i]);
    w->steps += payload.size / 4; /* moving data costs, too */
    payload.bytes = zeroed(payload.size, 1);
    payload.known = zeroed(payload.size, 1);
    uint64_t done = 0;
    for (size_t i = 0; i < sections->n; i++)
        for (uint64_t k = 0; k < sections->at[i].count; k++) {
            uint64_t length = sections->at[i].length;
            uint8_t *shadow,
                *at = memory_at(w, NULL, sections->at[i].start + k * sections->at[i].stride, length,
                                &shadow, &owner);
            if (at)
                memcpy(payload.bytes + done, at, length);
            for (uint64_t b = 0; at && b < length; b++)
                payload.known[done + b] = !!(shadow[b] & KNOWN);
            done += length;
        }
    return payload;
}

void payload_write(struct world *w, const struct payload *payload, const section_row *sections)
{
    struct process *owner;
    uint64_t done = 0;
    for (size_t i = 0; i < sections->n; i++)
        for (uint64_t k = 0; k < sections->at[i].count && done < payload->size; k++) {
            uint64_t length = sections->at[i].length;
            if (length > payload->size - done)
                length = payload->size - done;
            uint8_t *shadow,
                *at = memory_at(w, NULL, sections->at[i].start + k * sections->at[i].stride, length,
                                &shadow, &owner);
            if (at)
                memcpy(at, payload->bytes + done, length);
            for (uint64_t b = 0; at && b < length; b++)
                shadow[b] =
                    (uint8_t)(payload->known[done + b] ? shadow[b] | KNOWN : shadow[b] & ~KNOWN);
            done += length;
        }
}

struct payload payload_copy(const struct payload *payload)
{
    struct payload copy = {zeroed(payload->size, 1), zeroed(payload->size, 1), payload->size};
    if (payload->size) {
        memcpy(copy.bytes, payload->bytes, payload->size);
        memcpy(copy.known, payload->known, payload->size);
    }
    return copy;
}

void payload_free(struct payload *payload)
{
    free(payload->bytes);
    free(payload->known);
    *payload = (struct payload){0};
}

/* ---- Reductions ---- */

static bool reduce_integer(int op, uint64_t a, uint64_t b, bool is_signed, unsigned bytes,
                           uint64_t *r)
{
    unsigned shift = 64 - 8 * bytes;
    int64_t x = (int64_t)(a << shift) >> shift, y = (int64_t)(b << shift) >> shift;
    switch (op) {
    case OP_MAX:
        *r = is_signed ? (uint64_t)(x > y ? x : y) : a > b ? a : b;
        return true;
    case OP_MIN:
        *r = is_signed ? (uint64_t)(x < y ? x : y) : a < b ? a : b;
        return true;
    case OP_SUM:
        *r = a + b;
        return true;
    case OP_PROD:
        *r = a * b;
        return true;
    case OP_LAND:
        *r = a && b;
        return true;
    case OP_BAND:
        *r = a & b;
        return true;
    case OP_LOR:
        *r = a || b;
        return true;
    case OP_BOR:
        *r = a | b;
        return true;
    case OP_LXOR:
        *r = !a != !b;
        return true;
    case OP_BXOR:
        *r = a ^ b;
        return true;
    default:
        return false;
    }
}

static bool reduce_real(int op, double x, double y, double *r)
{
    switch (op) {
    case OP_MAX:
        *r = x > y ? x : y;
        return true;
    case OP_MIN:
        *r = x < y ? x : y;
        return true;
    case OP_SUM:
        *r = x + y;
        return true;
    case OP_PROD:
        *r = x * y;
        return true;
    default:
        return false;
    }
}

static bool reduce_element(uint8_t *to, const uint8_t *from, int op, const struct datatype *type)
{
    unsigned size = type->element_size;
    uint64_t a = 0, b = 0, r;
    float f, g;
    double x, y, z;
    if (type->element == ELEMENT_REAL && size == 4) {
        memcpy(&f, to, 4);
        memcpy(&g, from, 4);
        if (!reduce_real(op, f, g, &z))
            return false;
        f = (float)z;
        memcpy(to, &f, 4);
        return true;
    }
    if (type->element == ELEMENT_REAL) {
        memcpy(&x, to, 8);
        memcpy(&y, from, 8);
        if (!reduce_real(op, x, y, &z))
            return false;
        memcpy(to, &z, 8);
        return true;
    }
    if (type->element > ELEMENT_UNSIGNED)
        return false;
    memcpy(&a, to, size);
    memcpy(&b, from, size);
    if (!reduce_integer(op, a, b, type->element == ELEMENT_SIGNED, size, &r))
        return false;
    memcpy(to, &r, size);
    return true;
}

void payload_reduce(struct payload *to, const struct payload *from, int op,
                    const struct datatype *type)
{
    uint64_t size = to->size < from->size ? to->size : from->size;
    unsigned step = type->basic >= 0 && type->element_size ? type->element_size : 1;
    if (op == OP_NO_OP)
        return;
    for (uint64_t at = 0; at + step <= size; at += step) {
        bool known = true;
        for (unsigned i = 0; i < step; i++)
            known = known && from->known[at + i] && (op == OP_REPLACE || to->known[at + i]);
        if (op == OP_REPLACE)
            memcpy(to->bytes + at, from->bytes + at, step);
        else if (type->basic < 0 || !reduce_element(to->bytes + at, from->bytes + at, op, type))
            known = false;
        if (op == OP_REPLACE)
            memcpy(to->known + at, from->known + at, step);
        else
            memset(to->known + at, known, step);
    }
}

/* ---- Constructors ---- */

static struct datatype *derived(const struct datatype *from)
{
    struct datatype *type = zeroed(1, sizeof *type);
    type->basic = from ? from->basic : -1;
    type->element = from ? from->element : ELEMENT_BYTES;
    type->element_size = from ? from->element_size : 1;
    type->lower = INT64_MAX;
    return type;
}

static bool add_copies(struct call *c, struct datatype *type, const struct datatype *from,
                       int64_t offset, int64_t count)
{
    enum { MOST_PIECES = 1 << 16 };
    if (count <= 0)
        return true;
    if (type->basic != from->basic)
        type->basic = -1;
    if (from->pieces.n == 1 && from->pieces.at[0].length == from->extent) {
        add_piece(type, offset + from->pieces.at[0].offset, count * from->extent);
    } else {
        if ((uint64_t)count * from->pieces.n + type->pieces.n > MOST_PIECES) {
            stop(c->w, c->p, "a datatype with too many pieces");
            return false;
        }
        for (int64_t i = 0; i < count; i++)
            for (size_t k = 0; k < from->pieces.n; k++)
                add_piece(type, offset + i * from->extent + from->pieces.at[k].offset,
                          from->pieces.at[k].length);
    }
    int64_t low = offset + from->lower,
            high = offset + (count - 1) * from->extent + from->lower + from->extent;
    if (type->lower == INT64_MAX) {
        type->lower = low;
        type->extent = high - low;
    } else {
        int64_t end = type->lower + type->extent;
        type->lower = low < type->lower ? low : type->lower;
        type->extent = (high > end ? high : end) - type->lower;
    }
    type->size += count * from->size;
    return true;
}

static enum outcome finish_type(struct call *c, struct datatype *type, int result)
{
    if (failed(c))
        return STOPS;
    if (type->lower == INT64_MAX)
        type->lower = type->extent = 0;
    store_handle(c, address_at(c, result), KIND_TYPE, ADD(&c->w->mpi->types, type));
    return failed(c) ? STOPS : OVER;
}

/* Lists of lengths and displacements, in elements or bytes. */
static enum outcome indexed(struct call *c, const char *name)
{
    bool block = strstr(name, "_block"), bytes = strstr(name, "hindexed"),
         is_struct = strstr(name, "struct");
    int64_t n = number_at(c, 0), length = block ? number_at(c, 1) : 0;
    uint64_t lengths = block ? 0 : address_at(c, 1), displacements = address_at(c, 2),
             types = address_at(c, 3);
    const struct datatype *from = NULL;
    if (failed(c) || (!is_struct && !type_of(c, types, &from)))
        return STOPS;
    struct datatype *type = derived(from);
    for (int64_t i = 0; i < n && !failed(c); i++) {
        int64_t at = element_at(c, displacements, i, bytes || is_struct ? 8 : 4);
        if (is_struct && !type_of(c,
                                  (uint64_t)element_at(c, types, i, c->w->mpi->numbers.handle) &
                                      (c->w->openmpi ? UINT64_MAX : UINT32_MAX),
                                  &from))
            return STOPS;
        if (is_struct && i == 0) {
            type->basic = from->basic;
            type->element = from->element;
            type->element_size = from->element_size;
        }
        add_copies(c, type, from, bytes || is_struct ? at : at * from->extent,
                   block ? length : element_at(c, lengths, i, 4));
    }
    return finish_type(c, type, 4);
}

static enum outcome vector(struct call *c, bool bytes)
{
    const struct datatype *from;
    int64_t n = number_at(c, 0), length = number_at(c, 1), stride = number_at(c, 2);
    if (failed(c) || !type_of(c, address_at(c, 3), &from))
        return STOPS;
    struct datatype *type = derived(from);
    for (int64_t i = 0; i < n && !failed(c); i++)
        add_copies(c, type, from, i * stride * (bytes ? 1 : from->extent), length);
    return finish_type(c, type, 4);
}

static enum outcome subarray(struct call *c)
{
    const struct datatype *from;
    int64_t n = number_at(c, 0), sizes[8], some[8], starts[8], total = 1, blocks = 1;
    if (failed(c) || n < 1 || n > 8 || number_at(c, 4) != c->w->mpi->numbers.order_c ||
        !type_of(c, address_at(c, 5), &from))
        return STOPS;
    for (int64_t i = 0; i < n; i++) {
        sizes[i] = element_at(c, address_at(c, 1), i, 4);
        some[i] = element_at(c, address_at(c, 2), i, 4);
        starts[i] = element_at(c, address_at(c, 3), i, 4);
        total *= sizes[i];
        blocks *= i < n - 1 ? some[i] : 1;
    }
    struct datatype *type = derived(from);
    for (int64_t b = 0; b < blocks && !failed(c); b++) {
        int64_t index = 0, rest = b, place[8];
        for (int64_t i = n - 2; i >= 0; i--) {
            place[i] = rest % some[i];
            rest /= some[i];
        }
        for (int64_t i = 0; i < n; i++)
            index = index * sizes[i] + starts[i] + (i < n - 1 ? place[i] : 0);
        add_copies(c, type, from, index * from->extent, some[n - 1]);
    }
    if (!failed(c)) {
        type->lower = 0;
        type->extent = total * from->extent;
    }
    return finish_type(c, type, 6);
}

enum outcome type_call(struct call *c)
{
    const char *name = c->function->routine->name + 4; /* behind "MPI_" */
    const struct datatype *from;
    struct datatype *type;
    if (c->function->routine->large)
        return STOPS;
    if (!strcmp(name, "Type_commit"))
        return OVER;
    if (!strcmp(name, "Type_free")) {
        store_null(c, address_at(c, 0), KIND_TYPE);
        return failed(c) ? STOPS : OVER;
    }
    if (!strcmp(name, "Type_contiguous") || !strcmp(name, "Type_dup")) {
        bool dup = name[5] == 'd';
        int64_t n = dup ? 1 : number_at(c, 0);
        if (failed(c) || !type_of(c, address_at(c, dup ? 0 : 1), &from))
            return STOPS;
        type = derived(from);
        add_copies(c, type, from, 0, n);
        return finish_type(c, type, dup ? 1 : 2);
    }
    if (!strcmp(name, "Type_vector") || !strcmp(name, "Type_create_hvector"))
        return vector(c, name[5] == 'c');
    if (strstr(name, "indexed") || !strcmp(name, "Type_create_struct"))
        return indexed(c, name);
    if (!strcmp(name, "Type_create_subarray"))
        return subarray(c);
    if (!strcmp(name, "Type_create_resized")) {
        if (!type_of(c, address_at(c, 0), &from))
            return STOPS;
        type = derived(from);
        add_copies(c, type, from, 0, 1);
        type->lower = number_at(c, 1);
        type->extent = number_at(c, 2);
        return finish_type(c, type, 3);
    }
    if (!strcmp(name, "Type_size") || !strcmp(name, "Type_get_extent")) {
        if (failed(c) || !type_of(c, address_at(c, 0), &from))
            return STOPS;
        if (name[5] == 's') {
            store_number(c, address_at(c, 1), 4, (uint64_t)from->size);
        } else {
            store_number(c, address_at(c, 1), 8, (uint64_t)from->lower);
            store_number(c, address_at(c, 2), 8, (uint64_t)from->extent);
        }
        return failed(c) ? STOPS : OVER;
    }
    return STOPS;
}
