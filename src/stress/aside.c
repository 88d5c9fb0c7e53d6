#include "aside.h"

#include <stdlib.h>

#include "copies.h"
#include "fingerprint.h"
#include "reports.h"

/* Larger buffers are left to MPI. And nothing that a program may name lies below. */
enum { ASIDE_MOST = 16 << 20, FIRST_ADDRESS = 4096 };

struct part {
    struct bytes bytes; /* the program's */
    bool is_ours, written;
    uint64_t hash; /* of what MPI reads, at the start */
    void *copy;    /* of what MPI writes: it does so here */
};

struct aside {
    bool reduces, in_place;
    struct part parts[ROUTINE_MAX_BUFFERS];
};

static bool overlap(const struct part *a, const struct part *b)
{
    return a->is_ours && b->is_ours && (a->written || b->written) && a->bytes.low < b->bytes.high &&
           b->bytes.low < a->bytes.high;
}

/* Whether MPI reads more of the receive buffer than it writes: MPI_IN_PLACE in Reduce_scatter and
 * its like. */
static bool reads_all_in_place(const struct call *call)
{
    const struct routine *routine = call->routine;
    return routine_has(routine, ROLE_op) && call->buffers[0].base == MPI_IN_PLACE &&
           routine->buffers[0].blocks != routine->buffers[1].blocks;
}

static bool can_be_aside(const struct call *call)
{
    return call->comm != handles.comm_null && call->routine->nbuffers > 0 &&
           !reads_all_in_place(call);
}

/* False if the call must be left alone. */
static bool take_part(struct part *part, const struct call *call, int i)
{
    if (!bytes_of_argument(&part->bytes, call, i, &part->written))
        return false;
    part->is_ours = true;
    return part->bytes.count == 0 || part->bytes.low >= FIRST_ADDRESS;
}

/* Legal: until a nonblocking collective is complete the program may neither look at what it
 * receives nor change what it sends (MPI-4.0 §6.12), so it cannot tell where the data are
 * meanwhile. The copy has the same layout and begins with the program's data, since MPI reads them
 * if the send buffer is MPI_IN_PLACE. Buffers that overlap, which MPI may object to, are handed on
 * as they are. */
struct aside *aside_make(struct call *call)
{
    struct aside *aside = can_be_aside(call) ? calloc(1, sizeof *aside) : NULL;
    if (!aside)
        return NULL;
    bool fine = true;
    aside->reduces = routine_has(call->routine, ROLE_op);
    for (int i = 0; i < call->routine->nbuffers; i++)
        aside->in_place |= call->buffers[i].base == MPI_IN_PLACE;
    for (int i = 0; fine && i < call->routine->nbuffers; i++) {
        fine = take_part(&aside->parts[i], call, i);
        for (int j = 0; fine && j < i; j++)
            fine = !overlap(&aside->parts[i], &aside->parts[j]);
    }
    for (int i = 0; fine && i < call->routine->nbuffers; i++) {
        struct part *part = &aside->parts[i];
        char *base;
        if (!part->written || part->bytes.count == 0)
            continue;
        part->copy = bytes_copy(&part->bytes, call->buffers[i].base, ASIDE_MOST, &base);
        fine = part->copy != NULL;
        held(call)->instead[i] = fine ? base : NULL;
    }
    if (fine)
        return aside;
    for (int i = 0; i < call->routine->nbuffers; i++)
        held(call)->instead[i] = NULL;
    aside_free(aside);
    return NULL;
}

void aside_hide(struct aside *aside)
{
    for (int i = 0; i < ROUTINE_MAX_BUFFERS; i++) {
        struct part *part = &aside->parts[i];
        if (part->copy) {
            /* A persistent one: what MPI only writes stays as it is, since MPICH 4.0.2 copies the
             * root's own part of MPI_Gather_init already there, and never again. */
            if (aside->in_place)
                bytes_renew(&part->bytes, part->copy);
            bytes_poison(&part->bytes);
        } else if (part->is_ours) {
            part->hash = bytes_hash(&part->bytes);
        }
    }
}

void aside_deliver(struct aside *aside, struct site *site, const struct routine *routine)
{
    for (int i = 0; i < ROUTINE_MAX_BUFFERS; i++) {
        struct part *part = &aside->parts[i];
        if (!part->is_ours)
            continue;
        if (part->copy ? !bytes_are_poison(&part->bytes) : bytes_hash(&part->bytes) != part->hash)
            report_changed(site, routine, !part->copy, part->bytes.high - part->bytes.low);
        if (!part->copy)
            continue;
        bytes_put_back(&part->bytes, part->copy);
        /* Reductions may add up in the order of arrival. */
        if (!aside->reduces)
            fingerprint_received(site, routine, MPI_ANY_SOURCE, 0, &part->bytes);
    }
}

void aside_undo(struct aside *aside)
{
    for (int i = 0; i < ROUTINE_MAX_BUFFERS; i++)
        if (aside->parts[i].copy)
            bytes_put_back(&aside->parts[i].bytes, aside->parts[i].copy);
}

void aside_free(struct aside *aside)
{
    for (int i = 0; i < ROUTINE_MAX_BUFFERS; i++) {
        if (aside->parts[i].is_ours)
            bytes_free(&aside->parts[i].bytes);
        free(aside->parts[i].copy);
    }
    free(aside);
}
