/* expect: local-race A B */
/* Log lines are sent from a string that takes the next line while the send is under way. */
#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

class Log {
public:
    explicit Log(int collector) : collector_(collector), request_(MPI_REQUEST_NULL), line_(256, ' ') {}
    void write(int number)
    {
        line_[0] = (char)('a' + number % 26); /* B */
        flush();
        MPI_Isend(line_.data(), (int)line_.size(), MPI_CHAR, collector_, 1, MPI_COMM_WORLD, &request_); /* A */
    }
    void flush()
    {
        if (request_ != MPI_REQUEST_NULL)
            MPI_Wait(&request_, MPI_STATUS_IGNORE);
    }

private:
    int collector_;
    MPI_Request request_;
    std::vector<char> line_;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        std::vector<char> line(256);
        for (int i = 0; i < 10 * (size - 1); i++)
            MPI_Recv(line.data(), 256, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        std::printf("%c\n", line[0]);
    } else {
        Log log(0);
        for (int i = 0; i < 10; i++)
            log.write(i);
        log.flush();
    }
    MPI_Finalize();
    return 0;
}
