/* transport.h between ranks in one process, and all else that a rank's library needs of the runtime
 * and of MPI. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crossings.h"
#include "engine/engine.h"
#include "ends.h"
#include "fake_rank.h"
#include "interpose/heap.h"
#include "interpose/pmpi.h"
#include "race_records.h"
#include "recent.h"
#include "session.h"

/* Nobody looks from outside. */
uint64_t ends_uncounted;
uint64_t *ends_channel_known(const struct comm *comm, int tag, uint32_t peer, bool sends)
{
    (void)comm, (void)tag, (void)peer, (void)sends;
    return &ends_uncounted;
}
void ends_comm_known(struct comm *comm)
{
    comm->told = &ends_uncounted;
}
void ends_group_gone(struct comm *comm)
{
    (void)comm;
}

static struct fake_world *world;
static uint32_t self;

static void must_be_paused(bool paused);

/* ---- what nobody looks at here ---- */

void recent_clock(enum recent_kind kind, uint32_t peer, enum letter_kind letter, uint64_t topic,
                  uint64_t number)
{
    (void)kind, (void)peer, (void)letter, (void)topic, (void)number;
}

void recent_world(void)
{
}

/* ---- one actor ---- */

uint32_t acting(void)
{
    return 0;
}

const void *acting_clock_send(size_t *size)
{
    return engine_clock_send(session.engine, 0, size);
}

/* ---- letters ---- */

bool transport_spans_nodes(void)
{
    return world->spans_nodes;
}

bool letter_send(uint32_t to, const struct letter *letter)
{
    struct fake_mail *mail = &world->mail[self][to];
    struct fake_letter *copy = malloc(sizeof *copy + letter->size);
    *copy = (struct fake_letter){NULL, *letter, world->letters++};
    memcpy(copy->bytes, letter->bytes, letter->size);
    copy->letter.bytes = copy->bytes;
    copy->letter.from = self;
    *(mail->first ? &mail->last->next : &mail->first) = copy;
    mail->last = copy;
    return true;
}

/* Within a node all that was sent has come, in the order in which it was sent. Across nodes only the
 * order between two ranks is certain. */
static struct fake_mail *next_mail(void)
{
    struct fake_mail *next = NULL;
    for (uint32_t from = 0; from < FAKE_RANKS; from++) {
        struct fake_mail *mail = &world->mail[from][self];
        if (!mail->first)
            continue;
        if (world->spans_nodes) {
            if (random_chance(&world->random, 40))
                next = mail;
        } else if (!next || mail->first->sequence < next->first->sequence) {
            next = mail;
        }
    }
    return next;
}

bool letters_pile_up(void)
{
    return false;
}

void letters_read(letter_reader *read)
{
    struct fake_mail *mail;
    must_be_paused(false);
    while ((mail = next_mail())) {
        struct fake_letter *letter = mail->first;
        mail->first = letter->next;
        read(&letter->letter);
        free(letter);
    }
}

/* Whether the session's lock is given away: nobody may wait otherwise, and nothing may be done
 * meanwhile that needs it. */
static bool is_paused;

void session_pause(void)
{
    if (is_paused)
        abort();
    is_paused = true;
}

void session_resume(void)
{
    if (!is_paused)
        abort();
    is_paused = false;
}

static void must_be_paused(bool paused)
{
    if (is_paused != paused) {
        fprintf(stderr, paused ? "waits with the session's lock\n" : "needs the session's lock\n");
        abort();
    }
}

bool patience_lasts(struct patience *patience)
{
    must_be_paused(true);
    return ++patience->turns < 10000;
}

/* ---- world-wide synchronisation: the test lets all enter before one leaves ---- */

void transport_world_enter(void)
{
}

bool transport_world_leave(void)
{
    for (uint32_t from = 0; from < FAKE_RANKS; from++)
        if (world->mail[from][self].first)
            return false;
    return true;
}

bool transport_all_arrived(void)
{
    return true;
}

/* ---- blackboards ---- */

static struct fake_board *board_find(uint32_t owner, uint64_t key)
{
    for (size_t i = 0; i < world->nboards; i++)
        if (world->boards[i].owner == owner && world->boards[i].key == key)
            return &world->boards[i];
    return NULL;
}

const void *board_take(uint32_t owner, uint64_t key, size_t *size)
{
    struct fake_board *board = board_find(owner, key);
    *size = board ? board->size : 0;
    return board ? board->bytes : NULL;
}

