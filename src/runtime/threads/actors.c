#include "actors.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "actor_state.h"

atomic_bool actors_watched, actors_concurrent;
void (*actors_settle)(void), (*actors_concur)(void), (*actors_calm)(void);
void (*actors_stack_dead)(uint64_t low, uint64_t high);

/* The first actor must be there before anything else, also without memory. `made` only grows;
 * states change with the lock held. */
static struct {
    _Atomic uint32_t lock;
    _Atomic uint32_t made; /* numbers that have ever been used */
    _Atomic uint32_t alive;
    uint64_t ends; /* with the lock held */
    struct actor *by_number[ACTORS];
} actors;

void spin_lock(_Atomic uint32_t *lock)
{
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire))
        sched_yield();
}

void spin_unlock(_Atomic uint32_t *lock)
{
    atomic_store_explicit(lock, 0, memory_order_release);
}

/* ---- making them ---- */

/* What an actor knows is read by others meanwhile, so its place never changes. Memory is taken
 * where it is touched. */
static bool reserve_all(struct knowledge *knowledge)
{
    size_t size = ACTORS * sizeof *knowledge->times;
    void *times = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (times == MAP_FAILED)
        return false;
    knowledge->times = times;
    knowledge->room = ACTORS;
    return true;
}

static struct actor *make(uint32_t number)
{
    struct actor *actor = calloc(1, sizeof *actor);
    if (!actor || !reserve_all(&actor->known) || !reserve_all(&actor->sure)) {
        free(actor);
        return NULL;
    }
    actor->number = number;
    actor->state = ACTOR_ENDED;
    actors.by_number[number] = actor;
    atomic_store(&actors.made, number + 1);
    return actor;
}

/* The thread that loads this library is the first one. */
static __attribute__((constructor(101))) void begin(void)
{
    struct actor *first = make(0);
    if (!first)
        return;
    first->now = 1;
    first->state = ACTOR_ALIVE;
    atomic_store(&actors.alive, 1);
    runtime_here.actor = first;
}

/* How many that ended are kept for the sake of those who do not know of their end. Beyond it the
 * oldest number is used again all the same: whoever knows the new one seems to know the old one,
 * too. That can miss a race, it invents none. */
enum { ENDED_KEPT = 256 };

static struct actor *pick(const struct actor *parent)
{
    struct actor *oldest = NULL;
    uint32_t ended = 0, made = atomic_load(&actors.made);
    for (uint32_t i = 1; i < made; i++) {
        struct actor *actor = actors.by_number[i];
        if (actor->state != ACTOR_ENDED || actor->kept)
            continue;
        if (knowledge_of(&parent->known, i) >= actor->acted)
            return actor;
        ended++;
        if (!oldest || actor->ended_as < oldest->ended_as)
            oldest = actor;
    }
    if (made < ACTORS && ended < ENDED_KEPT) {
        struct actor *actor = make(made);
        if (actor)
            return actor;
    }
    return oldest;
}

struct actor *actor_by_number(uint32_t number)
{
    return number < atomic_load_explicit(&actors.made, memory_order_acquire)
               ? actors.by_number[number]
               : NULL;
}

/* ---- what they know ---- */

void actor_settle(void)
{
    if (actors_settle)
        actors_settle();
}

static void outdate_past(struct actor *actor)
{
    past_drop(actor->past);
    actor->past = NULL;
}

/* Its knowledge leaves it: everything from now on is later. */
static void advance(struct actor *actor)
{
    knowledge_learn(&actor->known, actor->number, actor->now);
    knowledge_learn(&actor->sure, actor->number, actor->now);
    actor->now++;
    outdate_past(actor);
}

/* One is left, and knows all that the others did. */
static void calm_down(const struct actor *left)
{
    uint32_t made = atomic_load(&actors.made);
    if (!actors_are_concurrent() || atomic_load(&actors.alive) > 1 || left->state != ACTOR_ALIVE)
        return;
    for (uint32_t i = 0; i < made; i++)
        if (i != left->number && knowledge_of(&left->known, i) < actors.by_number[i]->acted)
            return;
    atomic_store(&actors_concurrent, false);
    if (actors_calm)
        actors_calm();
}

