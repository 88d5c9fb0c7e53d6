/* std::string of GNU's C++ library, as far as it is not in the headers: a pointer, a length, and 16
 * bytes that hold short texts or the capacity. Other members end the process's replay. */
#include "world.h"

enum { LENGTH = 8, LOCAL = 16, CAPACITY = 16, SHORT = 15 };

/* Bytes, with what is known of them. */
struct content {
    uint8_t *bytes, *shadow;
    uint64_t n;
};

struct string {
    uint64_t self, data, length, capacity;
};

static bool read_string(struct call *c, uint64_t self, struct string *s)
{
    *s = (struct string){.self = self, .capacity = SHORT};
    return peek(c->w, c->p, self, 8, &s->data) && peek(c->w, c->p, self + LENGTH, 8, &s->length) &&
           (s->data == self + LOCAL || peek(c->w, c->p, self + CAPACITY, 8, &s->capacity));
}

static void judged(struct call *c, uint64_t address, uint64_t size, bool write)
{
    judge_access(c->w, c->p, address, size, write, site_here(c->w, c->p, NULL, NULL), NULL);
}

/* Another `room` bytes behind what is there. */
static struct content content(uint64_t room)
{
    return (struct content){got(malloc(room + 1)), got(malloc(room + 1)), 0};
}

static void drop(struct content *content)
{
    free(content->bytes);
    free(content->shadow);
}

static bool add(struct call *c, struct content *to, uint64_t address, uint64_t n)
{
    uint8_t *shadow, *at = n ? memory_at(c->w, c->p, address, n, &shadow, NULL) : NULL;
    if (n && !at)
        return false;
    if (n) {
        judged(c, address, n, false);
        memcpy(to->bytes + to->n, at, n);
        memcpy(to->shadow + to->n, shadow, n);
        to->n += n;
    }
    return true;
}

/* Stores all of it; what lies before `from` is there already unless the string has to move. */
static bool store(struct call *c, struct string *s, const struct content *new, uint64_t from)
{
    uint64_t old = s->data, size, capacity = s->capacity;
    bool moves = new->n > capacity;
    if (moves) {
        capacity = new->n > 2 * capacity ? new->n : 2 * capacity;
        s->data = memory_allocate(c->p, capacity + 1, 16, false);
        if (!s->data)
            return false;
        c->w->steps += capacity / 64;
        from = 0;
    }
    uint8_t *shadow, *at = memory_at(c->w, c->p, s->data, new->n + 1, &shadow, NULL);
    if (!at)
        return false;
    judged(c, s->data + from, new->n + 1 - from, true);
    for (uint64_t i = from; i < new->n; i++) {
        at[i] = new->bytes[i];
        shadow[i] = (uint8_t)((shadow[i] & ~KNOWN) | (new->shadow[i] & KNOWN));
    }
    at[new->n] = 0;
    shadow[new->n] |= KNOWN;
    c->w->steps += new->n / 8;
    if (moves && old != s->self + LOCAL && memory_block(c->p, old, &size)) {
        judge_end_of(c->w, c->p, old, size, "delete");
        memory_kill(c->p, old, size);
    }
    return poke(c->w, c->p, s->self, 8, s->data) && poke(c->w, c->p, s->self + LENGTH, 8, new->n) &&
           (!moves || poke(c->w, c->p, s->self + CAPACITY, 8, capacity));
}

/* Replaces `n` bytes at `at` by `more` bytes from elsewhere, or by that many times one byte. */
static enum outcome change(struct call *c, uint64_t self, uint64_t at, uint64_t n, uint64_t from,
                           uint64_t more, const struct value *byte)
{
    struct string s;
    enum { LONGEST = 1 << 24 };
    if (!read_string(c, self, &s) || at > s.length || more > LONGEST || s.length > LONGEST)
        return STOPS;
    n = n < s.length - at ? n : s.length - at;
    struct content new = content(s.length + more);
    bool ok = add(c, &new, s.data, at);
    if (byte) {
        memset(new.bytes + new.n, (int)(byte->bits & 0xff), more);
        memset(new.shadow + new.n, byte->known ? KNOWN : 0, more);
        new.n += more;
    } else {
        ok = ok && add(c, &new, from, more);
    }
    ok = ok && add(c, &new, s.data + at + n, s.length - at - n) && store(c, &s, &new, at);
    drop(&new);
    c->results[0] = (struct value){self, 1};
    return ok ? OVER : STOPS;
}

