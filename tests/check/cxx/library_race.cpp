/* expect-sources: local-race A B */
// The C++ library's maps, lists, tables of hashes and strings decide how long messages are.
#include <mpi.h>

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

static int failures;

static void expect(bool right)
{
    failures += !right;
}

static std::string texts()
{
    std::string a("abc"), b = a + "def", c;
    expect(b == "abcdef" && b.size() == 6 && a != b && a < b && c.empty());
    c = b;
    for (int i = 0; i < 5; i++)
        c += b;
    expect(c.size() == 36 && c.find("fa") == 5 && c.find('z') == std::string::npos && c.find(b, 1) == 6);
    c.append("xyz").push_back('!');
    expect(c.substr(36) == "xyz!" && c.substr(2, 3).compare("cde") == 0);
    std::string d(std::move(c)), e(3, 'q');
    expect(d.length() == 40 && c.empty() && e == "qqq");
    d.resize(4);
    d[1] = 'X';
    expect(d == "aXca" || d == "aXcd");
    e = "n" + std::to_string(42) + std::to_string(-7);
    a.swap(e);
    expect(a == "n42-7" && e == "abc");
    d.clear();
    d.reserve(100);
    d = std::move(a);
    return d;
}

static int trees()
{
    std::map<int, double> map;
    for (int i = 0; i < 40; i++)
        map[i * 17 % 41] = i;
    int last = -1, n = 0;
    for (const auto &[key, value] : map) {
        expect(key > last && key == static_cast<int>(value) * 17 % 41);
        last = key;
        n++;
    }
    expect(n == 40);
    for (int i = 0; i < 40; i += 3)
        map.erase(i * 17 % 41);
    map.erase(map.begin());
    last = -1, n = 0;
    for (auto it = map.begin(); it != map.end(); ++it, n++) {
        expect(it->first > last);
        last = it->first;
    }
    expect(n == static_cast<int>(map.size()));
    for (auto it = map.rbegin(); it != map.rend(); ++it, n--)
        expect(it->first <= last);
    expect(n == 0);
    std::set<std::string> names{"b", "c", "a"};
    expect(*names.begin() == "a" && *names.rbegin() == "c" && names.count("b") == 1);
    while (!map.empty())
        map.erase(map.begin());
    map[3] = 1;
    return static_cast<int>(map.size() + names.size());
}

static int others()
{
    std::list<int> list{1, 2, 3};
    list.push_front(0);
    list.splice(list.begin(), std::list<int>{7, 8});
    list.erase(list.begin());
    int sum = 0, at = 1;
    for (int i : list)
        sum += i * at++;
    expect(sum == 8 + 0 + 3 + 8 + 15 && list.size() == 5);
    std::unordered_map<std::string, int> counts;
    for (int i = 0; i < 50; i++)
        counts[std::to_string(i % 20)]++;
    expect(counts.size() == 20 && counts["3"] == 3 && counts.find("21") == counts.end());
    std::unordered_map<int, int> squares;
    for (int i = 0; i < 30; i++)
        squares.emplace(i, i * i);
    squares.erase(3);
    expect(squares.size() == 29 && squares.at(5) == 25);
    auto shared = std::make_shared<std::vector<int>>(4);
    auto other = shared;
    shared.reset();
    return static_cast<int>(other->size());
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string text = texts();
    int n = trees() + others();
    if (failures == 0 && text == "n42-7" && n == 8) {
        std::map<int, std::vector<char>> boxes;
        boxes[1].assign(text.begin(), text.end());
        if (rank == 0) {
            MPI_Request request;
            MPI_Isend(boxes[1].data(), static_cast<int>(boxes[1].size()), MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request); // A
            boxes[1].back() = '8'; // B
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(boxes[1].data(), static_cast<int>(boxes[1].size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return failures;
}
