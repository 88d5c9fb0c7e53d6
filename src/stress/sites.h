/* Sites: the places in the program that operations come from, and what the operations of each
 * touched. */
#ifndef REGATTA_STRESS_SITES_H
#define REGATTA_STRESS_SITES_H

#include <stdint.h>

#include "interpose/stacks.h"

struct stressed_window;
struct touch;

struct site {
    const struct stack *stack;
    uint64_t number;      /* in the records, where it stands */
    uint32_t name;        /* the same in every run of the same program: module and offset */
    unsigned long prints; /* fingerprints of what its operations received */
    bool reported;        /* a changed buffer of this site was reported */
};

/* The site of a stack; NULL without memory. Needs layer_lock. */
struct site *site_of(const struct stack *stack);

/* An operation of this kind touched these bytes of a target's part of a window; what is returned
 * takes more of them, and is NULL without memory. Needs layer_lock. */
struct touch *sites_touched(struct site *site, const char *call, uint64_t window, int target,
                            uint64_t low, uint64_t high);
void touch_extend(struct touch *touch, uint64_t low, uint64_t high);
/* Writes the final ranges of all into the records. */
void sites_record(void);

#endif