static bool length_of(struct call *c, uint64_t text, uint64_t *n)
{
    uint64_t byte = 1;
    for (*n = 0; peek(c->w, c->p, text + *n, 1, &byte); ++*n)
        if (!byte)
            return true;
    return false;
}

static void make_empty(struct call *c, uint64_t self)
{
    poke(c->w, c->p, self, 8, self + LOCAL);
    poke(c->w, c->p, self + LENGTH, 8, 0);
    poke(c->w, c->p, self + LOCAL, 1, 0);
}

static enum outcome dispose(struct call *c, uint64_t self)
{
    uint64_t data, size;
    if (!peek(c->w, c->p, self, 8, &data))
        return STOPS;
    if (data != self + LOCAL && memory_block(c->p, data, &size)) {
        judge_end_of(c->w, c->p, data, size, "delete");
        memory_kill(c->p, data, size);
    }
    return OVER;
}

/* The other one's content; that is empty afterwards. Long texts keep their place. */
static enum outcome take_over(struct call *c, uint64_t self, uint64_t other, bool has_own)
{
    struct string from;
    if (!read_string(c, other, &from))
        return STOPS;
    if (!has_own)
        make_empty(c, self);
    enum outcome outcome = OVER;
    if (from.data == other + LOCAL) {
        outcome = change(c, self, 0, UINT64_MAX, from.data, from.length, NULL);
    } else {
        outcome = dispose(c, self);
        poke(c->w, c->p, self, 8, from.data);
        poke(c->w, c->p, self + LENGTH, 8, from.length);
        poke(c->w, c->p, self + CAPACITY, 8, from.capacity);
    }
    make_empty(c, other);
    c->results[0] = (struct value){self, 1};
    return outcome;
}

/* `self` becomes what `from` was; `local` are the bytes of a short one. */
static bool become(struct call *c, uint64_t self, const struct string *from,
                   const struct content *local)
{
    struct string to = {.self = self, .data = self + LOCAL, .capacity = SHORT};
    if (from->data == from->self + LOCAL)
        return poke(c->w, c->p, self, 8, to.data) && store(c, &to, local, 0);
    return poke(c->w, c->p, self, 8, from->data) &&
           poke(c->w, c->p, self + LENGTH, 8, from->length) &&
           poke(c->w, c->p, self + CAPACITY, 8, from->capacity);
}

static enum outcome swap(struct call *c, const struct string *s, uint64_t other)
{
    struct string two;
    if (!read_string(c, other, &two))
        return STOPS;
    struct content one = content(SHORT), another = content(SHORT);
    bool ok = (s->length > SHORT || add(c, &one, s->data, s->length)) &&
              (two.length > SHORT || add(c, &another, two.data, two.length)) &&
              become(c, s->self, &two, &another) && become(c, other, s, &one);
    drop(&one);
    drop(&another);
    return ok ? OVER : STOPS;
}

/* ---- The members, by what follows the class in their names ---- */

enum member {
    NOTHING,
    SIZE,
    ROOM,
    END,
    LAST,
    EMPTY_ONE,
    AT,
    DATA,
    SET_DATA,
    SET_LENGTH,
    SET_CAPACITY,
    HIDE,
    LOCAL_DATA,
    CREATE,
    FILL,
    COPY_CHARACTERS,
    DISPOSE,
    MAKE,
    MAKE_COPY,
    MAKE_MOVED,
    ASSIGN_STRING,
    ASSIGN_MOVED,
    ASSIGN_TEXT,
    APPEND_STRING,
    APPEND_TEXT,
    APPEND_SOME,
    APPEND_BYTE,
    CLEAR,
    SWAP,
    RESIZE,
    RESERVE,
    INSERT_STRING,
    INSERT_TEXT,
    COMPARE_STRING,
    COMPARE_TEXT,
    FIND_TEXT,
    FIND_STRING,
    FIND_BYTE,
    PART
};

