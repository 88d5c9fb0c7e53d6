#include "copies.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "interpose/buffers.h"
#include "layer.h"
#include "interpose/datatype_layout.h"
#include "interpose/pmpi.h"

static void find_bounds(struct bytes *bytes)
{
    bytes->low = bytes->count ? UINT64_MAX : 0;
    bytes->high = 0;
    for (size_t i = 0; i < bytes->count; i++) {
        uint64_t end = section_end(&bytes->at[i]);
        bytes->low = bytes->at[i].start < bytes->low ? bytes->at[i].start : bytes->low;
        bytes->high = end > bytes->high ? end : bytes->high;
    }
}

bool bytes_of(struct bytes *bytes, const struct buffer *buffer)
{
    layer_lock();
    const struct layout *layout = layout_of(layer.layouts, buffer->type);
    uint64_t base = (uintptr_t)buffer->base;
    bytes->at = bytes->inside;
    bytes->count =
        layout ? layout_sections(layout, base, buffer->count, bytes->inside, BYTES_INSIDE) : 0;
    if (bytes->count > BYTES_INSIDE) {
        bytes->at = malloc(bytes->count * sizeof *bytes->at);
        if (bytes->at)
            layout_sections(layout, base, buffer->count, bytes->at, bytes->count);
    }
    layer_unlock();
    if (!layout || !bytes->at)
        return false;
    find_bounds(bytes);
    return true;
}

bool bytes_of_argument(struct bytes *bytes, const struct call *call, int i, bool *written)
{
    layer_lock();
    struct buffer_bytes argument = buffer_sections(layer.layouts, call, i);
    bytes->count = argument.n;
    bytes->at = argument.n > BYTES_INSIDE ? malloc(argument.n * sizeof *bytes->at) : bytes->inside;
    if (bytes->at && argument.n)
        memcpy(bytes->at, argument.sections, argument.n * sizeof *bytes->at);
    layer_unlock();
    *written = argument.access == BUFFER_WRITE;
    if (!bytes->at)
        return false;
    find_bounds(bytes);
    return true;
}

void bytes_free(struct bytes *bytes)
{
    if (bytes->at != bytes->inside)
        free(bytes->at);
}

#define FOR_EACH_BLOCK(bytes, address, size)                                                       \
    for (size_t i_ = 0; i_ < (bytes)->count; i_++)                                                 \
        for (uint64_t j_ = 0, size = (bytes)->at[i_].length, address;                              \
             j_ < (bytes)->at[i_].count &&                                                         \
             (address = (bytes)->at[i_].start + j_ * (bytes)->at[i_].stride, true);                \
             j_++)

void bytes_forget_type(MPI_Datatype *type)
{
    layer_lock();
    layout_drop(layer.layouts, *type);
    layer_unlock();
    pmpi.Type_free(type);
}

uint64_t bytes_hash(const struct bytes *bytes)
{
    uint64_t hash = 0;
    FOR_EACH_BLOCK(bytes, address, size)
    hash = XXH3_64bits_withSeed((const void *)(uintptr_t)address, size, hash);
    return hash;
}

void bytes_poison(const struct bytes *bytes)
{
    FOR_EACH_BLOCK(bytes, address, size)
    memset((void *)(uintptr_t)address, POISON, size);
}

bool bytes_are_poison(const struct bytes *bytes)
{
    FOR_EACH_BLOCK(bytes, address, size)
    {
        const unsigned char *byte = (const unsigned char *)(uintptr_t)address;
        for (uint64_t i = 0; i < size; i++)
            if (byte[i] != POISON)
                return false;
    }
    return true;
}

void bytes_renew(const struct bytes *bytes, void *copy)
{
    FOR_EACH_BLOCK(bytes, address, size)
    memcpy((char *)copy + (address - bytes->low), (const void *)(uintptr_t)address, size);
}

void bytes_put_back(const struct bytes *bytes, const void *copy)
{
    FOR_EACH_BLOCK(bytes, address, size)
    memcpy((void *)(uintptr_t)address, (const char *)copy + (address - bytes->low), size);
}

void *bytes_copy(const struct bytes *bytes, const void *buffer, uint64_t most, char **base)
{
    uint64_t span = bytes->high - bytes->low;
    char *copy = span > most ? NULL : malloc(span ? span : 1);
    if (!copy)
        return NULL;
    bytes_renew(bytes, copy);
    /* The datatype's displacements count from the buffer's address: it may lie before the copy. */
    *base = (char *)((uintptr_t)copy + ((uintptr_t)buffer - bytes->low));
    return copy;
}
