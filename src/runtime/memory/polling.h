/* Whether the loads of a place in the code look for a value that another rank is to bring: they
 * come to the same bytes again, and nothing has made all ranks wait for each other meanwhile. Where
 * nothing else is told to the engine between two loads of one value, no MPI call above all, the
 * second one is such a look already; otherwise, or of whole arrays, there have to be more. */
#ifndef REGATTA_RUNTIME_POLLING_H
#define REGATTA_RUNTIME_POLLING_H

#include <stdbool.h>
#include <stdint.h>

struct polling {
    uint64_t address; /* of the latest access, */
    unsigned repeats; /* how often it was that one in a row, */
    uint64_t worlds;  /* and how often all ranks had waited for each other then */
};

enum { POLLING_LOOKS = 4, POLLED_BYTES = 8 };

/* The first access, or the next one behind something that was told. True: it is polling. */
static inline bool polling_resumes(struct polling *polling, uint64_t address, uint64_t worlds)
{
    bool again = address == polling->address && worlds == polling->worlds;
    *polling = (struct polling){address, again ? polling->repeats + 1 : 0, worlds};
    return polling->repeats >= POLLING_LOOKS;
}

/* The next one, nothing having been told in between. */
static inline bool polling_goes_on(struct polling *polling, uint64_t address, uint64_t bytes)
{
    polling->repeats = address == polling->address ? polling->repeats + 1 : 0;
    polling->address = address;
    return polling->repeats >= (bytes <= POLLED_BYTES ? 1 : POLLING_LOOKS);
}

#endif