static const struct {
    const char *name;
    uint8_t member;
} members[] = {{"13get_allocatorEv", NOTHING},
               {"4dataEv", DATA},
               {"5c_strEv", DATA},
               {"7_M_dataEv", DATA},
               {"5beginEv", DATA},
               {"4sizeEv", SIZE},
               {"6lengthEv", SIZE},
               {"8capacityEv", ROOM},
               {"5emptyEv", EMPTY_ONE},
               {"3endEv", END},
               {"4backEv", LAST},
               {"5frontEv", DATA},
               {"2atEm", AT},
               {"ixEm", AT},
               {"7_M_dataEPc", SET_DATA},
               {"13_M_set_lengthEm", SET_LENGTH},
               {"11_M_capacityEm", SET_CAPACITY},
               {"12_Alloc_hiderC1EPcRKS3_", HIDE},
               {"12_Alloc_hiderC1EPcOS3_", HIDE},
               {"13_M_local_dataEv", LOCAL_DATA},
               {"17_M_use_local_dataEv", LOCAL_DATA},
               {"9_M_createERmm", CREATE},
               {"12_M_constructEmc", FILL},
               {"13_S_copy_charsEPcPKcS7_", COPY_CHARACTERS},
               {"13_S_copy_charsEPcS5_S5_", COPY_CHARACTERS},
               {"10_M_disposeEv", DISPOSE},
               {"D1Ev", DISPOSE},
               {"D2Ev", DISPOSE},
               {"C1Ev", MAKE},
               {"C1ERKS3_", MAKE},
               {"C1ERKS4_", MAKE_COPY},
               {"C1EOS4_", MAKE_MOVED},
               {"aSERKS4_", ASSIGN_STRING},
               {"6assignERKS4_", ASSIGN_STRING},
               {"aSEOS4_", ASSIGN_MOVED},
               {"aSEPKc", ASSIGN_TEXT},
               {"6assignEPKc", ASSIGN_TEXT},
               {"pLERKS4_", APPEND_STRING},
               {"6appendERKS4_", APPEND_STRING},
               {"pLEPKc", APPEND_TEXT},
               {"6appendEPKc", APPEND_TEXT},
               {"6appendEPKcm", APPEND_SOME},
               {"pLEc", APPEND_BYTE},
               {"9push_backEc", APPEND_BYTE},
               {"5clearEv", CLEAR},
               {"4swapERS4_", SWAP},
               {"6resizeEm", RESIZE},
               {"6resizeEmc", RESIZE},
               {"7reserveEm", RESERVE},
               {"6insertEmRKS4_", INSERT_STRING},
               {"6insertEmPKc", INSERT_TEXT},
               {"7compareERKS4_", COMPARE_STRING},
               {"7compareEPKc", COMPARE_TEXT},
               {"4findEPKcm", FIND_TEXT},
               {"4findERKS4_m", FIND_STRING},
               {"4findEcm", FIND_BYTE},
               {"6substrEmm", PART}};

static enum outcome result(struct call *c, uint64_t bits)
{
    c->results[0] = (struct value){bits, 1};
    return OVER;
}

static bool all_known(const struct content *content)
{
    for (uint64_t i = 0; i < content->n; i++)
        if (!(content->shadow[i] & KNOWN))
            return false;
    return true;
}

static enum outcome compare(struct call *c, const struct string *s, uint64_t text, uint64_t n)
{
    struct content one = content(s->length), two = content(n);
    bool ok = add(c, &one, s->data, s->length) && add(c, &two, text, n);
    if (ok && all_known(&one) && all_known(&two)) {
        int order = memcmp(one.bytes, two.bytes, one.n < two.n ? one.n : two.n);
        order = order ? order : one.n < two.n ? -1 : one.n > two.n;
        c->results[0] = (struct value){(uint32_t)order, 1};
    }
    drop(&one);
    drop(&two);
    return ok ? OVER : STOPS;
}

static enum outcome find(struct call *c, const struct string *s, const struct content *what,
                         uint64_t from)
{
    struct content text = content(s->length);
    bool ok = add(c, &text, s->data, s->length);
    if (ok && all_known(&text) && all_known(what)) {
        const uint8_t *at = from > text.n ? NULL
                            : what->n
                                ? memmem(text.bytes + from, text.n - from, what->bytes, what->n)
                                : text.bytes + from;
        c->results[0] = (struct value){at ? (uint64_t)(at - text.bytes) : UINT64_MAX, 1};
    }
    drop(&text);
    return ok ? OVER : STOPS;
}

