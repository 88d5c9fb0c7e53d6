#include "transport.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boards.h"
#include "engine/encoding.h"
#include "debts.h"
#include "network.h"
#include "node.h"
#include "runtime_thread.h"
#include "interpose/regatta_options.h"
#include "interpose/pmpi.h"
#include "session.h"
#include "shortage.h"

/* A letter that has arrived and must not be opened yet: it, or one of the same rank before it,
 * tells of a batch that has not been opened. */
struct waiting {
    struct waiting *next;
    struct needs needs;
    uint64_t arrival;
    struct letter letter;
    char bytes[];
};

struct inbox {
    struct waiting *first, *last;
};

static bool *near; /* by rank: on this node */
static bool is_open, spans_nodes;
static struct inbox *inboxes; /* by rank */
static uint32_t *busy;        /* ranks whose inbox is not empty */
static size_t nbusy;
static uint64_t arrivals;
/* What is being written: a letter, with the session's lock; a board, by the thread that has it. */
static struct writer envelope, news, board_debts, board_page;
static letter_reader *reader;

/* Eras end with world-wide synchronisations; senders may be one era ahead of us. */
static uint64_t era;
static int *sent,
    *counted;          /* letters across nodes by rank: in this era, and as they were at its end */
static int arrived[2]; /* letters from other nodes, by era modulo 2 */
static struct needs board_needs;

/* ---- life ---- */

/* Which ranks are on this node. Some MPIs take any of them apart themselves (MPICH:
 * MPIR_CVAR_NOLOCAL and MPIR_CVAR_ODD_EVEN_CLIQUES); the option `nodes` does it for all. */
static bool find_neighbours(void)
{
    MPI_Comm node;
    int first = session.rank, own = session.rank;
    near = calloc(session.ranks, sizeof *near);
    int *firsts = malloc(session.ranks * sizeof *firsts);
    pmpi.Comm_split_type(handles.comm_world, MPI_COMM_TYPE_SHARED, 0, handles.info_null, &node);
    pmpi.Allreduce(&own, &first, 1, handles.integer, handles.min, node);
    pmpi.Comm_free(&node);
    if (options.nodes > 0)
        first = session.rank % (int)options.nodes;
    int ok = near && firsts, all_ok = 0;
    pmpi.Allreduce(&ok, &all_ok, 1, handles.integer, handles.min, handles.comm_world);
    if (!all_ok)
        return false;
    pmpi.Allgather(&first, 1, handles.integer, firsts, 1, handles.integer, handles.comm_world);
    for (int rank = 0; rank < session.ranks; rank++) {
        near[rank] = firsts[rank] == first;
        spans_nodes |= firsts[rank] != first;
    }
    free(firsts);
    int neighbours = 0;
    for (int rank = 0; rank < session.ranks; rank++)
        neighbours += near[rank];
    shortage_set_cap(neighbours);
    return true;
}

static bool network_start(void)
{
    inboxes = calloc(session.ranks, sizeof *inboxes);
    busy = malloc(session.ranks * sizeof *busy);
    sent = calloc(session.ranks, sizeof *sent);
    counted = calloc(session.ranks, sizeof *counted);
    int ok = network_prepare() && inboxes && busy && sent && counted, all_ok = 0;
    /* First of all: what is open and not closed again ends the program in MPI_Finalize. */
    pmpi.Allreduce(&ok, &all_ok, 1, handles.integer, handles.min, handles.comm_world);
    if (!all_ok)
        return false;
    debts_start(session.rank, session.ranks);
    ok = network_open(near);
    ok = boards_open() && ok;
    pmpi.Allreduce(&ok, &all_ok, 1, handles.integer, handles.min, handles.comm_world);
    return all_ok;
}

bool transport_open(const char **why)
{
    if (!find_neighbours()) {
        *why = "no memory";
        return false;
    }
    if (!node_open(near)) {
        *why = "no shared memory in /dev/shm";
        return false;
    }
    if (spans_nodes && !network_start()) {
        *why = "no way to reach the other nodes";
        return false;
    }
    return is_open = true;
}

const char *transport_world(void)
{
    return node_world();
}

void transport_close(void)
{
    if (!is_open || !spans_nodes)
        return;
    is_open = false;
    session_pause();
    boards_close(); /* collective: all ranks are here */
    network_close();
    session_resume();
}

bool transport_spans_nodes(void)
{
    return spans_nodes;
}

