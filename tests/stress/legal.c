/* What MPI promises to every program, whatever the schedule: must hold under all of them. 2 ranks. */
#include <assert.h>
#include <mpi.h>

static int rank, freed[4]; /* static: written as late as in MPI_Finalize */

static void probe_of_nobody_succeeds(void)
{
    int flag = 0;
    MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    assert(flag);
}

static void what_was_probed_is_there(void)
{
    int value = rank, flag = 0;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        assert(flag);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(value == 0);
    }
}

static void what_is_complete_stays_so(void)
{
    int value = rank + 5, flag = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        assert(value == 5);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        assert(flag);
    }
}

static void a_freed_receive_still_takes_its_message(void)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(freed, 4, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Irecv(freed, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
}

static void a_single_status_keeps_its_error(void)
{
    int value = rank;
    MPI_Status status = {.MPI_ERROR = 77};
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 0 && status.MPI_ERROR == 77);
    }
}

/* Twice, with the process's own part among what arrives. Nothing is reset in between: MPICH 4.0.2 copies that part in
 * MPI_Gather_init, once for all. */
static void a_persistent_gather_gathers(void)
{
#if MPI_VERSION >= 4
    int mine = 7 + rank, all[2] = {0, 0};
    MPI_Request request;
    MPI_Gather_init(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(rank != 0 || (all[0] == 7 && all[1] == 8));
    }
    MPI_Request_free(&request);
#endif
}

/* Cut into elements, each must bring its own. */
static void fetching_accumulates_fetch(void)
{
    long memory[3] = {0, 0, 0}, one[3] = {1, 1, 1}, before[3];
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int round = 0; round < 3; round++) {
        MPI_Win_fence(0, win);
        if (rank == 0)
            MPI_Get_accumulate(one, 3, MPI_LONG, before, 3, MPI_LONG, 1, 0, 3, MPI_LONG, MPI_SUM, win);
        MPI_Win_fence(0, win);
        for (int i = 0; i < 3; i++)
            assert(rank == 0 ? before[i] == round : memory[i] == round + 1);
    }
    MPI_Win_free(&win);
}

/* (Open MPI 4.1.4 has no other windows of a single process.) */
static void a_window_of_few_holds_up_nobody(void)
{
    int *memory;
    MPI_Win win = MPI_WIN_NULL;
    if (rank == 0) {
        MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
        *memory = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Win_free(&win);
}

/* Both MPIs give all sends that are complete at once the same request, and all such collectives. */
static void buffers_are_free_one_by_one(void)
{
    enum { MESSAGES = 4 };
    int value[MESSAGES] = {1, 2, 3, 4}, sum[2];
    MPI_Request requests[MESSAGES];
    for (int i = 0; i < MESSAGES && rank == 0; i++)
        MPI_Isend(&value[i], 1, MPI_INT, 1, 11 + i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < MESSAGES && rank == 1; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, 0, 11 + i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        assert(value[i] == i + 1);
        value[i] = 0;
    }
    value[0] = 7;
    for (int i = 0; i < 2; i++)
        MPI_Iallreduce(value, &sum[i], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, &requests[i]);
    for (int i = 0; i < 2; i++) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        assert(sum[i] == 7);
        sum[i] = 0;
    }
}

/* The answer tells that the first message is there, so its buffer is free. */
static void a_freed_send_is_over_when_answered(void)
{
    int value[2] = {1, 2}, answer = 0;
    MPI_Request requests[2];
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Isend(&value[i], 1, MPI_INT, 1, 31 + i, MPI_COMM_WORLD, &requests[i]);
        MPI_Request_free(&requests[0]);
        MPI_Recv(&answer, 1, MPI_INT, 1, 33, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value[0] = 0;
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value[0], 1, MPI_INT, 0, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&answer, 1, MPI_INT, 0, 33, MPI_COMM_WORLD);
        MPI_Recv(&value[1], 1, MPI_INT, 0, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(value[0] == 1 && value[1] == 2);
    }
}

static void a_request_that_is_complete_frees_its_buffer(void)
{
    int value = 8, flag = 0;
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(&value, 1, MPI_INT, 1, 21, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(&value, 1, MPI_INT, 0, 21, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    assert(value == 8);
    value = 0;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(value == 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    probe_of_nobody_succeeds();
    what_was_probed_is_there();
    what_is_complete_stays_so();
    a_single_status_keeps_its_error();
    a_persistent_gather_gathers();
    fetching_accumulates_fetch();
    a_window_of_few_holds_up_nobody();
    buffers_are_free_one_by_one();
    a_request_that_is_complete_frees_its_buffer();
    a_freed_send_is_over_when_answered();
    a_freed_receive_still_takes_its_message();
    MPI_Finalize();
    return 0;
}
