/* The page of a process: what its threads are in, in a small file that is mapped by the process and
 * read by the command, also after the process was killed. The process only ever stores into it.
 *
 *   place    of one thread: the MPI call that it is in or was in last, and its arguments
 *   item     one thing that the call is about: its own arguments, or an operation behind a request
 *            that it waits for, or one rank of a group
 *   group    a communicator, or the group of a window: a name that all its members have for it,
 *            who they are, and how many collective operations this process has begun on it
 *   channel  messages of one communicator and tag to or from one rank: how many were begun here
 *   lock     a lock that this process has asked for and not given back
 *   module   a file of code in the process, so that addresses can be told from outside
 *
 * Both sides are built from the same source; `format` guards against a mixture. About 140 KiB. */
#ifndef REGATTA_ENDS_PAGE_H
#define REGATTA_ENDS_PAGE_H

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    PAGE_FORMAT = 3,
    PAGE_THREADS = 32, /* that call MPI; those beyond are not told of */
    PAGE_ITEMS = 16,   /* of a call; it may have more, then the rest is not known */
    PAGE_GROUPS = 64,
    PAGE_CHANNELS = 256,
    PAGE_LOCKS = 64,
    PAGE_MODULES = 96,
    PAGE_FRAMES = 32,
    PAGE_SCRIPT = 1024,
    PAGE_RANKS = 8192,  /* members of all groups, where they are not the whole world in order */
    PAGE_NAMES = 16384, /* paths of modules */
    PAGE_NOT_KNOWN = 65535,
};

/* The command asks with this signal where the threads of a process are that is going to be ended:
 * one that programs hardly use. */
#define PAGE_SIGNAL (SIGRTMIN + 11)

enum page_state {
    PAGE_RUNNING,
    PAGE_FINALIZED,
    PAGE_ABORTED, /* MPI_Abort */
    PAGE_EXITED,  /* exit without MPI_Finalize */
};

enum page_group_kind { PAGE_GROUP_FREE, PAGE_GROUP_COMM, PAGE_GROUP_WINDOW };

struct page_item {
    uint16_t routine;  /* enum routine_id, or PAGE_NOT_KNOWN */
    uint16_t in_world; /* peer is a rank of MPI_COMM_WORLD, not of the group */
    int32_t peer; /* dest, target or root, as in the call; for collectives without root unused */
    int32_t tag;
    int32_t source, recvtag;
    int32_t assertion; /* of MPI_Win_fence; the type of a lock */
    uint64_t handle;   /* MPI_Comm or MPI_Win */
    uint64_t number;   /* which it is on its group, of nonblocking collectives; on its channel, of
                          messages: from 1 on, 0: not known */
    uint64_t caller;   /* where it was started; 0: not known */
};

struct page_place {
    uint32_t calls;   /* made so far: changes with each */
    uint32_t inside;  /* 1: in a call; 0: the items are those of the last one */
    uint64_t caller;  /* return address in the program */
    uint32_t routine; /* enum routine_id */
    uint32_t nitems;  /* there may be more than fit */
    struct page_item items[PAGE_ITEMS];
    int32_t tid;   /* the kernel's number of the thread */
    int32_t depth; /* of frames[]: asked for by PAGE_SIGNAL, innermost first; 0: not asked */
    uint64_t frames[PAGE_FRAMES];
    /* Asked for in the same way: the lines of a script that the thread is in, innermost first, as
     * its interpreter writes them (interpose/scripts.h). Empty: none. */
    char script[PAGE_SCRIPT];
};

struct page_group {
    uint32_t kind; /* enum page_group_kind */
    uint16_t inter;
    uint16_t gone; /* freed; kept for its number of collectives until its place is needed */
    uint64_t handle, id;
    uint64_t collectives; /* begun here so far */
    int32_t size, remote_size;
    int32_t members, remote; /* index into ranks[]; -1: rank i of the world is rank i here */
};

struct page_channel {
    uint64_t group;    /* its id; 0: free */
    int32_t peer, tag; /* a rank of MPI_COMM_WORLD */
    uint64_t sends;    /* from here to the peer, or from there */
    uint64_t count;    /* sent, or receives that take one */
};

struct page_lock {
    uint64_t handle; /* of the window; 0: free */
    int32_t target;  /* -1: all of them */
    int32_t exclusive;
    uint64_t caller;
};

struct page_module {
    uint64_t base, low, high; /* load bias; addresses of its code */
    uint32_t name, reserved;  /* index into names[] */
};

struct page_death {
    int32_t signal; /* 0: none */
    int32_t code;   /* si_code */
    int64_t seconds, nanoseconds;
    int32_t place; /* of the thread, -1: not known */
    int32_t depth;
    uint64_t frames[PAGE_FRAMES];
};

struct page {
    uint32_t format, size;
    int32_t rank, ranks; /* in MPI_COMM_WORLD */
    int32_t pid, state;
    int32_t several_threads;                                       /* MPI_THREAD_MULTIPLE */
    int32_t any_source, any_tag, proc_null, no_precede, exclusive; /* values of this MPI */
    uint64_t world;                                                /* handle of MPI_COMM_WORLD */
    char host[64];
    uint64_t started; /* by /proc/<pid>/stat: tells the process from others with its number */
    struct page_death death;
    uint32_t nplaces, nmodules, nranks, nnames;
    uint32_t groups_lost, locks_lost, channels_lost; /* there was no room, or nobody counts */
    struct page_place places[PAGE_THREADS];
    struct page_lock locks[PAGE_LOCKS];
    struct page_group groups[PAGE_GROUPS];
    struct page_channel channels[PAGE_CHANNELS];
    struct page_module modules[PAGE_MODULES];
    char names[PAGE_NAMES];
    uint32_t ranks_of_groups[PAGE_RANKS];
};

/* When the process with this number started, in ticks since the machine did; 0: there is none. The
 * name of the program, in parentheses, may hold anything. */
static inline uint64_t page_process_start(int pid)
{
    char path[64], text[1024];
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1,
                        " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                        "%*d %llu",
                        &start) != 1)
        return 0;
    return start;
}

#endif
