#include "trial.h"
#include "cli.h"
#include "paths.h"
#include "stress/hang.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- start ---- */

static void redirect(const char *directory, const char *name, int descriptor)
{
    char *path = checked_printf("%s/%s", directory, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(127);
    close(file);
    free(path);
}

static struct words command_line(const struct trial *trial, const struct launcher *launcher,
                                 const char *library, char **argv)
{
    struct launcher own = *launcher;
    own.settings = (struct words){0};
    for (size_t i = 0; i + 1 < launcher->settings.count; i += 2)
        launcher_set(&own, launcher->settings.list[i], launcher->settings.list[i + 1]);
    launcher_preload(&own, library, trial->directory);
    /* What malloc hands out is the same in all runs, so that memory the program never set does not
     * differ. */
    if (!getenv("MALLOC_PERTURB_"))
        launcher_set(&own, "MALLOC_PERTURB_", "165");
    char *setting = schedule_setting(&trial->schedule);
    launcher_set(&own, "REGATTA_STRESS", setting);
    free(setting);
    if (trial->only)
        launcher_set(&own, "REGATTA_STRESS_ONLY", trial->only);
    return launcher_line(&own, argv);
}

static void add_seconds(struct timespec *time, double seconds)
{
    time->tv_sec += (time_t)seconds;
    time->tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (time->tv_nsec >= 1000000000) {
        time->tv_nsec -= 1000000000;
        time->tv_sec++;
    }
}

void trial_start(struct trial *trial, const struct launcher *launcher, const char *library,
                 char **argv, const char *scratch, int number, double limit)
{
    trial->directory = checked_printf("%s/%d", scratch, number);
    if (mkdir(trial->directory, 0777) != 0)
        fail(EXIT_INTERNAL, "cannot make %s: %s", trial->directory, strerror(errno));
    struct words line = command_line(trial, launcher, library, argv);
    if (launcher->verbose)
        launcher_say(&line);
    clock_gettime(CLOCK_MONOTONIC, &trial->start);
    trial->deadline = trial->start;
    add_seconds(&trial->deadline, limit);
    trial->state = TRIAL_RUNS;
    trial->pid = fork();
    if (trial->pid < 0)
        fail(EXIT_INTERNAL, "fork: %s", strerror(errno));
    if (trial->pid == 0) {
        setpgid(0, 0);
        int null = open("/dev/null", O_RDONLY);
        dup2(null, STDIN_FILENO);
        redirect(trial->directory, "output", STDOUT_FILENO);
        redirect(trial->directory, "errors", STDERR_FILENO);
        execvp(line.list[0], line.list);
        _exit(127);
    }
    setpgid(trial->pid, trial->pid);
}

/* ---- the processes of the run ---- */

/* Whether the process is of this run and not a later one of the same number. */
static bool is_ours(const struct trial *trial, long pid)
{
    char path[64], *text = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%ld/environ", pid);
    FILE *file = fopen(path, "r");
    char *wanted = checked_printf("REGATTA_RECORDS=%s", trial->directory);
    bool found = false;
    while (file && !found && getdelim(&text, &room, 0, file) > 0)
        found = !strcmp(text, wanted);
    if (file)
        fclose(file);
    free(text);
    free(wanted);
    return found;
}

/* Record files are named host-pid.records. */
static void signal_processes(const struct trial *trial, int number)
{
    DIR *directory = opendir(trial->directory);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        const char *end = strstr(entry->d_name, ".records"), *dash = strrchr(entry->d_name, '-');
        long pid = end && dash ? strtol(dash + 1, NULL, 10) : 0;
        if (pid > 1 && is_ours(trial, pid))
            kill((pid_t)pid, number);
    }
    if (directory)
        closedir(directory);
}

void trial_kill(struct trial *trial)
{
    if (!trial->pid)
        return;
    signal_processes(trial, SIGKILL);
    kill(-trial->pid, SIGKILL);
    waitpid(trial->pid, NULL, 0);
    trial->pid = 0;
}

/* ---- watch ---- */

static double since(const struct timespec *time)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - time->tv_sec) + (double)(now.tv_nsec - time->tv_nsec) / 1e9;
}

/* Too long: first ask the processes where they are, then end the launcher, which ends them, then be
 * rude. */
static void hurry(struct trial *trial)
{
    trial->hung = true;
    if (trial->state == TRIAL_RUNS) {
        signal_processes(trial, HANG_SIGNAL);
        trial->state = TRIAL_ASKED;
        add_seconds(&trial->deadline, 1);
    } else if (trial->state == TRIAL_ASKED) {
        signal_processes(trial, SIGKILL);
        kill(trial->pid, SIGTERM);
        trial->state = TRIAL_ENDED_FOR;
        add_seconds(&trial->deadline, 3);
    } else {
        trial_kill(trial);
    }
}

bool trial_poll(struct trial *trial)
{
    int status;
    pid_t done = trial->pid ? waitpid(trial->pid, &status, WNOHANG) : 0;
    if (trial->pid && done == 0) {
        if (since(&trial->deadline) > 0)
            hurry(trial);
        if (trial->pid)
            return false;
        trial->code = 128 + SIGKILL;
    } else if (done == trial->pid && trial->pid) {
        trial->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        signal_processes(trial, SIGKILL); /* the launcher may leave some behind */
        trial->pid = 0;
    }
    trial->seconds = since(&trial->start);
    return true;
}

/* ---- what it wrote ---- */

static char *read_whole(const struct trial *trial, const char *name)
{
    char *path = checked_printf("%s/%s", trial->directory, name), *text = NULL;
    size_t length = 0, room = 0;
    FILE *file = fopen(path, "r");
    free(path);
    while (file && !feof(file) && length < (16u << 20)) {
        if (room - length < 4096)
            text = checked_realloc(text, room = 2 * room + 8192);
        length += fread(text + length, 1, room - length - 1, file);
    }
    if (file)
        fclose(file);
    if (!text)
        return checked_strdup("");
    text[length] = 0;
    return text;
}

char *trial_output(const struct trial *trial)
{
    return read_whole(trial, "output");
}

char *trial_errors(const struct trial *trial)
{
    return read_whole(trial, "errors");
}
