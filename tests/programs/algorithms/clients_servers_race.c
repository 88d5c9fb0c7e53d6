/* ranks: 5 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: two servers and three clients on an intercommunicator, answers by put into a window on the merged one. A barrier
 * of the intercommunicator orders each group after the other; one inside a group tells nothing of the other.
 *
 * The barrier is one of each group.
 */
#include <mpi.h>

enum { SERVERS = 2, CLIENTS = 3, QUESTIONS = 2 };
static _Alignas(64) int answers[SERVERS][QUESTIONS];

static void serve(int place, MPI_Comm clients, MPI_Win win)
{
    int question[QUESTIONS], reply[CLIENTS][QUESTIONS];
    MPI_Status status;

    for (int i = 0; i < CLIENTS; i++) {
        MPI_Recv(question, QUESTIONS, MPI_INT, MPI_ANY_SOURCE, 0, clients, &status);
        for (int q = 0; q < QUESTIONS; q++)
            reply[i][q] = question[q] * question[q];
        MPI_Put(reply[i], QUESTIONS, MPI_INT, SERVERS + status.MPI_SOURCE, place * QUESTIONS, QUESTIONS, MPI_INT, win); /* A */
    }
    MPI_Win_flush_all(win);
}

int main(int argc, char **argv)
{
    int rank, place, sums[QUESTIONS];
    MPI_Comm group, others, merged;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int server = rank < SERVERS;
    MPI_Comm_split(MPI_COMM_WORLD, server, rank, &group);
    MPI_Comm_rank(group, &place);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, server ? SERVERS : 0, 0, &others);
    MPI_Intercomm_merge(others, !server, &merged);
    MPI_Win_create(answers, sizeof answers, sizeof(int), MPI_INFO_NULL, merged, &win);
    MPI_Win_lock_all(0, win);
    if (server) {
        serve(place, others, win);
    } else {
        int question[QUESTIONS] = {place, place + 1};
        for (int to = 0; to < SERVERS; to++)
            MPI_Send(question, QUESTIONS, MPI_INT, to, 0, others);
    }
    MPI_Barrier(group);
    if (!server)
        for (int from = 0; from < SERVERS; from++)
            MPI_Allreduce(answers[from], sums, QUESTIONS, MPI_INT, MPI_SUM, group); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&others);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
