/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §2 and §3, locks: rank 1 publishes pages at rank 0 and tells of them on a board under an exclusive lock; rank 2 reads
 * the board under a shared lock until the last version is there. The writer's epoch wrote the board and the reader's read it,
 * so the reader knows what was complete before: pages that the writer flushed in the other window.
 *
 * Pages are flushed before the board is locked.
 */
#include <mpi.h>

enum { PAGES = 4, WORDS = 3 };
struct board {
    int version, checksum;
};
static _Alignas(64) struct board board[1];
static _Alignas(64) int pages[PAGES][WORDS];

static void write_pages(MPI_Win notice, MPI_Win library)
{
    int page[PAGES][WORDS];
    struct board news = {0, 0};

    for (int p = 0; p < PAGES; p++) {
        for (int w = 0; w < WORDS; w++)
            news.checksum += page[p][w] = 10 * p + w;
        MPI_Put(page[p], WORDS, MPI_INT, 0, p * WORDS, WORDS, MPI_INT, library);
        MPI_Win_flush(0, library);
        news.version = p + 1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, notice);
        MPI_Put(&news, 2, MPI_INT, 0, 0, 2, MPI_INT, notice);
        MPI_Win_unlock(0, notice);
    }
}

static void read_pages(MPI_Win notice, MPI_Win library)
{
    int page[PAGES][WORDS], known = 0;
    struct board news;

    while (known < PAGES) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, notice);
        MPI_Get(&news, 2, MPI_INT, 0, 0, 2, MPI_INT, notice);
        MPI_Win_unlock(0, notice);
        for (; known < news.version; known++)
            MPI_Get(page[known], WORDS, MPI_INT, 0, known * WORDS, WORDS, MPI_INT, library);
    }
    MPI_Win_flush(0, library);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Win notice, library;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(board, sizeof board, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &notice);
    MPI_Win_create(pages, sizeof pages, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &library);
    MPI_Win_lock_all(0, library);
    if (rank == 1)
        write_pages(notice, library);
    if (rank == 2)
        read_pages(notice, library);
    MPI_Win_unlock_all(library);
    MPI_Win_free(&library);
    MPI_Win_free(&notice);
    MPI_Finalize();
    return 0;
}