static void learn(struct actor *actor, const struct knowledge *known)
{
    if (knowledge_join(&actor->known, known)) {
        actor->version++;
        outdate_past(actor);
        calm_down(actor);
    }
}

void actor_advance(void)
{
    if (runtime_here.actor && actors_are_watched())
        advance(runtime_here.actor);
}

void actor_learn_past(const struct past *past)
{
    if (!runtime_here.actor || !past)
        return;
    learn(runtime_here.actor, &past->known);
    knowledge_join(&runtime_here.actor->sure, &past->known);
}

void actor_learn_known_by_lock(const struct knowledge *known)
{
    learn(runtime_here.actor, known);
}

void actor_learn_known(const struct knowledge *known)
{
    learn(runtime_here.actor, known);
    knowledge_join(&runtime_here.actor->sure, known);
}

uint32_t actor_current(void)
{
    return runtime_here.actor ? runtime_here.actor->number : 0;
}

bool actor_is_seen(void)
{
    return runtime_here.actor != NULL;
}

uint32_t actor_fork(void)
{
    struct actor *parent = runtime_here.actor;
    if (!parent)
        return ACTOR_NONE;
    actor_settle();
    spin_lock(&actors.lock);
    struct actor *child = pick(parent);
    if (child) {
        child->state = ACTOR_ALIVE;
        atomic_fetch_add(&actors.alive, 1);
    }
    spin_unlock(&actors.lock);
    if (!child)
        return ACTOR_NONE;
    atomic_store(&actors_watched, true);
    if (!atomic_exchange(&actors_concurrent, true) && actors_concur)
        actors_concur();
    advance(parent);
    child->now++; /* later than all that this number ever did */
    child->lock_count = 0;
    child->passed.count = child->fenced.count = 0;
    learn(child, &parent->known);
    knowledge_join(&child->sure, &parent->sure);
    child->version++;
    return child->number;
}

/* Where the stack of this thread ends. 0: not asked yet. Thread-local variables lie above its first
 * frame, and go with the thread. */

static void give_stack_back(uintptr_t high)
{
    pthread_attr_t how;
    void *low;
    size_t size;
    if (!actors_are_concurrent() || !actors_stack_dead)
        return;
    if (!runtime_here.stack_low && pthread_getattr_np(pthread_self(), &how) == 0) {
        if (pthread_attr_getstack(&how, &low, &size) == 0) {
            runtime_here.stack_low = (uintptr_t)low;
            runtime_here.stack_high = runtime_here.stack_low + size;
        }
        pthread_attr_destroy(&how);
    }
    if (runtime_here.stack_low && runtime_here.stack_low < high)
        actors_stack_dead(runtime_here.stack_low,
                          high < runtime_here.stack_high ? high : runtime_here.stack_high);
}

void actor_run(uint32_t number)
{
    actor_settle();
    if (runtime_here.actor)
        give_stack_back((uintptr_t)__builtin_frame_address(0));
    runtime_here.actor = number == ACTOR_NONE ? NULL : actor_by_number(number);
    if (runtime_here.actor)
        runtime_here.actor->thread = actor_thread_number();
}

void actor_rest(void)
{
    actor_settle();
    if (runtime_here.actor)
        give_stack_back((uintptr_t)__builtin_frame_address(0));
    runtime_here.actor = NULL;
}

void actor_thread_ends(void)
{
    actor_settle();
    if (runtime_here.actor)
        give_stack_back(UINTPTR_MAX);
}

void actor_end(uint32_t number)
{
    struct actor *actor = actor_by_number(number);
    if (!actor)
        return;
    if (actor == runtime_here.actor) {
        actor_settle();
        give_stack_back((uintptr_t)__builtin_frame_address(0));
    }
    spin_lock(&actors.lock);
    if (actor->state == ACTOR_ALIVE) {
        actor->state = ACTOR_ENDED;
        actor->ended_as = ++actors.ends;
        atomic_fetch_sub(&actors.alive, 1);
    }
    spin_unlock(&actors.lock);
    if (actor == runtime_here.actor)
        runtime_here.actor = NULL;
    else if (runtime_here.actor)
        calm_down(runtime_here.actor);
}

