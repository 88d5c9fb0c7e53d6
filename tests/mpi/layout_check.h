/* What the tests of layouts have in common: one cache, the sections of a type, the life of MPI. To
 * be included by one file of a program. */
#ifndef REGATTA_TESTS_LAYOUT_CHECK_H
#define REGATTA_TESTS_LAYOUT_CHECK_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "byte_oracle.h"
#include "datatype_layout.h"
#include "interpose/pmpi.h"
#include "pmpi_counted.h"

static struct layout_cache *cache;

#define MANY 8
static struct section found[MANY];

static inline size_t sections(MPI_Datatype type, MPI_Count count)
{
    const struct layout *layout = layout_of(cache, type);

    assert_non_null(layout);
    memset(found, 0, sizeof found);
    return layout_sections(layout, 0, count, found, MANY);
}

/* Datatypes are made for one test and freed at its end. */
static inline void discard(MPI_Datatype type)
{
    layout_drop(cache, type);
    MPI_Type_free(&type);
    assert_int_equal(pmpi_handles_held, 0);
}

static inline void assert_found(size_t which, int64_t start, uint64_t length, uint64_t stride,
                                uint64_t count)
{
    assert_int_equal(found[which].start, start);
    assert_int_equal(found[which].length, length);
    assert_int_equal(found[which].stride, stride);
    assert_int_equal(found[which].count, count);
}

static int start_mpi(void **state)
{
    (void)state;
    MPI_Init(NULL, NULL);
    cache = layout_cache_create();
    return cache == NULL;
}

static int end_mpi(void **state)
{
    (void)state;
    layout_cache_destroy(cache);
    return MPI_Finalize();
}

#endif
