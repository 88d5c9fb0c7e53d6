/* expect-sources: local-race A B */
// Gradients of layers are summed in the background while the next ones are computed; the update waits for one layer too few.
#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

struct Layer {
    std::string name;
    std::vector<float> weights, gradients;
    Layer(std::string n, std::size_t size) : name(std::move(n)), weights(size, 0.5f), gradients(size) {}
};

class Reducer {
public:
    explicit Reducer(MPI_Comm comm) : comm_(comm) { MPI_Comm_size(comm, &size_); }
    void add(Layer &layer)
    {
        requests_.emplace_back();
        MPI_Iallreduce(MPI_IN_PLACE, layer.gradients.data(), static_cast<int>(layer.gradients.size()), MPI_FLOAT, MPI_SUM, // A
                       comm_, &requests_.back());
    }
    void wait()
    {
        MPI_Waitall(static_cast<int>(requests_.size()) - 1, requests_.data(), MPI_STATUSES_IGNORE);
    }
    void clear()
    {
        MPI_Wait(&requests_.back(), MPI_STATUS_IGNORE);
        requests_.clear();
    }
    float scale() const { return 1.0f / static_cast<float>(size_); }

private:
    MPI_Comm comm_;
    int size_ = 1;
    std::vector<MPI_Request> requests_;
};

class Model {
public:
    Model()
    {
        layers_.emplace_back("input", 30);
        layers_.emplace_back("hidden", 20);
        layers_.emplace_back("output", 10);
    }
    void backward(Reducer &reducer, float loss)
    {
        for (auto it = layers_.rbegin(); it != layers_.rend(); ++it) {
            for (auto &g : it->gradients)
                g = loss * 0.1f;
            reducer.add(*it);
        }
    }
    void update(const Reducer &reducer)
    {
        for (auto &layer : layers_)
            for (std::size_t i = 0; i < layer.weights.size(); ++i)
                layer.weights[i] -= 0.01f * reducer.scale() * layer.gradients[i]; // B
    }
    float first() const { return layers_[0].weights[0]; }

private:
    std::vector<Layer> layers_;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        Model model;
        Reducer reducer(MPI_COMM_WORLD);
        for (int epoch = 0; epoch < 3; ++epoch) {
            model.backward(reducer, 1.0f / static_cast<float>(epoch + 1));
            reducer.wait();
            model.update(reducer);
            reducer.clear();
        }
        std::printf("%g\n", static_cast<double>(model.first()));
    }
    MPI_Finalize();
    return 0;
}
