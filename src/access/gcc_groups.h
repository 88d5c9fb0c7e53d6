// Checks that share one look at the flags. Include <vector> by INCLUDE_VECTOR, for gcc's sake.
#ifndef REGATTA_ACCESS_GCC_GROUPS_H
#define REGATTA_ACCESS_GCC_GROUPS_H

#include "gcc_passes.h"

struct check_group {
    struct member {
        check what;       // or a call that tells of a sweep
        bool single;      // a check of an access that does not cross a page
        HOST_WIDE_INT at; // bytes behind the address of the first one
    };
    enum : size_t { NONE = (size_t)-1 };
    std::vector<member> members;     // in the order of the program
    HOST_WIDE_INT low = 0, high = 0; // their bytes, likewise
    size_t known = NONE;             // number of the group whose flag tells about this one
    edge place = NULL;               // where the flag is looked at; NULL: in front of the first one
};

// All that are to be compiled in; those that are known come behind the others. Needs loops.
std::vector<check_group> group_checks(function *fun);

#endif
