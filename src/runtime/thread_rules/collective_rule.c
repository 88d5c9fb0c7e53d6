#include "collective_rule.h"

#include <stdlib.h>
#include <string.h>

#include "engine/table.h"
#include "interpose/call.h"

enum object_kind { COMMUNICATOR, WINDOW, FILE_HANDLE, OBJECT_KINDS_OF_RULE };

static const char *const words[OBJECT_KINDS_OF_RULE] = {"communicator", "window", "file"};

struct object_key {
    uint64_t kind, handle;
};

struct collective_object {
    struct object_key key;
    struct encounters calls;
    UT_hash_handle hh;
};

static struct collective_object *objects;

#define KEY(kind_of_it, its_handle)                                                                \
    ({                                                                                             \
        struct object_key key = {.kind = (kind_of_it)};                                            \
        __typeof__(its_handle) handle = (its_handle);                                              \
        memcpy(&key.handle, &handle, sizeof handle);                                               \
        key;                                                                                       \
    })

/* The object that a collective call is on; constructors are on what they make it from. Those that
 * are called by a part of the communicator alone (`late`) tell each other apart by their tag. */
static bool object_of(const struct call *call, struct object_key *key)
{
    const struct routine *routine = call->routine;
    bool on_communicator = routine->object == OBJECT_collective || routine->verb == VERB_creates ||
                           (routine->verb == VERB_starts && routine->object == OBJECT_comm);
    bool marked = routine_is(routine, ATTRIBUTE_collective);
    if (routine_is(routine, ATTRIBUTE_late))
        return false;
    if ((on_communicator || marked) && routine_has(routine, ROLE_comm))
        *key = KEY(COMMUNICATOR, call->comm);
    else if (routine->verb == VERB_frees && routine->object == OBJECT_comm)
        *key = KEY(COMMUNICATOR, call_comm(call, call->freed_comm));
    else if ((routine->object == OBJECT_fence || marked) && routine_has(routine, ROLE_win))
        *key = KEY(WINDOW, call->win);
    else if (routine_has(routine, ROLE_freed_win))
        *key = KEY(WINDOW, call_win(call, call->freed_win));
    else if (marked && routine_has(routine, ROLE_file))
        *key = KEY(FILE_HANDLE, call->file);
    else if (routine_has(routine, ROLE_freed_file))
        *key = KEY(FILE_HANDLE, call_file(call, call->freed_file));
    else
        return false;
    return true;
}

void collective_check(struct hearing *hearing, const struct call *call)
{
    struct object_key key;
    struct collective_object *object;
    if (!object_of(call, &key))
        return;
    HASH_FIND(hh, objects, &key, sizeof key, object);
    if (!object && (object = calloc(1, sizeof *object))) {
        object->key = key;
        HASH_ADD(hh, objects, key, sizeof key, object);
    }
    if (!object)
        return;
    hearing_compare_all(hearing, &object->calls, "thread-collective", CASE_COLLECTIVE_TWICE,
                        words[key.kind]);
    encounters_add(&object->calls, hearing->now);
}

static void forget(struct object_key key)
{
    struct collective_object *object;
    HASH_FIND(hh, objects, &key, sizeof key, object);
    if (!object)
        return;
    HASH_DEL(objects, object);
    encounters_clear(&object->calls);
    free(object);
}

/* A handle that MPI gives out is one of a new object, whatever it named before. */
void collective_over(const struct call *call)
{
    const struct routine *routine = call->routine;
    if (routine_has(routine, ROLE_new_comm))
        forget(KEY(COMMUNICATOR, call_comm(call, call->new_comm)));
    if (routine_has(routine, ROLE_new_win))
        forget(KEY(WINDOW, call_win(call, call->new_win)));
    if (routine_has(routine, ROLE_new_file))
        forget(KEY(FILE_HANDLE, call_file(call, call->new_file)));
}