/* Between MPI_Init and MPI_Finalize, and not while the process exits without it. */
static bool can_call_mpi(void)
{
    return is_open && session_is_active();
}

/* ---- letters ---- */

void transport_stop_all(const char *why)
{
    struct letter letter = {LETTER_STOP, session.rank, 0, 0, why, strlen(why)};
    node_stop_all(why);
    for (int rank = 0; spans_nodes && rank < session.ranks; rank++)
        if (!near[rank])
            letter_send(rank, &letter);
}

bool letter_send(uint32_t to, const struct letter *letter)
{
    if (letter->kind != LETTER_STOP)
        shortage_mind_sending();
    if (!spans_nodes)
        return node_letter_send(to, letter, NULL, 0);
    if (!can_call_mpi())
        return true; /* the program ends, or has ended: nobody can hear of it */
    /* The size of the news comes before them, and is known afterwards. */
    news.size = envelope.size = 0;
    debts_write_news(&news, to);
    write_number(&envelope, news.size);
    write_reserve(&envelope, news.size);
    memcpy(envelope.bytes + envelope.size, news.bytes, news.size);
    envelope.size += news.size;
    if (near[to])
        return node_letter_send(to, letter, envelope.bytes, envelope.size);
    sent[to]++;
    if (letter->kind == LETTER_BATCH)
        debts_sent(to);
    return network_letter_send(to, letter, envelope.bytes, envelope.size);
}

static bool are_paid(struct needs *needs)
{
    while (needs->count > 0 && debt_is_paid(&needs->list[needs->count - 1]))
        needs->count--;
    return needs->count == 0;
}

static void open_letter(const struct letter *letter)
{
    reader(letter);
    if (letter->kind == LETTER_BATCH && !near[letter->from])
        debts_opened(letter->from);
}

static void put_aside(struct needs *needs, const struct letter *letter)
{
    struct inbox *inbox = &inboxes[letter->from];
    struct waiting *waiting = allocate(sizeof *waiting + letter->size);
    waiting->next = NULL;
    waiting->needs = *needs;
    waiting->arrival = arrivals++;
    waiting->letter = *letter;
    memcpy(waiting->bytes, letter->bytes, letter->size);
    waiting->letter.bytes = waiting->bytes;
    if (!inbox->first)
        busy[nbusy++] = letter->from;
    *(inbox->first ? &inbox->last->next : &inbox->first) = waiting;
    inbox->last = waiting;
}

static void arrive(const struct letter *letter)
{
    struct reader in = reader_of(letter->bytes, letter->size);
    struct needs needs = {0};
    uint64_t size = read_number(&in);
    if (in.failed || size > bytes_left(&in)) {
        session_give_up_races("a letter of another rank was damaged");
        return;
    }
    struct reader news = reader_of(in.at, size);
    uint64_t its_era = debts_read(&news, &needs);
    struct letter inside = *letter;
    inside.bytes = in.at + size;
    inside.size = bytes_left(&in) - size;
    if (!near[letter->from])
        arrived[its_era % 2]++;
    else if (!inboxes[letter->from].first && are_paid(&needs)) {
        free(needs.list);
        open_letter(&inside);
        return;
    }
    put_aside(&needs, &inside);
}

static void open_first(size_t which)
{
    struct inbox *inbox = &inboxes[busy[which]];
    struct waiting *waiting = inbox->first;
    inbox->first = waiting->next;
    if (!inbox->first)
        busy[which] = busy[--nbusy];
    open_letter(&waiting->letter);
    free(waiting->needs.list);
    free(waiting);
}

/* Letters of this node first, in the order of their arrival: see letters_read. */
static bool open_next(void)
{
    size_t best = nbusy;
    for (size_t i = 0; i < nbusy; i++) {
        struct waiting *waiting = inboxes[busy[i]].first;
        if (!are_paid(&waiting->needs))
            continue;
        bool better = best == nbusy || near[busy[i]] > near[busy[best]] ||
                      (near[busy[i]] == near[busy[best]] &&
                       waiting->arrival < inboxes[busy[best]].first->arrival);
        if (better)
            best = i;
    }
    if (best == nbusy)
        return false;
    open_first(best);
    return true;
}

/* Batches within a node make no debts. That their order is kept all the same follows from this:
 * what has arrived from other nodes is opened after the mailbox was read once more. A letter X from
 * elsewhere that was sent after a batch Y of this node had been delivered finds Y opened – or Y
 * waits for a batch from elsewhere, of which X tells too, so X waits as well and comes after Y. */