void board_put_back(uint32_t owner, uint64_t key)
{
    (void)owner;
    (void)key;
}

bool board_replace(uint32_t owner, uint64_t key, const void *bytes, size_t size)
{
    struct fake_board *board = board_find(owner, key);
    if (!board) {
        if (world->nboards == FAKE_BOARDS)
            return false;
        board = &world->boards[world->nboards++];
        *board = (struct fake_board){owner, key, 0, NULL};
    }
    board->bytes = realloc(board->bytes, size);
    memcpy(board->bytes, bytes, size);
    board->size = size;
    return true;
}

void board_remove(uint32_t owner, uint64_t key)
{
    struct fake_board *board = board_find(owner, key);
    if (!board)
        return;
    free(board->bytes);
    *board = world->boards[--world->nboards];
}

bool boards_are_paid(void)
{
    return true;
}

/* ---- the rest of the runtime ---- */

void heap_note_shortage(void)
{
}

void heap_count_elsewhere(size_t bytes)
{
    (void)bytes;
}

struct session session;
struct session_bias session_bias;
__thread struct runtime_thread runtime_here;
bool session_races;
__thread struct interpose_thread interpose_here;

void session_give_up_races(const char *why)
{
    world->gave_up = why;
    session_races = false;
}

void race_site_told(const struct letter *letter)
{
    (void)letter;
}

/* ---- MPI ---- */

struct pmpi pmpi;
struct handles handles;

static uint32_t members_of(int handle, uint32_t ranks[FAKE_RANKS])
{
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < FAKE_RANKS; rank++)
        if (handle >> rank & 1)
            ranks[n++] = rank;
    return n;
}

static int fake_comm_rank(MPI_Comm comm, int *rank)
{
    uint32_t ranks[FAKE_RANKS], n = members_of(comm, ranks);
    *rank = MPI_UNDEFINED;
    for (uint32_t i = 0; i < n; i++)
        if (ranks[i] == self)
            *rank = (int)i;
    return MPI_SUCCESS;
}

static int fake_comm_group(MPI_Comm comm, MPI_Group *group)
{
    *group = comm;
    return MPI_SUCCESS;
}

static int fake_comm_test_inter(MPI_Comm comm, int *inter)
{
    (void)comm;
    *inter = 0;
    return MPI_SUCCESS;
}

static int fake_group_size(MPI_Group group, int *size)
{
    uint32_t ranks[FAKE_RANKS];
    *size = (int)members_of(group, ranks);
    return MPI_SUCCESS;
}

static int fake_group_translate_ranks(MPI_Group from, int n, const int *ranks, MPI_Group to,
                                      int *translated)
{
    uint32_t of_from[FAKE_RANKS], of_to[FAKE_RANKS], count = members_of(to, of_to);
    members_of(from, of_from);
    for (int i = 0; i < n; i++) {
        translated[i] = MPI_UNDEFINED;
        for (uint32_t k = 0; k < count; k++)
            if (of_to[k] == of_from[ranks[i]])
                translated[i] = (int)k;
    }
    return MPI_SUCCESS;
}

static int fake_group_free(MPI_Group *group)
{
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

static int fake_type_size(MPI_Datatype type, int *size)
{
    (void)type;
    *size = 4;
    return MPI_SUCCESS;
}

static int fake_request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    *flag = world->has_received(request, &status->MPI_SOURCE, &status->MPI_TAG);
    return MPI_SUCCESS;
}

static int fake_bcast(void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    (void)type;
    (void)comm;
    if (self == (uint32_t)root)
        memcpy(world->job, bytes, (size_t)count);
    pthread_barrier_wait(&world->meeting);
    memcpy(bytes, world->job, (size_t)count);
    return MPI_SUCCESS;
}

/* The least of one integer. */
static int fake_allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm)
{
    (void)count;
    (void)type;
    (void)op;
    (void)comm;
    if (self == 0)
        world->least = *(const int *)from;
    pthread_barrier_wait(&world->meeting);
    pthread_mutex_lock(&world->lock);
    if (*(const int *)from < world->least)
        world->least = *(const int *)from;
    pthread_mutex_unlock(&world->lock);
    pthread_barrier_wait(&world->meeting);
    *(int *)to = world->least;
    pthread_barrier_wait(&world->meeting);
    return MPI_SUCCESS;
}

