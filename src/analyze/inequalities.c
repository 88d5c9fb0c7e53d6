/* Fourier–Motzkin elimination with the usual sharpening for whole numbers: a row is divided by the
 * greatest common divisor of its factors and its constant rounded down. Equations with a factor of
 * one are substituted away first; an equation whose constant its divisor does not divide has no
 * solution (so odd and even elements are told apart). */
#include "inequalities.h"

#include <stdlib.h>

enum { COLUMNS = 48, ROWS = 160, SPLITS = 48 };

/* factors · unknowns + constant >= 0, or == 0 */
struct row {
    int64_t factors[COLUMNS];
    int64_t constant;
    bool equation;
};

struct matrix {
    unsigned columns, rows;
    symbol_id unknowns[COLUMNS][POLYNOMIAL_DEGREE];
    struct row row[ROWS];
    bool full; /* something was left out: fewer rows exclude less */
};

void inequalities_add(inequality_list *list, const struct polynomial *sum, enum relation relation)
{
    if (!sum->broken)
        APPEND(list, (struct inequality){*sum, relation});
}

void inequalities_at_most(inequality_list *list, const struct polynomial *a,
                          const struct polynomial *b)
{
    struct polynomial sum = polynomial_difference(b, a);
    inequalities_add(list, &sum, AT_LEAST_ZERO);
}

void inequalities_less(inequality_list *list, const struct polynomial *a,
                       const struct polynomial *b)
{
    struct polynomial sum = polynomial_difference(b, a);
    sum = polynomial_plus(&sum, -1);
    inequalities_add(list, &sum, AT_LEAST_ZERO);
}

void inequalities_equal(inequality_list *list, const struct polynomial *a,
                        const struct polynomial *b)
{
    struct polynomial sum = polynomial_difference(b, a);
    inequalities_add(list, &sum, IS_ZERO);
}

static unsigned column_of(struct matrix *matrix, const symbol_id *symbols)
{
    for (unsigned i = 0; i < matrix->columns; i++)
        if (!memcmp(matrix->unknowns[i], symbols, sizeof matrix->unknowns[i]))
            return i;
    if (matrix->columns == COLUMNS)
        return COLUMNS;
    memcpy(matrix->unknowns[matrix->columns], symbols, sizeof matrix->unknowns[0]);
    return matrix->columns++;
}

static void add_rows(struct matrix *matrix, const inequality_list *list)
{
    for EACH (inequality, list) {
        struct row row = {.equation = inequality->relation == IS_ZERO};
        bool fits = matrix->rows < ROWS;
        for (unsigned i = 0; fits && i < inequality->sum.count; i++) {
            const struct term *term = &inequality->sum.terms[i];
            if (!term->symbols[0]) {
                row.constant = term->factor;
                continue;
            }
            unsigned column = column_of(matrix, term->symbols);
            if (column == COLUMNS)
                fits = false;
            else
                row.factors[column] = term->factor;
        }
        if (fits)
            matrix->row[matrix->rows++] = row;
    }
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return a % b != 0 && a < 0 ? quotient - 1 : quotient;
}

enum state { FALSE_ROW, TRUE_ROW, OPEN_ROW };

static enum state sharpen(struct row *row, unsigned columns)
{
    int64_t divisor = 0;
    for (unsigned i = 0; i < columns && divisor != 1; i++)
        if (row->factors[i])
            divisor = gcd(divisor, row->factors[i]);
    if (!divisor)
        return (row->equation ? row->constant == 0 : row->constant >= 0) ? TRUE_ROW : FALSE_ROW;
    if (divisor == 1)
        return OPEN_ROW;
    if (row->equation && row->constant % divisor != 0)
        return FALSE_ROW;
    for (unsigned i = 0; i < columns; i++)
        row->factors[i] /= divisor;
    row->constant = floor_quotient(row->constant, divisor);
    return OPEN_ROW;
}

/* result = a·x + b·y; false on overflow. */
static bool combine(struct row *result, const struct row *a, int64_t x, const struct row *b,
                    int64_t y, unsigned columns)
{
    int64_t left, right;
    for (unsigned i = 0; i < columns; i++)
        if (__builtin_mul_overflow(a->factors[i], x, &left) ||
            __builtin_mul_overflow(b->factors[i], y, &right) ||
            __builtin_add_overflow(left, right, &result->factors[i]))
            return false;
    return !__builtin_mul_overflow(a->constant, x, &left) &&
           !__builtin_mul_overflow(b->constant, y, &right) &&
           !__builtin_add_overflow(left, right, &result->constant);
}

/* Drops what is always true; true if a row is always false. */
static bool tidy(struct matrix *matrix)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < matrix->rows; i++) {
        enum state state = sharpen(&matrix->row[i], matrix->columns);
        if (state == FALSE_ROW)
            return true;
        if (state == OPEN_ROW)
            matrix->row[kept++] = matrix->row[i];
    }
    matrix->rows = kept;
    return false;
}

/* An equation with an unknown whose factor is ±1: that unknown vanishes from all other rows. */
static bool substitute(struct matrix *matrix)
{
    for (unsigned i = 0; i < matrix->rows; i++) {
        if (!matrix->row[i].equation)
            continue;
        unsigned column = 0;
        while (column < matrix->columns && matrix->row[i].factors[column] != 1 &&
               matrix->row[i].factors[column] != -1)
            column++;
        if (column == matrix->columns)
            continue;
        struct row equation = matrix->row[i];
        matrix->row[i] = matrix->row[--matrix->rows];
        for (unsigned k = 0; k < matrix->rows;) {
            struct row *row = &matrix->row[k], result = {.equation = row->equation};
            int64_t factor = row->factors[column];
            if (factor && !combine(&result, row, 1, &equation, -factor * equation.factors[column],
                                   matrix->columns)) {
                *row = matrix->row[--matrix->rows];
                continue;
            }
            if (factor)
                *row = result;
            k++;
        }
        return true;
    }
    return false;
}

