/* Layouts: which bytes a datatype touches.
 *
 * The layout of a datatype is its type map without the types: the bytes that one element reads or
 * writes, relative to the buffer address, as a short list of sections. Gaps are not in it, neither
 * those between elements nor those inside a pair type such as MPI_SHORT_INT. Layouts are computed
 * once per datatype from MPI's own description of it (MPI-4.0 §5.1.13) and kept until it is freed.
 *
 * In: datatype handles. Out: sections. Must not know: what the bytes are used for.
 *
 * A cache is not thread-safe; whoever owns it serialises the calls. All MPI routines are called
 * through `pmpi`, only local ones, so a lock may be held meanwhile. */
#ifndef REGATTA_INTERPOSE_DATATYPE_LAYOUT_H
#define REGATTA_INTERPOSE_DATATYPE_LAYOUT_H

#include <mpi.h>

#include "engine/section.h"

struct layout;
struct layout_cache;

/* NULL if there is no memory. MPI must be loaded, it need not be initialised. */
struct layout_cache *layout_cache_create(void);
void layout_cache_destroy(struct layout_cache *cache);

/* The layout of `type`, from the cache or computed; a few nanoseconds if it was asked for lately.
 * It lives until layout_drop of that handle or until MPI frees the datatype. NULL if the type is
 * MPI_DATATYPE_NULL or cannot be decoded (a combiner of a later standard, no memory, more than
 * SECTION_LIST_MAX sections): then the bytes are unknown. `type` must otherwise be a valid handle,
 * committed or not. */
const struct layout *layout_of(struct layout_cache *cache, MPI_Datatype type);

/* Whether it is a predefined type. The handles of others may be freed unseen, so nobody may keep
 * them for later. */
bool layout_is_permanent(struct layout_cache *cache, MPI_Datatype type);

/* Forgets a datatype that is about to be freed. If it is freed unseen, its layout is not used any
 * more either. */
void layout_drop(struct layout_cache *cache, MPI_Datatype type);

/* The bytes of `count` elements at `base` (0 for MPI_BOTTOM). Writes at most `room` sections and
 * returns how many there are, like snprintf; contiguous types have one. Their union is exact;
 * they overlap only where the datatype does. None for a count below 1, or if the bytes do
 * not fit into the address space. */
size_t layout_sections(const struct layout *layout, uint64_t base, MPI_Count count,
                       struct section *sections, size_t room);

/* The predefined type that a datatype is made of, which decides atomicity of accumulates. */
struct layout_basic {
    MPI_Datatype type;
    int id; /* the same in all processes of this MPI; tells all predefined types apart */
    uint64_t
        size; /* bytes from its first to its last, with the gap if it is a pair type that has one */
};

/* False if the datatype has no data or consists of different predefined types. */
bool layout_basic(const struct layout *layout, struct layout_basic *basic);

/* Like layout_sections, but each pair such as MPI_SHORT_INT counts with its inner gap: every
 * block is a row of whole elements of layout_basic, which begin at block start + k * size.
 * The same as layout_sections for all datatypes without such pairs. */
size_t layout_elements(const struct layout *layout, uint64_t base, MPI_Count count,
                       struct section *sections, size_t room);

#endif