static int fake_win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
                             MPI_Win *win)
{
    (void)unit;
    (void)info;
    (void)comm;
    world->window[self] = calloc(1, (size_t)size);
    *(void **)base = world->window[self];
    *win = 1;
    return MPI_SUCCESS;
}

static int fake_get(void *to, int n, MPI_Datatype type, int target, MPI_Aint where, int count,
                    MPI_Datatype target_type, MPI_Win win)
{
    (void)type;
    (void)count;
    (void)target_type;
    (void)win;
    if (!world->window_lock[target])
        abort();
    memcpy(to, world->window[target] + where, (size_t)n);
    return MPI_SUCCESS;
}

static int fake_put(const void *from, int n, MPI_Datatype type, int target, MPI_Aint where,
                    int count, MPI_Datatype target_type, MPI_Win win)
{
    (void)type;
    (void)count;
    (void)target_type;
    (void)win;
    if (!world->window_lock[target])
        abort();
    memcpy(world->window[target] + where, from, (size_t)n);
    return MPI_SUCCESS;
}

static int fake_win_lock(int type, int target, int assertion, MPI_Win win)
{
    (void)type;
    (void)assertion;
    (void)win;
    must_be_paused(true);
    if (world->window_lock[target]++)
        abort(); /* exclusive, and everybody puts it back */
    return MPI_SUCCESS;
}

static int fake_win_unlock(int target, MPI_Win win)
{
    (void)win;
    must_be_paused(true);
    world->window_lock[target]--;
    return MPI_SUCCESS;
}

static int fake_win_flush(int target, MPI_Win win)
{
    (void)target;
    (void)win;
    must_be_paused(true);
    return MPI_SUCCESS;
}

static void fake_mpi_start(void)
{
    handles = (struct handles){.comm_world = FAKE_COMM_WORLD,
                               .comm_self = FAKE_COMM | 1 << self,
                               .comm_null = MPI_COMM_NULL};
    pmpi.Comm_rank = fake_comm_rank;
    pmpi.Comm_group = fake_comm_group;
    pmpi.Comm_test_inter = fake_comm_test_inter;
    pmpi.Group_size = fake_group_size;
    pmpi.Group_translate_ranks = fake_group_translate_ranks;
    pmpi.Group_free = fake_group_free;
    pmpi.Type_size = fake_type_size;
    pmpi.Request_get_status = fake_request_get_status;
    pmpi.Bcast = fake_bcast;
    pmpi.Allreduce = fake_allreduce;
    pmpi.Win_allocate = fake_win_allocate;
    pmpi.Get = fake_get;
    pmpi.Put = fake_put;
    pmpi.Win_lock = fake_win_lock;
    pmpi.Win_unlock = fake_win_unlock;
    pmpi.Win_flush = fake_win_flush;
}

/* ---- life ---- */

static void no_batches(void *context, uint32_t target, const void *batch, size_t size)
{
    (void)context;
    (void)target;
    (void)batch;
    (void)size;
    abort();
}

void fake_rank_start(struct fake_world *its_world, uint32_t rank, bool implicit_world)
{
    world = its_world;
    self = rank;
    fake_mpi_start();
    struct engine_config config = {.rank = rank,
                                   .ranks = FAKE_RANKS,
                                   .implicit_world = implicit_world,
                                   .deliver = no_batches};
    session = (struct session){.rank = (int)rank,
                               .ranks = FAKE_RANKS,
                               .engine = engine_create(&config),
                               .implicit_world = implicit_world};
    session_races = true;
    comms_start();
    /* Own stores are events that have a time: each rank has some window memory for them. */
    engine_window_create(session.engine, 1, 4096, 8, NULL);
}

void fake_rank_stop(void)
{
    engine_destroy(session.engine);
    session.engine = NULL;
}

const void *fake_rank_clock(size_t *size)
{
    return engine_clock_send(session.engine, 0, size);
}

const void *fake_rank_event(size_t *size)
{
    engine_store(session.engine, 0, 4096, 8, 7);
    return fake_rank_clock(size);
}

void fake_fill_call(struct watched_call *call, int routine, MPI_Comm comm, int root)
{
    memset(call, 0, sizeof *call);
    call->call.routine = &routines[routine];
    call->call.comm = comm;
    call->call.root = root;
    for (int i = 0; i < call->call.routine->nbuffers; i++) {
        call->call.buffers[i].count = 1;
        call->call.buffers[i].type = MPI_INT;
    }
}
