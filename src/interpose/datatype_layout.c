#include "datatype_layout.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Without memory an entry just stays out of the table: the program must go on. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((void)(entry))
#include <uthash.h>

#include "datatype_shape.h"
#include "interpose/pmpi.h" /* by this name, so that tests can put a stand-in before it */
#include "section_list.h"

struct layout {
    struct shape bytes;
    struct shape elements; /* its sections are empty if they are those of `bytes` */
};

/* Who is done with an entry first leaves it to the other: the table, or MPI, which tells by an
 * attribute of the datatype. */
enum entry_state { IN_USE, DROPPED, GONE };

struct entry {
    uintptr_t handle; /* an int or a pointer, depending on the MPI */
    struct layout *layout;
    bool watched; /* the datatype has our attribute */
    _Atomic enum entry_state state;
    UT_hash_handle hh;
};

/* In front of the table, as nearly all calls of a program use a handful of datatypes. */
#define RECENT_BITS 6
struct recent {
    uintptr_t handle;
    const struct entry *entry; /* NULL: nothing here */
};

struct layout_cache {
    MPI_Datatype null;
    int keyval; /* of the attribute */
    struct recent recent[1 << RECENT_BITS];
    struct entry *entries;
};

struct layout_cache *layout_cache_create(void)
{
    struct layout_cache *cache = calloc(1, sizeof *cache);

    if (cache)
        *cache = (struct layout_cache){.null = datatype_null(), .keyval = MPI_KEYVAL_INVALID};
    return cache;
}

static void layout_free(struct layout *layout)
{
    if (!layout)
        return;
    section_list_free(&layout->bytes.sections);
    section_list_free(&layout->elements.sections);
    free(layout);
}

static void entry_free(struct entry *entry)
{
    layout_free(entry->layout);
    free(entry);
}

static struct recent *recent_slot(struct layout_cache *cache, uintptr_t handle)
{
    return &cache->recent[handle * UINT64_C(0x9E3779B97F4A7C15) >> (64 - RECENT_BITS)];
}

static void forget(struct layout_cache *cache, struct entry *entry)
{
    recent_slot(cache, entry->handle)->entry = NULL;
    HASH_DEL(cache->entries, entry);
    if (!entry->watched || atomic_exchange(&entry->state, DROPPED) == GONE)
        entry_free(entry);
}

void layout_cache_destroy(struct layout_cache *cache)
{
    struct entry *entry, *next;

    if (!cache)
        return;
    HASH_ITER(hh, cache->entries, entry, next)
    forget(cache, entry);
    free(cache);
}

/* ---- the end of a datatype ----
 *
 * The program need not say so: MPICH's mpi_f08 makes a datatype for every array section that it is
 * given, and frees it by a name that nobody can intercept. The next one has the same handle. MPI's
 * attributes tell for sure. The callback may run in any thread, with MPI's locks held: it must not
 * wait for ours. */

static int type_gone(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type, (void)keyval, (void)extra;
    struct entry *entry = value;
    if (atomic_exchange(&entry->state, GONE) == DROPPED)
        entry_free(entry);
    return MPI_SUCCESS;
}

/* MPI_TYPE_NULL_COPY_FN would be a symbol of the MPI library. */
static int copy_nothing(MPI_Datatype type, int keyval, void *extra, void *value, void *copy,
                        int *copies)
{
    (void)type, (void)keyval, (void)extra, (void)value, (void)copy;
    *copies = 0;
    return MPI_SUCCESS;
}

static void watch(struct layout_cache *cache, struct entry *entry, MPI_Datatype type)
{
    if (!pmpi.Type_create_keyval || !pmpi.Type_set_attr)
        return;
    if (cache->keyval == MPI_KEYVAL_INVALID &&
        pmpi.Type_create_keyval(copy_nothing, type_gone, &cache->keyval, NULL) != MPI_SUCCESS)
        return;
    entry->watched = pmpi.Type_set_attr(type, cache->keyval, entry) == MPI_SUCCESS;
}

static bool is_gone(const struct entry *entry)
{
    return atomic_load_explicit(&entry->state, memory_order_acquire) == GONE;
}

