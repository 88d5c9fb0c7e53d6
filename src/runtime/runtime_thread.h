/* All that the detector keeps of one thread of the system (interpose/interpose_thread.h has the
 * rest). Nobody but the thread itself reads or writes it, so it needs no lock; a signal handler may
 * interrupt whoever does, and reads `has_lock` first. It begins as zeros and is gone with the
 * thread: nothing here owns memory. No other variable of src/runtime is thread-local
 * (tests/rooms/thread_state). */
#ifndef REGATTA_RUNTIME_RUNTIME_THREAD_H
#define REGATTA_RUNTIME_RUNTIME_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct actor;
struct once_call;
struct page_place;
struct sync;
struct task;

/* Powers of two. */
enum { THREAD_SYNCS = 64, THREAD_CALLERS = 16, THREAD_GAPS = 32 };

/* A gap is within its block and ends at the block's ends at the latest (memory/accesses.c). */
struct gap {
    unsigned long long change; /* the block's, plus one: 0 remembers nothing */
    uint64_t low, high;
};

struct runtime_thread {
    /* The session's lock (session.h): it is biased towards this thread; this thread has it. */
    bool is_owner, has_lock;
    bool is_main;        /* it has initialised MPI */
    bool board_is_taken; /* across nodes, by this thread (transport/transport.c) */
    bool looks_up_free;  /* memory/renewals.c */
    bool has_asked;      /* for a place: there may be none */
    /* The MPI call that it is in: stack pointer of the caller and return address; NULL if none. */
    const void *mpi_frame, *mpi_caller;
    struct page_place *place;         /* NULL: there is no page, or no room in it for this thread */
    struct actor *actor;              /* NULL: it is not seen */
    struct task *task;                /* of OpenMP; NULL: none */
    struct once_call *once_calls;     /* innermost first, on its stack */
    uint32_t numbered;                /* its number for reports, plus one; 0: it has none yet */
    int exit_rounds;                  /* destructors of the thread's keys that have come */
    uintptr_t stack_low, stack_high;  /* 0: not asked */
    uint64_t renewed;                 /* memory that was given back, and all is done about it */
    int ignored[2];                   /* loads, stores: how often the program has asked for it */
    struct sync *syncs[THREAD_SYNCS]; /* found last; objects in the table stay there */
    /* The same places call again and again: some that are the program's (threads/own_calls.c). */
    struct {
        uintptr_t at;
        unsigned ranges; /* that were known */
    } callers[THREAD_CALLERS];
    struct gap gaps[2][THREAD_GAPS]; /* for loads, for stores */
};
extern __thread struct runtime_thread runtime_here;

#endif