static enum outcome find_member(struct call *c, enum member member, const struct string *s)
{
    struct string other;
    uint64_t from = c->arguments[1].bits, n = 0;
    bool ok = true;
    if (member == FIND_STRING) {
        ok = read_string(c, from, &other);
        from = other.data;
        n = other.length;
    } else if (member == FIND_TEXT) {
        ok = length_of(c, from, &n);
    }
    struct content what = content(n + 1);
    if (member == FIND_BYTE) {
        what.bytes[0] = (uint8_t)from;
        what.shadow[0] = KNOWN;
        what.n = 1;
    } else {
        ok = ok && add(c, &what, from, n);
    }
    enum outcome outcome = ok ? find(c, s, &what, c->arguments[2].bits) : STOPS;
    drop(&what);
    return outcome;
}

/* Strings without knowledge of what is in them: the parts out of which headers make the rest. */
static enum outcome inner_member(struct call *c, enum member member, uint64_t self)
{
    const struct value *a = c->arguments;
    uint64_t wanted, data;
    uint8_t *shadow;
    switch (member) {
    case DATA:
        return peek(c->w, c->p, self, 8, &data) ? result(c, data) : STOPS;
    case SET_DATA:
    case HIDE:
        return poke(c->w, c->p, self, 8, a[1].bits) ? OVER : STOPS;
    case SET_CAPACITY:
        return poke(c->w, c->p, self + CAPACITY, 8, a[1].bits) ? OVER : STOPS;
    case SET_LENGTH:
        return peek(c->w, c->p, self, 8, &data) && poke(c->w, c->p, self + LENGTH, 8, a[1].bits) &&
                       poke(c->w, c->p, data + a[1].bits, 1, 0)
                   ? OVER
                   : STOPS;
    case LOCAL_DATA:
        return result(c, self + LOCAL);
    case CREATE:
        if (!peek(c->w, c->p, a[1].bits, 8, &wanted))
            return STOPS;
        if (wanted > a[2].bits && wanted < 2 * a[2].bits)
            wanted = 2 * a[2].bits;
        poke(c->w, c->p, a[1].bits, 8, wanted);
        data = memory_allocate(c->p, wanted + 1, 16, false);
        return data ? result(c, data) : STOPS;
    case COPY_CHARACTERS: {
        struct content text = content(a[2].bits - a[1].bits);
        bool ok = add(c, &text, a[1].bits, a[2].bits - a[1].bits);
        uint8_t *at = ok ? memory_at(c->w, c->p, a[0].bits, text.n, &shadow, NULL) : NULL;
        if (at && text.n)
            judged(c, a[0].bits, text.n, true);
        for (uint64_t i = 0; at && i < text.n; i++) {
            at[i] = text.bytes[i];
            shadow[i] = (uint8_t)((shadow[i] & ~KNOWN) | (text.shadow[i] & KNOWN));
        }
        ok = ok && (at || !text.n);
        drop(&text);
        return ok ? OVER : STOPS;
    }
    case MAKE:
        make_empty(c, self);
        return OVER;
    case FILL:
        make_empty(c, self);
        return change(c, self, 0, 0, 0, a[1].bits, &a[2]);
    case DISPOSE:
        return dispose(c, self);
    default:
        return STOPS;
    }
}

