/* Random nested datatypes against MPI_Pack and MPI_Unpack.
 *     layout_random_test [seed [types]]
 * Prints the seed of the first datatype that differs and how it was made. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "byte_oracle.h"
#include "pmpi_counted.h"
#include "random_type.h"

static bool basic_agrees(const struct layout *layout, const struct random_type *made)
{
    struct layout_basic basic;
    MPI_Count size;

    MPI_Type_size_x(made->type, &size);
    bool expected = made->uniform && size > 0;
    if (layout_basic(layout, &basic) != expected)
        return false;
    return !expected || basic.type == made->basic;
}

/* Elements are the bytes and what pair types have between them. */
static bool elements_agree(const struct layout *layout, int count)
{
    struct section bytes, elements;
    size_t sections = layout_sections(layout, 0, count, &bytes, 1);
    size_t blocks = layout_elements(layout, 0, count, &elements, 1);

    return (sections == 0) == (blocks == 0);
}

static struct random_type made;

/* MPI_Unpack itself may die of a datatype: say which. */
static void crashed(int signal)
{
    ssize_t ignored = write(STDOUT_FILENO, "\ncrashed with ", 14);
    ignored = write(STDOUT_FILENO, made.text, strlen(made.text));
    ignored = write(STDOUT_FILENO, "\n", 1);
    (void)ignored;
    _exit(128 + signal);
}

static bool check(uint64_t seed, struct layout_cache *cache)
{
    bool good = true;

    random_seed(seed);
    random_type_make(&made, random_between(1, 4));
    for (int i = 0; i < 2 && good; i++) {
        int count = i == 0 ? 1 : random_between(0, 6);
        if (!oracle_can_hold(made.type, count))
            continue;
        const struct layout *layout = layout_of(cache, made.type);
        good = layout && layout == layout_of(cache, made.type) &&
               oracle_agrees(layout, made.type, count) && basic_agrees(layout, &made) &&
               elements_agree(layout, count) && pmpi_handles_held == 0;
        if (!good)
            printf("seed %llu: %d x %s (%ld handles held)\n", (unsigned long long)seed, count,
                   made.text, pmpi_handles_held);
    }
    layout_drop(cache, made.type);
    random_type_free(&made);
    return good;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20201;
    uint64_t types = argc > 2 ? strtoull(argv[2], NULL, 0) : 4000;
    unsigned long failures = 0;

    MPI_Init(&argc, &argv);
    signal(SIGFPE, crashed);
    signal(SIGSEGV, crashed);
    signal(SIGABRT, crashed);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("seeds %llu … %llu\n", (unsigned long long)seed, (unsigned long long)(seed + types - 1));
    struct layout_cache *cache = layout_cache_create();
    for (uint64_t i = 0; i < types && failures < 10; i++)
        failures += !check(seed + i, cache);
    layout_cache_destroy(cache);
    MPI_Finalize();
    return failures > 0;
}
