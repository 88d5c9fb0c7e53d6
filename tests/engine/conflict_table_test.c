/* The conflict table, cell by cell, and the atomicity of accumulates. */
#include "unit.h"
#include "conflict_table.h"

static const struct section eight = {64, 8, 0, 1};

static struct access by(uint32_t rank, enum access_kind kind, uint32_t op)
{
    bool accumulate = kind >= ACCESS_ACCUMULATE && kind <= ACCESS_COMPARE_AND_SWAP;
    return (struct access){
        .kind = kind, .op = op, .type = accumulate, .type_size = accumulate ? 8 : 0, .rank = rank};
}

static int conflict(const struct access *a, const struct section *x, const struct access *b,
                    const struct section *y, bool strict)
{
    enum race_rule rule = RACE_RULES, back = RACE_RULES;
    struct section common;
    bool result = rules_conflict(a, x, b, y, strict, &rule, &common);
    assert_int_equal(rules_conflict(b, y, a, x, strict, &back, &common), result);
    if (result) {
        assert_int_equal(rule, back);
        assert_true(rules_kinds_conflict(a, b));
    }
    return result ? (int)rule : -1;
}

/* As the semantics page prints it. Column and row order: load store get put acc atomic-read. */
static void the_table(void **state)
{
    (void)state;
    static const struct {
        enum access_kind kind;
        uint32_t op;
    } roles[] = {{ACCESS_LOAD, ACC_NONE}, {ACCESS_STORE, ACC_NONE},
                 {ACCESS_GET, ACC_NONE},  {ACCESS_PUT, ACC_NONE},
                 {ACCESS_ACCUMULATE, 7},  {ACCESS_GET_ACCUMULATE, ACC_NO_OP}};
    enum { no = -1, race = RACE_REMOTE, shared = RACE_SHARED };
    static const int expected[6][6] = {
        {no, shared, no, race, race, no}, {shared, shared, race, race, race, race},
        {no, race, no, race, race, no},   {race, race, race, race, race, race},
        {race, race, race, race, no, no}, {no, race, no, race, no, no},
    };
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            struct access a = by(0, roles[i].kind, roles[i].op),
                          b = by(1, roles[k].kind, roles[k].op);
            assert_int_equal(conflict(&a, &eight, &b, &eight, false), expected[i][k]);
        }
}

static void threads_and_buffers(void **state)
{
    (void)state;
    struct access load = by(1, ACCESS_LOAD, 0), store = by(1, ACCESS_STORE, 0);
    struct access reads = by(1, ACCESS_BUFFER_READ, 0), writes = by(1, ACCESS_BUFFER_WRITE, 0);
    struct access get = by(0, ACCESS_GET, 0), put = by(0, ACCESS_PUT, 0),
                  sum = by(0, ACCESS_ACCUMULATE, 7);
    struct access atomic = by(0, ACCESS_FETCH_AND_OP, ACC_NO_OP),
                  far_store = by(0, ACCESS_STORE, 0);
    struct access other = store;
    other.thread = 1;
    assert_int_equal(conflict(&load, &eight, &other, &eight, false), RACE_THREAD);
    assert_int_equal(conflict(&store, &eight, &other, &eight, false), RACE_THREAD);
    assert_int_equal(conflict(&load, &eight, &store, &eight, false), -1); /* program order */
    assert_int_equal(conflict(&load, &eight, &load, &eight, false), -1);
    assert_int_equal(conflict(&reads, &eight, &get, &eight, false), -1);
    assert_int_equal(conflict(&reads, &eight, &put, &eight, false), RACE_REMOTE);
    assert_int_equal(conflict(&reads, &eight, &sum, &eight, false), RACE_REMOTE);
    assert_int_equal(conflict(&reads, &eight, &atomic, &eight, false), -1);
    assert_int_equal(conflict(&writes, &eight, &get, &eight, false), RACE_REMOTE);
    assert_int_equal(conflict(&writes, &eight, &put, &eight, false), RACE_REMOTE);
    assert_int_equal(conflict(&writes, &eight, &sum, &eight, false), RACE_REMOTE);
    assert_int_equal(conflict(&writes, &eight, &atomic, &eight, false), RACE_REMOTE);
    assert_int_equal(conflict(&writes, &eight, &far_store, &eight, false), RACE_SHARED);
    assert_int_equal(conflict(&reads, &eight, &far_store, &eight, false), RACE_SHARED);
    assert_int_equal(conflict(&writes, &eight, &store, &eight, false),
                     -1); /* inuse.h decides that */
    assert_int_equal(conflict(&writes, &eight, &writes, &eight, false), -1);
}

