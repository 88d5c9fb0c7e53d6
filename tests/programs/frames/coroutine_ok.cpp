// ranks: 2
// needs: cc
// flags: -std=c++20
// expect: none
//
// semantics §1: the variables of a coroutine live in memory that it got for itself, and stay there while it is suspended.
//
// The coroutine goes on, and waits, before it is destroyed.
#include <coroutine>
#include <mpi.h>

struct task {
    struct promise_type {
        task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_never initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        static void operator delete(void *memory)
        {
            ::operator delete(memory);
        }
        void unhandled_exception()
        {
        }
    };
    std::coroutine_handle<promise_type> handle;
};

static task transfer(MPI_Request &req, int *sum)
{
    int row[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    MPI_Isend(row, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
    co_await std::suspend_always{};
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    *sum = row[3];
}

int main(int argc, char **argv)
{
    int rank, row[8], sum = 0;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        task sent = transfer(req, &sum);
        sent.handle.resume();
        sent.handle.destroy();
    } else {
        MPI_Recv(row, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum < 0;
}
