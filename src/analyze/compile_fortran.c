/* Fortran sources to bitcode, with flang.
 *
 * Headers are MPICH's, whichever MPI is asked for: its handles are numbers in both languages
 * (fortran_calls.h). Its module files are gfortran's and nothing to flang, so the module mpi is
 * made here, from mpif.h; mpi_f08 cannot be had that way. Modules of the program come from each
 * other's compilation, in whatever order works: what fails is tried again once something else has
 * been compiled. The cache cannot tell what flang has read, and is not used. */
#include "compile.h"

#include "findings/progress.h"
#include "mpi/routine.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char flang[] = "flang-new-19";

typedef LIST(char *) word_list;

struct fortran {
    struct units *units;
    char *modules;      /* directory for module files */
    word_list includes; /* -I of MPICH */
};

static char *name_in(const char *directory, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        checked(NULL);
    return path;
}

/* What MPICH's wrapper would give to its compiler, as far as flang understands it. */
static bool find_includes(struct fortran *fortran)
{
    char line[4096] = "";
    FILE *wrapper = popen("mpifort.mpich -show 2>/dev/null", "r");
    bool told = wrapper && fgets(line, sizeof line, wrapper);
    if (wrapper)
        pclose(wrapper);
    for (char *rest = line, *word; told && (word = strtok_r(rest, " \n", &rest));)
        if (!strncmp(word, "-I", 2))
            APPEND(&fortran->includes, checked(strdup(word)));
    return fortran->includes.count > 0;
}

/* As seen from where the unit is compiled by its build. */
static char *absolute(const struct unit *unit, const char *path)
{
    char *here = unit->directory ? checked(strdup(unit->directory)) : getcwd(NULL, 0);
    char *full = path[0] == '/' || !here ? checked(strdup(path)) : name_in(here, path);
    free(here);
    return full;
}

/* Those that flang understands, with whole names of directories. */
static void take_flags(const struct unit *unit, word_list *words)
{
    static const char *const known[] = {"-D", "-U", "-cpp", "-ff", "-fdefault-", "-fopenmp"};
    for (size_t i = 0; i < unit->flags.count; i++) {
        const char *flag = unit->flags.items[i];
        bool apart = flag[0] == '-' && flag[1] && !flag[2] && strchr("IDU", flag[1]);
        const char *what = apart && i + 1 < unit->flags.count ? unit->flags.items[++i] : flag + 2;
        if (!strncmp(flag, "-I", 2)) {
            APPEND(words, checked(strdup("-I")));
            APPEND(words, absolute(unit, what));
            continue;
        }
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            if (strncmp(flag, known[k], strlen(known[k])) != 0)
                continue;
            APPEND(words, checked(strdup(flag)));
            if (apart)
                APPEND(words, checked(strdup(what)));
            break;
        }
    }
}

/* Run beside the module files: flang looks where it runs first, and there are gfortran's in a
 * directory that was built in. */
static pid_t start(const struct fortran *fortran, const struct unit *unit, const char *output,
                   const char *log)
{
    static const char *const fixed[] = {"-w", "-g", "-O0", "-emit-llvm", "-c"};
    word_list words = {0}, own = {0};
    APPEND(&own, absolute(unit, unit->file));
    take_flags(unit, &own);
    APPEND(&words, flang);
    for EACH (word, &own)
        APPEND(&words, *word);
    for EACH (include, &fortran->includes)
        APPEND(&words, *include);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        APPEND(&words, (char *)fixed[i]);
    APPEND(&words, "-o");
    APPEND(&words, (char *)output);
    APPEND(&words, NULL);
    pid_t pid = compiler_start(words.items, fortran->modules, log);
    for EACH (word, &own)
        free(*word);
    DROP(&own);
    DROP(&words);
    return pid;
}

