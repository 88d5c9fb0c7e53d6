/* regatta doctor: what is installed, what works (by trying), what is missing and how to get it. */
#include "cli.h"
#include "compilation.h"
#include "gomp.h"
#include "mpis.h"
#include "options.h"
#include "paths.h"
#include "findings/checked.h"
#include "findings/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Has one race, between the calls in lines RACE_FIRST and RACE_SECOND. */
static const char patient[] =
    "#include <mpi.h>\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, box = 0, letter = 1;\n"
    "    MPI_Request requests[3];\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    int peer = size - 1 - rank;\n"
    "    MPI_Irecv(&box, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[0]);\n"
    "    MPI_Irecv(&box, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[1]);\n"
    "    MPI_Send(&letter, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);\n"
    "    MPI_Send(&letter, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);\n"
    "    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";
enum { RACE_FIRST = 10, RACE_SECOND = 11 };

enum verdict { WORKS, MISSING, BROKEN };

static void tell(enum verdict verdict, const char *subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell(enum verdict verdict, const char *subject, const char *format, ...)
{
    static const char *const words[] = {"ok", "missing", "BROKEN"};
    va_list arguments;
    va_start(arguments, format);
    printf("  %-8s %-18s ", words[verdict], subject);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    va_end(arguments);
}

/* ---- trying it out ----------------------------------------------------------------------------
 */

static void write_patient(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(patient, file) < 0 || fclose(file) != 0)
        fail(EXIT_INTERNAL, "cannot write %s: %s", path, strerror(errno));
}

static bool compile(const struct mpi *mpi, const char *source, const char *program)
{
    char *compiler = mpi_compiler(mpi, LANGUAGE_C);
    char *output = paths_output_of(
        (char *[]){compiler, "-g", "-O1", (char *)source, "-o", (char *)program, NULL});
    if (!output)
        tell(BROKEN, "compile", "%s does not compile a small program; try it by hand", compiler);
    bool good = output != NULL;
    free(output);
    free(compiler);
    return good;
}

static const struct limit *limit_of(const struct report *report, const char *kind)
{
    for (size_t i = 0; i < report->limit_count; i++)
        if (!strcmp(report->limits[i].kind, kind))
            return &report->limits[i];
    return NULL;
}

/* Whether the run found the one race that is there, and could name its lines. */
static bool judge(const char *findings)
{
    char *problem;
    struct report *report = report_new("run");
    const struct limit *alone; /* each process was; detector.c knows why */
    bool good = false;
    if (!json_read_report(report, findings, &problem)) {
        tell(BROKEN, "test run", "%s", problem);
    } else if ((alone = limit_of(report, "mpi"))) {
        tell(BROKEN, "test run", "%s; %s", alone->why, alone->doing ? alone->doing : "");
    } else if (report->ranks != 2) {
        tell(BROKEN, "test run", "the runtime library was not at work in the two processes");
    } else if (report->finding_count != 1) {
        tell(BROKEN, "test run", "%zu findings instead of one", report->finding_count);
    } else {
        const struct frame *first = access_frame(&report->findings[0].first);
        const struct frame *second = access_frame(&report->findings[0].second);
        good = first && second && first->file && second->file &&
               first->line + second->line == RACE_FIRST + RACE_SECOND;
        if (good)
            tell(WORKS, "test run", "2 processes, the race was found and its lines are named");
        else
            tell(BROKEN, "test run", "a race was found, but not its source lines");
    }
    report_free(report);
    return good;
}

static bool try_out(const struct mpi *mpi)
{
    char *scratch = paths_scratch("regatta-doctor", false);
    char *source = checked_printf("%s/patient.c", scratch);
    char *program = checked_printf("%s/patient", scratch);
    char *findings = checked_printf("%s/findings.json", scratch);
    write_patient(source);
    bool good = compile(mpi, source, program);
    if (good) {
        char *output = paths_output_of((char *[]){"/proc/self/exe", "run", "--quiet", "--exitcode",
                                                  "0", "--json", findings, "--mpi",
                                                  (char *)mpi->name, "-n", "2", program, NULL});
        if (!output)
            tell(BROKEN, "test run", "a small program fails; try: regatta run --mpi %s -n 2 PROG",
                 mpi->name);
        good = output && judge(findings);
        free(output);
    }
    free(source);
    free(program);
    free(findings);
    free(scratch);
    return good;
}

/* ---- one MPI ----------------------------------------------------------------------------------
 */