void actor_keep(uint32_t number, bool kept)
{
    struct actor *actor = actor_by_number(number);
    if (actor)
        actor->kept = kept;
}

void actor_learn(uint32_t number)
{
    struct actor *other = actor_by_number(number), *actor = runtime_here.actor;
    if (!other || !actor || other == actor)
        return;
    actor_settle();
    learn(actor, &other->known);
    knowledge_learn(&actor->known, number, other->now);
    knowledge_join(&actor->sure, &other->sure);
    knowledge_learn(&actor->sure, number, other->now);
    actor->version++;
    outdate_past(actor);
    calm_down(actor);
}

struct moment actor_moment(void)
{
    struct actor *actor = runtime_here.actor;
    if (!actor || !actors_are_watched())
        return (struct moment){0, 0};
    actor->acted = actor->now;
    return (struct moment){actor->number, actor->now};
}

/* Who is not seen knows everything, and everybody knows of it. */
static bool knows(const struct actor *actor, const struct knowledge *known, struct moment moment)
{
    return moment.time == 0 || moment.actor == actor->number ||
           moment.time <= knowledge_of(known, moment.actor);
}

bool actor_knows(struct moment moment)
{
    return !runtime_here.actor || knows(runtime_here.actor, &runtime_here.actor->known, moment);
}

bool actor_surely_knows(struct moment moment)
{
    return !runtime_here.actor || knows(runtime_here.actor, &runtime_here.actor->sure, moment);
}

struct past *actor_past(void)
{
    struct actor *actor = runtime_here.actor;
    if (!actor || !actors_are_watched())
        return NULL;
    if (!actor->past) {
        struct past *past = calloc(1, sizeof *past);
        if (!past)
            return NULL;
        past->references = 1;
        past->actor = actor->number;
        past->time = actor->now;
        knowledge_copy(&past->known, &actor->known);
        knowledge_learn(&past->known, actor->number, actor->now);
        actor->past = past;
    }
    return past_keep(actor->past);
}

struct past *past_keep(struct past *past)
{
    if (past)
        __atomic_fetch_add(&past->references, 1, __ATOMIC_RELAXED);
    return past;
}

void past_drop(struct past *past)
{
    if (!past || __atomic_sub_fetch(&past->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    knowledge_clear(&past->known);
    free(past);
}

bool past_knows(const struct past *past, struct moment moment)
{
    if (!past)
        return false;
    return moment.time == 0 || moment.time <= knowledge_of(&past->known, moment.actor);
}

bool actors_all_know(struct moment moment)
{
    uint32_t made = atomic_load_explicit(&actors.made, memory_order_acquire);
    if (moment.time == 0)
        return true;
    for (uint32_t i = 0; i < made; i++) {
        const struct actor *actor = actors.by_number[i];
        if (actor->state == ACTOR_ALIVE && i != moment.actor &&
            __atomic_load_n(&actor->known.times[moment.actor], __ATOMIC_RELAXED) < moment.time)
            return false;
    }
    return true;
}

uint32_t actors_alive(void)
{
    return atomic_load_explicit(&actors.alive, memory_order_relaxed);
}

/* ---- threads of the system ---- */

static _Atomic uint32_t threads;

uint32_t actor_new_thread_number(void)
{
    if (atomic_load(&threads) == 0)
        atomic_store(&threads, 1); /* 0 is the first one's */
    return atomic_fetch_add(&threads, 1);
}

void actor_set_thread_number(uint32_t number)
{
    runtime_here.numbered = number + 1;
}

uint32_t actor_thread_number(void)
{
    if (!runtime_here.numbered)
        actor_set_thread_number(
            runtime_here.actor && runtime_here.actor->number == 0 ? 0 : actor_new_thread_number());
    return runtime_here.numbered - 1;
}

uint32_t actor_thread_of(uint32_t number)
{
    const struct actor *actor = actor_by_number(number);
    return actor ? actor->thread : 0;
}

void actor_set_main_thread(void)
{
    runtime_here.is_main = true;
}

bool actor_is_main_thread(void)
{
    return runtime_here.is_main;
}
