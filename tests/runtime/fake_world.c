#include "fake_rank.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file is loaded once under each name, so each rank gets a copy of its own, which is gone as soon
 * as it is loaded. */
static void *load_copy(const char *library)
{
    char path[] = "/tmp/regatta-fake-rank-XXXXXX";
    int from = open(library, O_RDONLY), to = mkstemp(path);
    struct stat file;
    if (from < 0 || to < 0 || fstat(from, &file) != 0 ||
        sendfile(to, from, NULL, (size_t)file.st_size) != file.st_size) {
        perror(library);
        abort();
    }
    close(from);
    close(to);
    void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
        fprintf(stderr, "%s\n", dlerror());
        abort();
    }
    unlink(path);
    return loaded;
}

void fake_world_start(struct fake_world *world, struct fake_rank *ranks, const char *library,
                      bool implicit_world)
{
    pthread_barrier_init(&world->meeting, NULL, FAKE_RANKS);
    pthread_mutex_init(&world->lock, NULL);
    for (uint32_t i = 0; i < FAKE_RANKS; i++) {
        ranks[i].library = load_copy(library);
#define FIND(type, name, arguments)                                                                \
    ranks[i].name = (type(*) arguments)dlsym(ranks[i].library, #name);                             \
    if (!ranks[i].name) {                                                                          \
        fprintf(stderr, "%s\n", dlerror());                                                        \
        abort();                                                                                   \
    }
        FAKE_RANK_FUNCTIONS(FIND)
#undef FIND
        ranks[i].fake_rank_start(world, i, implicit_world);
    }
}

void fake_world_stop(struct fake_world *world, struct fake_rank *ranks)
{
    for (uint32_t i = 0; i < FAKE_RANKS; i++) {
        ranks[i].fake_rank_stop();
        dlclose(ranks[i].library);
        free(world->window[i]);
        for (uint32_t to = 0; to < FAKE_RANKS; to++)
            while (world->mail[i][to].first) {
                struct fake_letter *letter = world->mail[i][to].first;
                world->mail[i][to].first = letter->next;
                free(letter);
            }
    }
    for (size_t i = 0; i < world->nboards; i++)
        free(world->boards[i].bytes);
    pthread_barrier_destroy(&world->meeting);
    pthread_mutex_destroy(&world->lock);
}