static enum outcome changing_member(struct call *c, enum member member, const struct string *s)
{
    const struct value *a = c->arguments;
    const struct value zero = {0, 1};
    struct string other = {0};
    uint64_t n;
    switch (member) {
    case ASSIGN_STRING:
    case APPEND_STRING:
    case INSERT_STRING:
        if (!read_string(c, a[member == INSERT_STRING ? 2 : 1].bits, &other))
            return STOPS;
        return change(c, s->self,
                      member == ASSIGN_STRING   ? 0
                      : member == APPEND_STRING ? s->length
                                                : a[1].bits,
                      member == ASSIGN_STRING ? UINT64_MAX : 0, other.data, other.length, NULL);
    case ASSIGN_TEXT:
    case APPEND_TEXT:
        if (!length_of(c, a[1].bits, &n))
            return STOPS;
        return change(c, s->self, member == ASSIGN_TEXT ? 0 : s->length,
                      member == ASSIGN_TEXT ? UINT64_MAX : 0, a[1].bits, n, NULL);
    case INSERT_TEXT:
        return length_of(c, a[2].bits, &n) ? change(c, s->self, a[1].bits, 0, a[2].bits, n, NULL)
                                           : STOPS;
    case APPEND_SOME:
        return change(c, s->self, s->length, 0, a[1].bits, a[2].bits, NULL);
    case APPEND_BYTE:
        return change(c, s->self, s->length, 0, 0, 1, &a[1]);
    case SWAP:
        return swap(c, s, a[1].bits);
    case CLEAR:
        return change(c, s->self, 0, UINT64_MAX, 0, 0, NULL);
    case RESIZE:
        return a[1].bits <= s->length ? change(c, s->self, a[1].bits, UINT64_MAX, 0, 0, NULL)
                                      : change(c, s->self, s->length, 0, 0, a[1].bits - s->length,
                                               c->n > 2 ? &a[2] : &zero);
    case RESERVE:
        /* Longer and back again: the room stays. */
        if (a[1].bits <= s->capacity)
            return OVER;
        return change(c, s->self, s->length, 0, 0, a[1].bits - s->length, &zero) == OVER
                   ? change(c, s->self, s->length, UINT64_MAX, 0, 0, NULL)
                   : STOPS;
    default:
        return STOPS;
    }
}

static enum outcome asking_member(struct call *c, enum member member, const struct string *s)
{
    const struct value *a = c->arguments;
    struct string other;
    uint64_t n;
    switch (member) {
    case SIZE:
        return result(c, s->length);
    case ROOM:
        return result(c, s->capacity);
    case END:
        return result(c, s->data + s->length);
    case LAST:
        return s->length ? result(c, s->data + s->length - 1) : STOPS;
    case EMPTY_ONE:
        return result(c, s->length == 0);
    case AT:
        return a[1].bits <= s->length ? result(c, s->data + a[1].bits) : STOPS;
    case COMPARE_STRING:
        return read_string(c, a[1].bits, &other) ? compare(c, s, other.data, other.length) : STOPS;
    case COMPARE_TEXT:
        return length_of(c, a[1].bits, &n) ? compare(c, s, a[1].bits, n) : STOPS;
    default:
        return find_member(c, member, s);
    }
}

enum outcome string_call(struct call *c)
{
    const char *name = strstr(c->function->name, "SaIcEE");
    struct string s;
    size_t i = 0, n = sizeof members / sizeof members[0];
    while (name && i < n && strcmp(name + strlen("SaIcEE"), members[i].name))
        i++;
    if (!name || i == n)
        return STOPS;
    enum member member = members[i].member;
    const struct value *a = c->arguments;
    for (int k = 0; k < c->n; k++)
        if (!a[k].known && member != APPEND_BYTE && member != FILL)
            return STOPS;
    if (!a[0].known)
        return STOPS;
    uint64_t self = a[0].bits;
    if (member == NOTHING)
        return OVER;
    if (member >= DATA && member <= MAKE)
        return inner_member(c, member, self);
    if (member == MAKE_MOVED || member == ASSIGN_MOVED)
        return take_over(c, self, a[1].bits, member == ASSIGN_MOVED);
    if (member == MAKE_COPY) {
        make_empty(c, self);
        member = ASSIGN_STRING;
    }
    if (member == PART) { /* (where to, whose, from, how much) */
        if (!read_string(c, a[1].bits, &s) || a[2].bits > s.length)
            return STOPS;
        uint64_t rest = s.length - a[2].bits;
        make_empty(c, self);
        return change(c, self, 0, 0, s.data + a[2].bits, a[3].bits < rest ? a[3].bits : rest, NULL);
    }
    if (!read_string(c, self, &s))
        return STOPS;
    bool changes = member >= ASSIGN_STRING && member <= INSERT_TEXT;
    return changes ? changing_member(c, member, &s) : asking_member(c, member, &s);
}
