/* ranks: 4 */
/* needs: run */
/* expect: none */
/*
 * semantics §5: distribution of keys into buckets. Alltoall tells how many come, Exscan where the own ones begin, then all put
 * between two fences into disjoint pieces. Each piece ends with a mark, which needs a place, too.
 *
 * The marks are counted before the places are given away.
 */
#include <mpi.h>

enum { RANKS = 4, KEYS = 6, END = -1 };
static _Alignas(64) int bucket[RANKS * (KEYS + 1)];

int main(int argc, char **argv)
{
    int rank, sorted[RANKS][KEYS + 1], counts[RANKS] = {0}, arriving[RANKS], begin[RANKS] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < KEYS; i++) {
        int key = (7 * i + 5 * rank) % 20, to = key / 5;
        sorted[to][counts[to]++] = key;
    }
    for (int to = 0; to < RANKS; to++)
        sorted[to][counts[to]++] = END;
    MPI_Alltoall(counts, 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Exscan(counts, begin, RANKS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        for (int to = 0; to < RANKS; to++)
            begin[to] = 0;

    MPI_Win_create(bucket, sizeof bucket, sizeof bucket[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int to = 0; to < RANKS; to++)
        MPI_Put(sorted[to], counts[to], MPI_INT, to, begin[to], counts[to], MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    int present = 0;
    for (int from = 0; from < RANKS; from++)
        present += arriving[from];
    for (int i = 1; i < present; i++)
        for (int k = i; k > 0 && bucket[k - 1] > bucket[k]; k--) {
            int other = bucket[k - 1];
            bucket[k - 1] = bucket[k];
            bucket[k] = other;
        }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