static bool ended_well(pid_t pid)
{
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Buffers that are ASYNCHRONOUS may only be passed where the interface is in sight; whatever is
 * passed, it is by its address. */
static void write_interface(FILE *out, const struct routine *routine)
{
    fprintf(out, "subroutine %s(", routine->name);
    for (unsigned i = 0; i < routine->narguments; i++)
        fprintf(out, "&\n%s, ", routine->arguments[i].name);
    fputs("&\nierror)\n", out);
    for (unsigned i = 0; i < routine->narguments; i++) {
        const char *name = routine->arguments[i].name;
        enum passing passing = routine->arguments[i].passing;
        fprintf(out, "!dir$ ignore_tkr(tkr) %s\n", name);
        fprintf(out,
                passing == PASSING_pointer ? "integer :: %s(*)\n"
                : passing == PASSING_long  ? "integer(8) :: %s\n"
                                           : "integer :: %s\n",
                name);
    }
    fputs("integer :: ierror\nend subroutine\n", out);
}

static void write_module(FILE *out)
{
    fputs("module mpi\ninclude 'mpif.h'\ninterface\n", out);
    for (size_t i = 0; i < ROUTINES; i++)
        if ((routines[i].nbuffers || routine_has(&routines[i], ROLE_base)) && !routines[i].large &&
            !strncmp(routines[i].name, "MPI_", 4))
            write_interface(out, &routines[i]);
    fputs("end interface\nend module\n", out);
}

static bool make_module(const struct fortran *fortran)
{
    char *source = name_in(fortran->modules, "mpi.f90"),
         *output = name_in(fortran->modules, "mpi.bc"), *log = name_in(fortran->modules, "mpi.log");
    FILE *file = fopen(source, "w");
    if (file)
        write_module(file);
    bool good = file && fclose(file) == 0;
    const struct unit unit = {.file = source};
    good = good && ended_well(start(fortran, &unit, output, log));
    free(source);
    free(output);
    free(log);
    return good;
}

struct attempt {
    struct unit *unit;
    char *output, *log;
    bool done;
};
typedef LIST(struct attempt) attempt_list;

/* Tries all that are not done, and returns how many are now. */
static size_t try_all(const struct fortran *fortran, attempt_list *attempts, size_t jobs)
{
    pid_t running[64];
    size_t done = 0;
    for (size_t first = 0; first < attempts->count; first += jobs) {
        size_t count = attempts->count - first < jobs ? attempts->count - first : jobs;
        progress_show("compiled", first, attempts->count);
        for (size_t i = 0; i < count; i++) {
            const struct attempt *attempt = &attempts->items[first + i];
            running[i] =
                attempt->done ? 0 : start(fortran, attempt->unit, attempt->output, attempt->log);
        }
        for (size_t i = 0; i < count; i++) {
            struct attempt *attempt = &attempts->items[first + i];
            if (!attempt->done && ended_well(running[i]))
                attempt->done = ++done;
        }
    }
    return done;
}

/* What flang says of MPICH's module files is of no use to anybody. */
static bool wants_other_module(const struct units *units, const struct attempt *attempt)
{
    char line[512];
    bool wants = false;
    FILE *log = fopen(attempt->log, "r");
    while (log && !wants && fgets(line, sizeof line, log))
        wants = strstr(line, "for module 'mpi_f08'") != NULL;
    if (log)
        fclose(log);
    if (wants && !units->quiet) {
        progress_clear();
        fprintf(stderr,
                "regatta: skipped %s: use mpi_f08 is not possible: the module files are "
                "gfortran's (docs/fortran.md)\n",
                attempt->unit->file);
    }
    return wants;
}

static void compile(const struct fortran *fortran, attempt_list *attempts, size_t jobs)
{
    size_t done = 0;
    fortran->units->mpi = "mpich"; /* for C as well: one program has one MPI */
    for (size_t more; done < attempts->count && (more = try_all(fortran, attempts, jobs));)
        done += more;
    for EACH (attempt, attempts) {
        if (attempt->done) {
            attempt->unit->bitcode = checked(strdup(attempt->output));
            continue;
        }
        if (!wants_other_module(fortran->units, attempt))
            compiler_explain(fortran->units, attempt->unit, attempt->log);
        fortran->units->failed++;
    }
}

static void leave_out(struct units *units, const attempt_list *attempts, const char *why)
{
    for EACH (attempt, attempts)
        if (!units->quiet)
            fprintf(stderr, "regatta: skipped %s: %s\n", attempt->unit->file, why);
    units->failed += attempts->count;
}

void units_compile_fortran(struct units *units, int jobs)
{
    attempt_list attempts = {0};
    for EACH (unit, &units->list) {
        if (!unit->is_fortran)
            continue;
        struct attempt attempt = {.unit = unit};
        size_t number = (size_t)(unit - units->list.items);
        if (asprintf(&attempt.output, "%s/%zu.bc", units->scratch, number) < 0 ||
            asprintf(&attempt.log, "%s/%zu.log", units->scratch, number) < 0)
            checked(NULL);
        APPEND(&attempts, attempt);
    }
    if (!attempts.count)
        return;
    struct fortran fortran = {units, name_in(units->scratch, "modules"), {0}};
    if (system("command -v flang-new-19 >/dev/null") != 0)
        leave_out(units, &attempts, "Fortran needs flang-new-19 (Debian: flang-19)");
    else if (mkdir(fortran.modules, 0700) != 0 || !find_includes(&fortran) ||
             !make_module(&fortran))
        leave_out(units, &attempts, "Fortran needs MPICH's mpif.h (Debian: libmpich-dev)");
    else
        compile(&fortran, &attempts, jobs < 1 ? 1 : jobs > 64 ? 64 : (size_t)jobs);
    progress_clear();
    for EACH (attempt, &attempts) {
        free(attempt->output);
        free(attempt->log);
    }
    DROP(&attempts);
    for EACH (include, &fortran.includes)
        free(*include);
    DROP(&fortran.includes);
    free(fortran.modules);
}