static void atomicity(void **state)
{
    (void)state;
    struct access sum = by(0, ACCESS_ACCUMULATE, 7), other = by(1, ACCESS_FETCH_AND_OP, 7);
    assert_int_equal(conflict(&sum, &eight, &other, &eight, false), -1);
    other.op = 8;
    assert_int_equal(conflict(&sum, &eight, &other, &eight, false), RACE_ATOMICITY);
    other.op = ACC_NO_OP;
    assert_int_equal(conflict(&sum, &eight, &other, &eight, false), -1);
    other.same_op = true; /* of either window */
    assert_int_equal(conflict(&sum, &eight, &other, &eight, false), RACE_ATOMICITY);
    other = by(1, ACCESS_COMPARE_AND_SWAP, ACC_CAS);
    assert_int_equal(conflict(&sum, &eight, &other, &eight, false), -1);
    assert_int_equal(conflict(&sum, &eight, &other, &eight, true), RACE_ATOMICITY);
    assert_int_equal(conflict(&other, &eight, &other, &eight, true), -1);
    struct access read = by(0, ACCESS_FETCH_AND_OP, ACC_NO_OP);
    assert_int_equal(conflict(&read, &eight, &other, &eight, true), -1);
    other = by(1, ACCESS_ACCUMULATE, 7);
    other.type = 2;
    assert_int_equal(conflict(&sum, &eight, &other, &eight, false), RACE_ATOMICITY);
}

static void element_boundaries(void **state)
{
    (void)state;
    struct access a = by(0, ACCESS_ACCUMULATE, 7), b = by(1, ACCESS_ACCUMULATE, 7);
    struct section shifted = {68, 8, 0, 1}, longer = {56, 32, 0, 1}, apart = {72, 8, 0, 1};
    assert_int_equal(conflict(&a, &eight, &b, &shifted, false), RACE_ATOMICITY);
    assert_int_equal(conflict(&a, &eight, &b, &longer, false), -1);
    assert_int_equal(conflict(&a, &eight, &b, &apart, false), -1);
    /* Strides that are no multiple of the element: against every element by hand. */
    for (int round = 0; round < 100000; round++) {
        struct section s[2];
        for (int i = 0; i < 2; i++) {
            s[i] = (struct section){random_below(64), 8 * (1 + random_below(3)), 0,
                                    1 + random_below(6)};
            if (s[i].count > 1)
                s[i].stride = s[i].length + 1 + random_below(20);
        }
        bool crossed = false;
        for (uint64_t i = 0; i < s[0].count * s[0].length / 8; i++)
            for (uint64_t k = 0; k < s[1].count * s[1].length / 8; k++) {
                uint64_t x =
                    s[0].start + i / (s[0].length / 8) * s[0].stride + i % (s[0].length / 8) * 8;
                uint64_t y =
                    s[1].start + k / (s[1].length / 8) * s[1].stride + k % (s[1].length / 8) * 8;
                crossed |= x != y && x < y + 8 && y < x + 8;
            }
        assert_int_equal(conflict(&a, &s[0], &b, &s[1], false), crossed ? RACE_ATOMICITY : -1);
    }
}

static void locks(void **state)
{
    (void)state;
    for (enum lock_type a = LOCK_NONE; a <= LOCK_EXCLUSIVE; a++)
        for (enum lock_type b = LOCK_NONE; b <= LOCK_EXCLUSIVE; b++)
            assert_int_equal(rules_locks_exclude(a, b),
                             a != LOCK_NONE && b != LOCK_NONE &&
                                 (a == LOCK_EXCLUSIVE || b == LOCK_EXCLUSIVE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table), cmocka_unit_test(threads_and_buffers),
        cmocka_unit_test(atomicity), cmocka_unit_test(element_boundaries),
        cmocka_unit_test(locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
