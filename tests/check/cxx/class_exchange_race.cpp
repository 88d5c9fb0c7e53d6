// expect: local-race A B
// A class posts in one method and waits in another.
#include <mpi.h>
#include <vector>

volatile int seen;

class exchange {
  public:
    explicit exchange(int n) : data(n) {}
    void post()
    {
        MPI_Irecv(data.data(), (int)data.size(), MPI_INT, 0, 0, MPI_COMM_WORLD, &req); // A
    }
    void finish()
    {
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    int first() const
    {
        return data[0]; // B
    }

  private:
    std::vector<int> data;
    MPI_Request req = MPI_REQUEST_NULL;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    exchange e(64);
    e.post();
    seen = e.first();
    e.finish();
    MPI_Finalize();
    return 0;
}
