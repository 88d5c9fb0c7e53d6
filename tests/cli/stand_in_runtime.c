/* Stands in for the runtime library in tests of the command: writes the records that a detector
 * would, at the places that the test asks for by STAND_IN (a list of words).
 *
 *   race      each rank reports two calls of its own at Init and Finalize
 *   cut       the last record of rank 1 is cut short
 *   limit     rank 0 did not look at something
 */
#include <mpi.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int records = -1;
static char init_site[256];

static int asked(const char *word)
{
    const char *list = getenv("STAND_IN");
    return list && strstr(list, word);
}

static void write_all(const char *text)
{
    if (records >= 0 && write(records, text, strlen(text)) < 0)
        records = -1;
}

/* One stack entry: module and offset of a return address in the program. */
static void describe(char *out, size_t size, void *address)
{
    Dl_info info;
    struct link_map *map;
    char path[200] = "";
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
        return;
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return;
    snprintf(out, size, "{\"module\":\"%s\",\"offset\":%lu}", path,
             (unsigned long)((char *)address - (char *)map->l_addr));
}

static void open_records(void)
{
    int rank, ranks;
    char host[64] = "", line[512];
    const char *directory = getenv("REGATTA_RECORDS");
    if (!directory)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    gethostname(host, sizeof host - 1);
    snprintf(line, sizeof line, "%s/%s-%d.records", directory, host, (int)getpid());
    records = open(line, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    snprintf(line, sizeof line,
             "{\"type\":\"process\",\"format\":2,\"rank\":%d,\"ranks\":%d,\"pid\":%d,"
             "\"host\":\"%s\",\"mpi\":\"stand-in 1.0\",\"program\":\"p\"}\n",
             rank, ranks, (int)getpid(), host);
    write_all(line);
}

int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);
    open_records();
    describe(init_site, sizeof init_site, __builtin_return_address(0));
    return code;
}

static void report_site(int id, const char *stack)
{
    char line[400];
    snprintf(line, sizeof line, "{\"type\":\"site\",\"id\":%d,\"stack\":[%s]}\n", id, stack);
    write_all(line);
}

static void report_race(int rank, void *second)
{
    char site[256] = "", line[1500];
    describe(site, sizeof site, second);
    report_site(1, init_site);
    report_site(2, site);
    snprintf(line, sizeof line,
             "{\"type\":\"finding\",\"key\":1,\"rule\":\"local-race\",\"case\":\"buffer-in-use\","
             "\"first\":{\"kind\":\"send\",\"call\":\"MPI_Isend\",\"rank\":%d,\"thread\":0,"
             "\"access\":\"read\",\"bytes\":8,\"until\":\"request\",\"site\":1},"
             "\"second\":{\"kind\":\"recv\",\"call\":\"MPI_Irecv\",\"rank\":%d,\"thread\":0,"
             "\"access\":\"write\",\"bytes\":8,\"until\":\"request\",\"site\":2},"
             "\"memory\":{\"side\":\"origin\",\"rank\":%d,\"offset\":0,\"bytes\":8}}\n",
             rank, rank, rank);
    write_all(line);
    write_all("{\"type\":\"count\",\"key\":1,\"count\":5}\n");
}

int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (asked("race"))
        report_race(rank, __builtin_return_address(0));
    if (asked("limit") && rank == 0)
        write_all("{\"type\":\"limit\",\"kind\":\"races\",\"what\":\"races between ranks\","
                  "\"why\":\"lost the thread\"}\n");
    if (asked("cut") && rank == 1)
        write_all("{\"type\":\"end\",\"sta");
    else
        write_all("{\"type\":\"end\",\"state\":\"finalized\"}\n");
    return PMPI_Finalize();
}