void letters_read(letter_reader *read)
{
    if (!spans_nodes) {
        node_letters_read(read);
        return;
    }
    reader = read;
    if (can_call_mpi())
        network_letters_read(arrive);
    node_letters_read(arrive);
    while (open_next())
        ;
}

bool letters_pile_up(void)
{
    return node_letters_pile_up();
}

void transport_wake_all(void)
{
    if (!spans_nodes)
        node_alarm_raise();
}

bool transport_is_awake(void)
{
    return !spans_nodes && node_alarm_is_raised();
}

/* ---- world-wide synchronisations ---- */

void transport_world_enter(void)
{
    if (!spans_nodes)
        return;
    for (int rank = 0; rank < session.ranks; rank++) {
        counted[rank] = sent[rank];
        sent[rank] = 0;
    }
    network_count_start(counted);
}

bool transport_world_leave(void)
{
    int expected;
    if (!spans_nodes)
        return true;
    if (!network_count_is_over(&expected) || arrived[era % 2] < expected || nbusy > 0)
        return false;
    arrived[era % 2] = 0;
    era++;
    debts_next_era();
    return true;
}

bool transport_all_arrived(void)
{
    return network_barrier_is_over();
}

/* ---- blackboards ---- */

/* Across nodes a board begins with all debts that its writers knew of. */
const void *board_take(uint32_t owner, uint64_t key, size_t *size)
{
    if (!spans_nodes)
        return node_board_take(owner, key, size);
    size_t whole = 0;
    runtime_here.board_is_taken = can_call_mpi() && network_may_call();
    if (can_call_mpi() && !runtime_here.board_is_taken)
        session_give_up_races("a thread that must not call MPI uses atomics to order processes");
    const void *bytes = runtime_here.board_is_taken ? boards_take(owner, key, &whole) : NULL;
    struct reader in = reader_of(bytes, whole);
    uint64_t debts = whole ? read_number(&in) : 0;
    if (in.failed || debts > bytes_left(&in)) {
        *size = 0;
        return NULL;
    }
    struct reader told = reader_of(in.at, debts);
    if (whole)
        debts_read(&told, &board_needs);
    *size = bytes_left(&in) - debts;
    return in.at + debts;
}

void board_put_back(uint32_t owner, uint64_t key)
{
    if (!spans_nodes)
        node_board_put_back(owner, key);
    else if (runtime_here.board_is_taken)
        boards_put_back(owner);
}

bool board_replace(uint32_t owner, uint64_t key, const void *bytes, size_t size)
{
    shortage_mind_sending();
    if (!spans_nodes)
        return node_board_replace(owner, key, bytes, size);
    if (!runtime_here.board_is_taken)
        return true;
    struct writer *debts = &board_debts, *page = &board_page;
    debts->size = page->size = 0;
    debts_write_all(debts);
    write_number(page, debts->size);
    write_reserve(page, debts->size + size);
    memcpy(page->bytes + page->size, debts->bytes, debts->size);
    memcpy(page->bytes + page->size + debts->size, bytes, size);
    return boards_replace(owner, page->bytes, page->size + debts->size + size);
}

/* Within a node the bytes that were taken are the board itself. */
bool board_overwrite(uint32_t owner, uint64_t key, const void *where, const void *bytes,
                     size_t size)
{
    shortage_mind_sending();
    if (spans_nodes)
        return false;
    memcpy((void *)(uintptr_t)where, bytes, size);
    node_board_put_back(owner, key);
    return true;
}

void board_remove(uint32_t owner, uint64_t key)
{
    if (!spans_nodes)
        node_board_remove(owner, key);
    else if (can_call_mpi() && network_may_call())
        boards_remove(owner, key);
}

bool boards_are_paid(void)
{
    return are_paid(&board_needs);
}

/* ---- waiting ---- */

/* Long enough for a sender that computes; nothing but a note is lost when it is over. */
enum { PATIENCE_SECONDS = 60, TURNS_AT_ONCE = 20000 };

bool patience_lasts(struct patience *patience)
{
    sched_yield();
    if (++patience->turns < TURNS_AT_ONCE)
        return true;
    usleep(200);
    if (patience->turns % 256 != 0)
        return true;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!patience->since)
        patience->since = now.tv_sec;
    return (uint64_t)now.tv_sec - patience->since < PATIENCE_SECONDS;
}
