/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: a call of Waitsome completes the requests whose indices it gives, and no others.
 *
 * The element of a request is used when its index was given.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, row[3] = {0}, indices[3], count, sum = 0;
    MPI_Request reqs[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Irecv(&row[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &reqs[i]);
        for (int done = 0; done < 3; done += count) {
            MPI_Waitsome(3, reqs, &count, indices, MPI_STATUSES_IGNORE);
            for (int i = 0; i < count; i++)
                sum += row[indices[i]];
            if (done == 0)
                MPI_Send(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        }
    } else {
        MPI_Send(row, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(row, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(row, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