static bool examine_file(const char *subject, char *path, const char *remedy)
{
    bool found = path != NULL;
    tell(found ? WORKS : MISSING, subject, "%s", found ? path : remedy);
    free(path);
    return found;
}

/* What `regatta cc` compiles without it is checked less closely. */
static void examine_plugin(const struct mpi *mpi)
{
    char *missing = compilation_missing_plugin(mpi);
    if (missing)
        tell(MISSING, "compiler plug-in",
             "none for %s: programs built with it have loads and stores that are not checked; "
             "build Regatta with this compiler",
             missing);
    else
        tell(WORKS, "compiler plug-in", "fits the C compiler");
    free(missing);
}

/* Programs of gcc that use OpenMP need it to be seen into. */
static void examine_openmp(void)
{
    printf("\nOpenMP\n");
    examine_file("LLVM's runtime", gomp_find_libomp(),
                 "only for threads of OpenMP: apt-get install libomp-19-dev");
}

static enum verdict examine_mpi(const struct mpi *mpi)
{
    printf("\n%s\n", mpi->title);
    char *install = checked_printf("apt-get install %s", mpi->package);
    char *build = checked_printf("Regatta was built without %s: install it, then make", mpi->title);
    char *fortran = checked_printf("only for Fortran: apt-get install %s gfortran", mpi->package);
    bool launcher = examine_file("launcher", mpi_launcher(mpi), install);
    bool compiler = examine_file("C compiler", mpi_compiler(mpi, LANGUAGE_C), install);
    examine_file("C++ compiler", mpi_compiler(mpi, LANGUAGE_CXX), install);
    examine_file("Fortran compiler", mpi_compiler(mpi, LANGUAGE_FORTRAN), fortran);
    bool runtime = examine_file("runtime library", mpi_runtime(mpi), build);
    if (compiler)
        examine_plugin(mpi);
    free(install);
    free(build);
    free(fortran);
    if (!launcher || !compiler || !runtime)
        return MISSING;
    return try_out(mpi) ? WORKS : BROKEN;
}

/* The plain names may belong to different MPIs: what mpicc builds, mpiexec then starts as processes
 * of which each is rank 0 of 1. Regatta itself takes the launcher of the program's MPI. */
static void examine_pair(void)
{
    const struct mpi *built_by = mpi_of_mpicc();
    char *version = paths_output_of((char *[]){"mpiexec", "--version", NULL});
    if (built_by && version) {
        bool is_openmpi =
            strstr(version, "Open MPI") || strstr(version, "OpenRTE") || strstr(version, "prte");
        bool wants_openmpi = !strcmp(built_by->name, "openmpi");
        puts("\nmpicc and mpiexec");
        if (is_openmpi == wants_openmpi)
            tell(WORKS, "one MPI", "both are of %s", built_by->title);
        else
            tell(MISSING, "two MPIs",
                 "mpicc is of %s and mpiexec is not: without Regatta, start programs by %s",
                 built_by->title, built_by->launcher_names[0]);
    }
    free(version);
}

int cmd_doctor(int argc, char **argv)
{
    static const struct option none[] = {{0}};
    static const struct command command = {
        .name = "doctor",
        .usage = "",
        .about = "Says what is installed, tries it out with a small program on two processes, and\n"
                 "says what is missing and how to get it.",
        .tables = {none, NULL},
        .more = "Exit code: 0 if at least one MPI works and none is broken, else 70.",
    };
    int next = options_parse(&command, argc, argv);
    if (next < argc)
        fail(EXIT_USAGE, "doctor: unexpected argument '%s'", argv[next]);
    char *directory = paths_own_directory();
    printf("regatta " REGATTA_VERSION " in %s\n", directory);
    free(directory);
    examine_pair();
    const struct mpi *usual = mpi_of_mpicc();
    if (usual)
        tell(WORKS, "mpicc", "is %s: used where nothing else decides (--mpi, REGATTA_MPI)",
             usual->title);
    else
        tell(MISSING, "mpicc", "not on PATH, or of an MPI that is not known: say --mpi");
    int working = 0, broken = 0;
    for (int i = 0; i < mpi_count; i++) {
        enum verdict verdict = examine_mpi(&mpis[i]);
        working += verdict == WORKS;
        broken += verdict == BROKEN;
    }
    examine_openmp();
    printf("\n%s\n", broken    ? "Something is broken, see above."
                     : working ? "Regatta works here."
                               : "No MPI works yet, see above for what is missing.");
    return working && !broken ? 0 : EXIT_INTERNAL;
}