static struct layout *compute(MPI_Datatype type)
{
    struct layout *layout = calloc(1, sizeof *layout);

    if (!layout)
        return NULL;
    bool decoded = shape_of(&layout->bytes, type, SHAPE_BYTES);
    if (decoded && layout->bytes.has_gapped_pairs)
        decoded = shape_of(&layout->elements, type, SHAPE_ELEMENTS);
    if (decoded)
        return layout;
    layout_free(layout);
    return NULL;
}

static const struct layout *look_up(struct layout_cache *cache, MPI_Datatype type)
{
    uintptr_t handle = (uintptr_t)type;
    struct entry *entry;

    if (type == cache->null)
        return NULL;
    HASH_FIND(hh, cache->entries, &handle, sizeof handle, entry);
    if (entry && is_gone(entry)) {
        forget(cache, entry);
        entry = NULL;
    }
    if (!entry) {
        /* A failure is kept as well, so that it costs once. */
        entry = calloc(1, sizeof *entry);
        if (!entry)
            return NULL;
        entry->handle = handle;
        entry->layout = compute(type);
        if (!entry->layout || !entry->layout->bytes.predefined)
            watch(cache, entry, type);
        HASH_ADD(hh, cache->entries, handle, sizeof handle, entry);
    }
    if (entry->layout)
        *recent_slot(cache, handle) = (struct recent){handle, entry};
    return entry->layout;
}

const struct layout *layout_of(struct layout_cache *cache, MPI_Datatype type)
{
    const struct recent *recent = recent_slot(cache, (uintptr_t)type);

    if (recent->handle == (uintptr_t)type && recent->entry && !is_gone(recent->entry))
        return recent->entry->layout;
    return look_up(cache, type);
}

bool layout_is_permanent(struct layout_cache *cache, MPI_Datatype type)
{
    const struct layout *layout = layout_of(cache, type);

    return layout && layout->bytes.predefined;
}

void layout_drop(struct layout_cache *cache, MPI_Datatype type)
{
    uintptr_t handle = (uintptr_t)type;
    struct entry *entry;

    HASH_FIND(hh, cache->entries, &handle, sizeof handle, entry);
    /* Freeing a predefined type fails in MPI: it goes on being used. */
    if (!entry || (entry->layout && entry->layout->bytes.predefined))
        return;
    forget(cache, entry);
}

static size_t sections_of(const struct shape *shape, uint64_t base, MPI_Count count,
                          struct section *sections, size_t room)
{
    const struct section_list *pattern = &shape->sections;
    struct section_list list = {.at = sections, .room = room, .fixed = true};

    if (count < 1)
        return 0;
    /* Nearly all calls: a row of contiguous elements, small enough that nothing wraps around. */
    if (room > 0 && pattern->count == 1 && pattern->at[0].count == 1 && count <= INT32_MAX &&
        (int64_t)pattern->at[0].length == shape->extent && shape->extent <= INT32_MAX) {
        sections[0] = (struct section){pattern->at[0].start + base,
                                       pattern->at[0].length * (uint64_t)count, 0, 1};
        return 1;
    }
    for (size_t i = 0; i < pattern->count; i++) {
        struct section first = pattern->at[i];
        first.start += base;
        section_list_repeat(&list, &first, (uint64_t)count, shape->extent);
    }
    return list.failed ? 0 : list.count;
}

size_t layout_sections(const struct layout *layout, uint64_t base, MPI_Count count,
                       struct section *sections, size_t room)
{
    return sections_of(&layout->bytes, base, count, sections, room);
}

size_t layout_elements(const struct layout *layout, uint64_t base, MPI_Count count,
                       struct section *sections, size_t room)
{
    const struct shape *shape = layout->bytes.has_gapped_pairs ? &layout->elements : &layout->bytes;

    return sections_of(shape, base, count, sections, room);
}

bool layout_basic(const struct layout *layout, struct layout_basic *basic)
{
    if (layout->bytes.basics != ONE_BASIC)
        return false;
    *basic = layout->bytes.basic;
    return true;
}