static bool are_opposite(const struct row *a, const struct row *b, unsigned columns)
{
    for (unsigned i = 0; i < columns; i++)
        if (a->factors[i] != -b->factors[i])
            return false;
    return true;
}

/* x >= 2 and x <= 2: that is an equation, and says more about whole numbers. */
static void find_equations(struct matrix *matrix)
{
    for (unsigned i = 0; i < matrix->rows; i++)
        for (unsigned k = i + 1; !matrix->row[i].equation && k < matrix->rows; k++)
            if (!matrix->row[k].equation && matrix->row[i].constant == -matrix->row[k].constant &&
                are_opposite(&matrix->row[i], &matrix->row[k], matrix->columns)) {
                matrix->row[i].equation = true;
                matrix->row[k] = matrix->row[--matrix->rows];
            }
}

static void split_equations(struct matrix *matrix)
{
    unsigned count = matrix->rows;
    for (unsigned i = 0; i < count; i++) {
        if (!matrix->row[i].equation)
            continue;
        matrix->row[i].equation = false;
        if (matrix->rows == ROWS)
            continue;
        struct row *other = &matrix->row[matrix->rows++];
        *other = matrix->row[i];
        for (unsigned k = 0; k < matrix->columns; k++)
            other->factors[k] = -other->factors[k];
        other->constant = -other->constant;
    }
}

/* The unknown whose elimination makes the fewest rows; COLUMNS if none is left. */
static unsigned cheapest(const struct matrix *matrix)
{
    unsigned best = COLUMNS, least = 0;
    for (unsigned column = 0; column < matrix->columns; column++) {
        unsigned up = 0, down = 0;
        for (unsigned i = 0; i < matrix->rows; i++) {
            up += matrix->row[i].factors[column] > 0;
            down += matrix->row[i].factors[column] < 0;
        }
        if ((up || down) && (best == COLUMNS || up * down < least)) {
            best = column;
            least = up * down;
        }
    }
    return best;
}

static void add_unless_weaker(struct matrix *matrix, unsigned from, const struct row *row)
{
    for (unsigned i = from; i < matrix->rows; i++)
        if (!memcmp(matrix->row[i].factors, row->factors, sizeof row->factors)) {
            if (row->constant < matrix->row[i].constant)
                matrix->row[i].constant = row->constant;
            return;
        }
    if (matrix->rows < ROWS)
        matrix->row[matrix->rows++] = *row;
}

static bool eliminate(struct matrix *matrix, unsigned column)
{
    static _Thread_local struct matrix next;
    next.columns = matrix->columns;
    next.rows = 0;
    for (unsigned i = 0; i < matrix->rows; i++) {
        const struct row *up = &matrix->row[i];
        if (!up->factors[column])
            add_unless_weaker(&next, 0, up);
        if (up->factors[column] <= 0)
            continue;
        for (unsigned k = 0; k < matrix->rows; k++) {
            const struct row *down = &matrix->row[k];
            struct row result = {0};
            if (down->factors[column] >= 0 || !combine(&result, up, -down->factors[column], down,
                                                       up->factors[column], matrix->columns))
                continue;
            enum state state = sharpen(&result, matrix->columns);
            if (state == FALSE_ROW)
                return true;
            if (state == OPEN_ROW)
                add_unless_weaker(&next, 0, &result);
        }
    }
    matrix->rows = next.rows;
    memcpy(matrix->row, next.row, next.rows * sizeof next.row[0]);
    return false;
}

static bool has_no_solution(struct matrix *matrix)
{
    if (tidy(matrix))
        return true;
    find_equations(matrix);
    while (substitute(matrix)) {
        if (tidy(matrix))
            return true;
        find_equations(matrix);
    }
    split_equations(matrix);
    for (unsigned column; (column = cheapest(matrix)) != COLUMNS;)
        if (eliminate(matrix, column))
            return true;
    return false;
}

/* Tries without the choices first, then one choice after the other. */
static bool split(const struct inequalities *system, const inequality_list **lists, size_t nlists,
                  size_t next, unsigned *budget)
{
    static _Thread_local struct matrix matrix;
    if (!*budget)
        return false;
    --*budget;
    matrix.columns = matrix.rows = 0;
    for (size_t i = 0; i < nlists; i++)
        add_rows(&matrix, lists[i]);
    if (has_no_solution(&matrix))
        return true;
    enum { DEEPEST = 12 };
    if (next >= system->choices.count || nlists >= DEEPEST)
        return false;
    const struct choice *choice = &system->choices.items[next];
    lists[nlists] = &choice->either;
    bool left = split(system, lists, nlists + 1, next + 1, budget);
    lists[nlists] = &choice->other;
    return left && split(system, lists, nlists + 1, next + 1, budget);
}

static bool impossible_with(const struct inequalities *system, const inequality_list *more)
{
    const inequality_list *lists[16] = {&system->all, more};
    unsigned budget = SPLITS;
    return system->hopeless || split(system, lists, more ? 2 : 1, 0, &budget);
}

bool inequalities_impossible(const struct inequalities *system)
{
    return impossible_with(system, NULL);
}

bool inequalities_exclude(struct inequalities *system, const inequality_list *more)
{
    return impossible_with(system, more);
}

void inequalities_free(struct inequalities *system)
{
    DROP(&system->all);
    for EACH (choice, &system->choices) {
        DROP(&choice->either);
        DROP(&choice->other);
    }
    for EACH (choice, &system->finer) {
        DROP(&choice->either);
        DROP(&choice->other);
    }
    DROP(&system->choices);
    DROP(&system->finer);
}
