/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one object. A file is another object than its
 * communicator.
 *
 * Two collective calls on the file.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    char name[] = "/tmp/regatta-threads-XXXXXX";
    int letter = 1, descriptor = mkstemp(name);
    close(descriptor);
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_File_write_at_all(file, 0, &letter, 1, MPI_INT, MPI_STATUS_IGNORE); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_File_set_size(file, 100); /* B */
        }
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
