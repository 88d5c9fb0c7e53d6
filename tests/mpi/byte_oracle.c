#include "byte_oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char written[2 * ORACLE_REACH]; /* by MPI_Unpack: 1 where a byte changed */
static unsigned char claimed[2 * ORACLE_REACH]; /* by the layout: 1 where a section is */
static unsigned char buffer[2 * ORACLE_REACH];

bool oracle_can_hold(MPI_Datatype type, int count)
{
    MPI_Aint lower, extent, true_lower, true_extent;
    MPI_Count bytes;

    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    MPI_Type_size_x(type, &bytes);
    MPI_Aint reach = count > 0 ? (count - 1) * extent : 0;
    MPI_Aint low = true_lower + (reach < 0 ? reach : 0);
    MPI_Aint high = true_lower + true_extent + (reach > 0 ? reach : 0);
    return low > -ORACLE_REACH / 2 && high < ORACLE_REACH / 2 && bytes * count < ORACLE_REACH;
}

static void unpack_marks(MPI_Datatype type, int count, unsigned char blank, unsigned char mark)
{
    int size, position = 0;

    MPI_Pack_size(count, type, MPI_COMM_SELF, &size);
    unsigned char *stream = malloc((size_t)size + 1);
    memset(stream, mark, (size_t)size + 1);
    memset(buffer, blank, sizeof buffer);
    MPI_Unpack(stream, size, &position, buffer + ORACLE_REACH, count, type, MPI_COMM_SELF);
    for (size_t i = 0; i < sizeof buffer; i++)
        written[i] |= buffer[i] != blank;
    free(stream);
}

/* Whether MPI_Pack reads claimed bytes only. */
static bool packs_only_claimed(MPI_Datatype type, int count)
{
    int size, position = 0;
    bool good = true;

    MPI_Pack_size(count, type, MPI_COMM_SELF, &size);
    unsigned char *stream = malloc((size_t)size + 1);
    MPI_Pack(claimed + ORACLE_REACH, count, type, stream, size, &position, MPI_COMM_SELF);
    for (int i = 0; i < position; i++)
        good = good && stream[i] == 1;
    free(stream);
    return good;
}

static bool canonical(const struct section *section)
{
    return section->length > 0 && section->count > 0 &&
           (section->count == 1 ? section->stride == 0 : section->stride > section->length);
}

static bool claim(const struct section *section)
{
    for (uint64_t block = 0; block < section->count; block++) {
        uint64_t at = section->start + block * section->stride + ORACLE_REACH;
        if (at >= sizeof claimed || section->length > sizeof claimed - at)
            return false;
        memset(claimed + at, 1, section->length);
    }
    return true;
}

static bool differs(const char *what, long at)
{
    printf("layout differs: %s at byte %ld\n", what, at);
    return false;
}

static bool claim_all(const struct layout *layout, int count)
{
    size_t number = layout_sections(layout, 0, count, NULL, 0);
    struct section *sections = malloc((number + 1) * sizeof *sections);
    bool good = layout_sections(layout, 0, count, sections, number) == number;

    memset(claimed, 0, sizeof claimed);
    for (size_t i = 0; i < number && good; i++) {
        good = canonical(&sections[i]) && claim(&sections[i]);
        if (!good)
            differs("section not canonical or out of reach", (long)sections[i].start);
    }
    free(sections);
    return good;
}

bool oracle_agrees(const struct layout *layout, MPI_Datatype type, int count)
{
    if (!claim_all(layout, count))
        return false;
    memset(written, 0, sizeof written);
    unpack_marks(type, count, 0xA5, 0x5A);
    unpack_marks(type, count, 0xFF, 0x00);
    for (size_t i = 0; i < sizeof written; i++)
        if (written[i] != claimed[i])
            return differs(written[i] ? "missing" : "not written by MPI", (long)i - ORACLE_REACH);
    if (!packs_only_claimed(type, count))
        return differs("MPI_Pack reads more", 0);
    return true;
}
