/* Deliberate faults, for proving that the tests would notice them. MUTANT(name) is the constant 0
 * unless the build option REGATTA_MUTANTS is on; then it is true while that fault is switched on.
 * The list of faults, with what each one breaks, is mutants.def. */
#ifndef REGATTA_ENGINE_MUTANTS_H
#define REGATTA_ENGINE_MUTANTS_H

#ifdef REGATTA_MUTANTS
enum mutant {
    MUTANT_none,
#define M(name, what) MUTANT_##name,
#include "mutants.def"
#undef M
    MUTANTS
};
/* The one that is on: read from the environment variable REGATTA_MUTANT when it is first asked for.
 */
enum mutant mutant_active(void);
#define MUTANT(name) (mutant_active() == MUTANT_##name)
#else
#define MUTANT(name) 0
#endif

#endif
