/* Buffers in use against a plain list of buffers. */
#include "unit.h"
#include "inuse.h"

enum { BUFFERS = 60, SPACE = 3000 };

struct model {
    struct inuse_buffer *handle;
    struct section sections[3];
    size_t n;
    enum buffer_access access;
    bool seen;
    struct section common;
};

static size_t random_sections(struct section *sections)
{
    size_t n = random_below(4); /* none is allowed */
    for (size_t i = 0; i < n; i++) {
        struct section s = {random_below(SPACE), 1 + random_below(20), 0, 1};
        if (random_below(2)) { /* often wide enough to span many others */
            s.count = 2 + random_below(40);
            s.stride = s.length + 1 + random_below(60);
        }
        sections[i] = s;
    }
    return n;
}

static bool note(void *context, void *owner, enum buffer_access access,
                 const struct section *common)
{
    (void)context;
    struct model *model = owner;
    assert_false(model->seen);
    assert_int_equal(model->access, access);
    model->seen = true;
    model->common = *common;
    return true;
}

static bool stop_at_once(void *context, void *owner, enum buffer_access access,
                         const struct section *common)
{
    (void)owner;
    (void)access;
    (void)common;
    ++*(int *)context;
    return false;
}

static void agrees_with_a_list(void **state)
{
    (void)state;
    static struct model models[BUFFERS];
    struct inuse *map = inuse_create();
    assert_true(inuse_empty(map));
    int conflicts = 0;
    for (int round = 0; round < 60000; round++) {
        struct model *model = &models[random_below(BUFFERS)];
        if (model->handle) {
            inuse_remove(map, model->handle);
            model->handle = NULL;
        } else {
            model->n = random_sections(model->sections);
            model->access = random_below(2) ? BUFFER_READ : BUFFER_WRITE;
            model->handle = inuse_add(map, model->sections, model->n, model->access, model);
        }
        struct section sections[3];
        size_t n = random_sections(sections);
        enum buffer_access access = random_below(2) ? BUFFER_READ : BUFFER_WRITE;
        for (int i = 0; i < BUFFERS; i++)
            models[i].seen = false;
        inuse_conflicts(map, sections, n, access, note, NULL);
        bool any = false;
        for (int i = 0; i < BUFFERS; i++) {
            bool expected = false;
            struct section lowest = {0}, common;
            any |= models[i].handle != NULL;
            if (models[i].handle && (access == BUFFER_WRITE || models[i].access == BUFFER_WRITE))
                for (size_t a = 0; a < n; a++)
                    for (size_t b = 0; b < models[i].n; b++)
                        if (section_overlaps(&sections[a], &models[i].sections[b], &common) &&
                            (!expected || common.start < lowest.start)) {
                            expected = true;
                            lowest = common;
                        }
            assert_int_equal(models[i].seen, expected);
            if (expected) {
                assert_int_equal(models[i].common.start, lowest.start);
                conflicts++;
            }
        }
        assert_int_equal(inuse_empty(map), !any);
    }
    assert_true(conflicts > 1000);
    inuse_destroy(map);
}

static void visiting_can_stop(void **state)
{
    (void)state;
    struct inuse *map = inuse_create();
    struct section bytes = {100, 8, 0, 1};
    inuse_add(map, &bytes, 1, BUFFER_READ, NULL);
    inuse_add(map, &bytes, 1, BUFFER_READ, NULL);
    int visited = 0;
    inuse_conflicts(map, &bytes, 1, BUFFER_READ, stop_at_once, &visited);
    assert_int_equal(visited, 0); /* reads do not conflict with reads */
    inuse_conflicts(map, &bytes, 1, BUFFER_WRITE, stop_at_once, &visited);
    assert_int_equal(visited, 1);
    inuse_destroy(map);
}

static void large_maps_work(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct inuse *map = inuse_create();
    struct inuse_buffer **handles = malloc(MANY * sizeof *handles);
    struct section wide = {4, 4, 16, MANY}; /* between all the others */
    struct inuse_buffer *spanning = inuse_add(map, &wide, 1, BUFFER_WRITE, handles);
    for (uint64_t i = 0; i < MANY; i++) {
        struct section bytes = {(i * 7919 % MANY) * 16 + 8, 8, 0, 1};
        handles[i] = inuse_add(map, &bytes, 1, BUFFER_WRITE, &handles[i]);
    }
    int visited = 0;
    struct section probe = {16 * 5000 + 4, 1, 0, 1};
    inuse_conflicts(map, &probe, 1, BUFFER_READ, stop_at_once, &visited);
    assert_int_equal(visited, 1); /* only the wide one has it */
    probe.start = 16 * 5000 + 3;
    inuse_conflicts(map, &probe, 1, BUFFER_READ, stop_at_once, &visited);
    assert_int_equal(visited, 1); /* nobody has that byte */
    inuse_remove(map, spanning);
    for (int i = 0; i < MANY; i++)
        inuse_remove(map, handles[i]);
    assert_true(inuse_empty(map));
    free(handles);
    inuse_destroy(map);
}

/* An epoch of fetches from one origin buffer. If equal ranges hung in one chain, this would take
 * hours. */
static void many_equal_buffers(void **state)
{
    (void)state;
    enum { MANY = 300000 };
    struct inuse *map = inuse_create();
    struct inuse_buffer **handles = malloc(MANY * sizeof *handles);
    struct section pair[2] = {{1000, 2, 0, 1}, {1004, 4, 0, 1}};
    for (int i = 0; i < MANY; i++)
        handles[i] = inuse_add(map, pair, 2, BUFFER_READ, NULL);
    for (int i = MANY; i-- > 0;)
        inuse_remove(map, handles[(uint64_t)i * 7 % MANY]);
    assert_true(inuse_empty(map));
    free(handles);
    inuse_destroy(map);
}

static void equal_buffers_are_known(void **state)
{
    (void)state;
    struct inuse *map = inuse_create();
    struct section pair[2] = {{1000, 2, 0, 1}, {1004, 4, 0, 1}};
    struct section longer[2] = {{1000, 2, 0, 1}, {1004, 5, 0, 1}};
    struct section strided[2] = {{1000, 2, 8, 3}, {1004, 4, 0, 1}};
    struct inuse_buffer *reads = inuse_add(map, pair, 2, BUFFER_READ, NULL);
    assert_true(inuse_same(reads, inuse_add(map, pair, 2, BUFFER_READ, &pair)));
    assert_false(inuse_same(reads, inuse_add(map, pair, 2, BUFFER_WRITE, NULL)));
    assert_false(inuse_same(reads, inuse_add(map, pair, 1, BUFFER_READ, NULL)));
    assert_false(inuse_same(inuse_add(map, pair, 1, BUFFER_READ, NULL), reads));
    assert_false(inuse_same(reads, inuse_add(map, longer, 2, BUFFER_READ, NULL)));
    assert_false(inuse_same(reads, inuse_add(map, strided, 2, BUFFER_READ, NULL)));
    inuse_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_list),      cmocka_unit_test(visiting_can_stop),
        cmocka_unit_test(large_maps_work),         cmocka_unit_test(many_equal_buffers),
        cmocka_unit_test(equal_buffers_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
