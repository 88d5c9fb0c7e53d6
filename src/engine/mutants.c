#include "mutants.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[MUTANTS] = {
    "none",
#define M(name, what) #name,
#include "mutants.def"
#undef M
};

enum mutant mutant_active(void)
{
    static int active = -1; /* test builds only: no globals in the real engine */
    if (active >= 0)
        return (enum mutant)active;
    const char *wanted = getenv("REGATTA_MUTANT");
    active = MUTANT_none;
    for (int i = 0; wanted && *wanted && i <= MUTANTS; i++) {
        if (i == MUTANTS) {
            fprintf(stderr, "regatta: there is no mutant '%s'\n", wanted);
            exit(2);
        }
        if (strcmp(wanted, names[i]) == 0) {
            active = i;
            break;
        }
    }
    return (enum mutant)active;
}
