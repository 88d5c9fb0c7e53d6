/* expect-sources: local-race A B */
// Messages per destination in a map of vectors; an entry is amended in one that is already being sent.
#include <mpi.h>

#include <iostream>
#include <map>
#include <vector>

struct Entry {
    int vertex;
    double value;
};

class Mailer {
public:
    explicit Mailer(MPI_Comm comm) : comm_(comm)
    {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &size_);
        for (int r = 0; r < size_; ++r)
            outbox_[r].reserve(64);
    }
    void post(int to, Entry entry)
    {
        outbox_[to].push_back(entry);
    }
    void amend(int to, double value)
    {
        outbox_[to].front().value = value; // B
    }
    void start()
    {
        for (auto &[to, entries] : outbox_) {
            requests_.push_back(MPI_REQUEST_NULL);
            MPI_Isend(entries.data(), static_cast<int>(entries.size() * sizeof(Entry)), MPI_BYTE, to, 0, comm_, // A
                      &requests_.back());
        }
    }
    double finish()
    {
        double sum = 0;
        for (int r = 0; r < size_; ++r) {
            MPI_Status status;
            int bytes;
            MPI_Probe(MPI_ANY_SOURCE, 0, comm_, &status);
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            std::vector<Entry> in(static_cast<std::size_t>(bytes) / sizeof(Entry));
            MPI_Recv(in.data(), bytes, MPI_BYTE, status.MPI_SOURCE, 0, comm_, MPI_STATUS_IGNORE);
            for (const Entry &e : in)
                sum += e.value;
        }
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
        requests_.clear();
        for (auto &box : outbox_)
            box.second.clear();
        return sum;
    }
    int size() const { return size_; }

private:
    MPI_Comm comm_;
    int rank_, size_;
    std::map<int, std::vector<Entry>> outbox_;
    std::vector<MPI_Request> requests_;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        Mailer mailer(MPI_COMM_WORLD);
        double sum = 0;
        for (int round = 0; round < 2; ++round) {
            for (int r = 0; r < mailer.size(); ++r)
                for (int v = 0; v < 10; ++v)
                    mailer.post(r, Entry{v, round + 0.5 * v});
            mailer.start();
            mailer.amend(0, sum);
            sum += mailer.finish();
        }
        std::cout << sum << "\n";
    }
    MPI_Finalize();
    return 0;
}
