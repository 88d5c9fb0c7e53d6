#include "sentences.h"

#include "rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tables ---- */

struct sentences {
    const char *id, *severity, *message, *why, *fix, *first, *second;
};

static const struct sentences cases[CASES] = {
#define CASE(name, id, severity, message, why, fix, first, second)                                 \
    {id, severity, message, why, fix, first, second},
#include "cases.def"
#undef CASE
};

static const struct phrase {
    const char *group, *value, *text;
} phrases[] = {
#define PHRASE(group, value, text) {group, value, text},
#include "phrases.def"
#undef PHRASE
};

const char *case_id(enum finding_case which)
{
    return cases[which].id;
}

static const struct sentences *find_case(const char *id)
{
    for (size_t i = 0; id && i < CASES; i++)
        if (!strcmp(cases[i].id, id))
            return &cases[i];
    return NULL;
}

bool case_severity(const char *id, enum severity *severity)
{
    const struct sentences *known = find_case(id);
    return known && known->severity && severity_parse(known->severity, severity);
}

static const char *find_phrase(const char *group, const char *value)
{
    for (size_t i = 0; value && i < sizeof phrases / sizeof phrases[0]; i++)
        if (!strcmp(phrases[i].group, group) && !strcmp(phrases[i].value, value))
            return phrases[i].text;
    return NULL;
}

/* ---- what is known of a side ---- */

struct speech {
    struct report *report;
    const struct finding *finding;
    bool nested; /* in the message of the case that {then} names */
};

static bool is(const char *text, const char *word)
{
    return text && !strcmp(text, word);
}

static bool is_rma(const struct access *access)
{
    return access->present && access->epoch;
}

/* It takes memory out of a window; that its record has an end like those of requests means nothing.
 */
static bool detaches(const struct access *access)
{
    return is(access->call, "MPI_Win_detach");
}

static bool takes_away(const struct access *access)
{
    return access->present && (is(access->deed, "give-back") || detaches(access));
}

static bool holds_buffer(const struct access *access)
{
    return access->present && access->until && !is_rma(access) && !detaches(access);
}

static bool reads(const struct access *access)
{
    return is(access->deed, "read");
}

/* "put", "store", "MPI_Recv": the routine behind an access that is no operation at the target. */
static const char *routine_of(const struct access *side)
{
    return is_rma(side) ? side->kind : side->made_by ? side->made_by : side->kind;
}

/* "MPI_Isend", "MPI_Pready (MPI_Psend_init)", "store" */
static const char *name_of(struct speech *speech, const struct access *side)
{
    if (!side->call)
        return side->kind;
    if (!side->made_by || !strcmp(side->made_by, side->call))
        return side->call;
    return report_textf(speech->report, "%s (%s)", side->call, side->made_by);
}

/* Two of one name are told apart. */
static const char *which_of(struct speech *speech, const struct access *side)
{
    const struct finding *finding = speech->finding;
    const struct access *other = side == &finding->first ? &finding->second : &finding->first;
    bool operation = is_rma(side);
    const char *name = operation ? side->kind : name_of(speech, side);
    const char *other_name = operation ? other->kind : name_of(speech, other);
    if (!name || !other->present || !is(other_name, name))
        return name;
    return report_textf(speech->report, "%s %s", side == &finding->first ? "first" : "second",
                        name);
}

/* "MPI_Recv", "the store", "the second MPI_Get" */
static const char *the_which_of(struct speech *speech, const struct access *side)
{
    const char *which = which_of(speech, side);
    bool bare = side->call && is(name_of(speech, side), which ? which : "");
    return bare ? which : report_textf(speech->report, "the %s", which ? which : "access");
}

static const char *a_name_of(struct speech *speech, const struct access *side)
{
    return side->call ? side->call
                      : report_textf(speech->report, "a %s", side->kind ? side->kind : "access");
}

/* "put by rank 0", "the buffer of MPI_Isend by rank 0" */
static const char *role_of(struct speech *speech, const struct access *side)
{
    const char *routine = routine_of(side);
    return report_textf(speech->report, "%s%s by rank %d",
                        holds_buffer(side) ? "the buffer of " : "", routine ? routine : "access",
                        side->rank);
}

static const char *bytes_text(struct report *report, uint64_t bytes)
{
    return report_textf(report, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
}

static const char *rank_of(struct speech *speech, const struct access *side)
{
    return report_textf(speech->report, "%d", side->rank);
}

static const char *call_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return side->call;
}

static const char *kind_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return side->kind;
}

static const char *side_routine_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return routine_of(side);
}

static const char *bytes_of(struct speech *speech, const struct access *side)
{
    return bytes_text(speech->report, side->bytes);
}

static const char *place_of(struct speech *speech, const struct access *side)
{
    return frame_place(speech->report, stack_place(&side->stack));
}

static const char *variable_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return side->variable;
}

/* The variable, if it is what the two sides have in common: that of an operation is elsewhere. */
static const char *named_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return is_rma(side) ? NULL : side->variable;
}

static const char *until_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return detaches(side) ? NULL : find_phrase("until", side->until);
}

static const char *frees_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return find_phrase("frees", side->until);
}

static const char *atomic_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return find_phrase("atomic", side->kind);
}

/* By the kind of epoch, and by whether the operation only reads. */
static const char *phrase_by_epoch(const char *group, const struct access *side)
{
    static const char *const values[3][2] = {{"fence/read", "fence/write"},
                                             {"exposure/read", "exposure/write"},
                                             {"lock/read", "lock/write"}};
    int epoch = is(side->epoch, "fence") ? 0 : is(side->epoch, "exposure") ? 1 : 2;
    return find_phrase(group, values[epoch][!reads(side)]);
}

static const char *completes_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return phrase_by_epoch("completes", side);
}

/* "rank 0's MPI_Win_unlock (halo.c:59)"; NULL if it is not known which call that was. What is put
 * into an exposure epoch is over at the target's own call. */
static const char *completion_of(struct speech *speech, const struct access *side)
{
    bool exposed = is(side->epoch, "exposure") && !reads(side);
    if (!side->completed_by || exposed || is(side->epoch, "none"))
        return NULL;
    return report_textf(speech->report, "rank %d's %s (%s)", side->rank, side->completed_by,
                        frame_place(speech->report, &side->completed_at));
}

/* What completed an operation under a lock: then only order is missing. */
static const char *ended_by_of(struct speech *speech, const struct access *side)
{
    return is(side->epoch, "lock") && completion_of(speech, side) ? side->completed_by : NULL;
}

static const char *ends_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return phrase_by_epoch("ends", side);
}

static const char *complete_it_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return phrase_by_epoch("complete_it", side);
}

static const char *order_it_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return phrase_by_epoch("order_it", side);
}

static const char *does_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return find_phrase("does", detaches(side) ? "detach" : side->deed);
}

static const char *doing_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return find_phrase("doing", side->deed);
}

static const char *state_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return find_phrase("state", side->state);
}

static const char *thread_of(struct speech *speech, const struct access *side)
{
    return report_textf(speech->report, "%d", side->thread);
}

static const char *construct_of(struct speech *speech, const struct access *side)
{
    (void)speech;
    return find_phrase("construct", side->construct);
}

static const char *range_of(struct speech *speech, const struct access *side)
{
    if (!side->has_range)
        return NULL;
    /* the record has the byte behind the last one */
    return report_textf(speech->report, "%" PRId64 " to %" PRId64, side->low,
                        side->high > side->low ? side->high - 1 : side->high);
}

static const char *target_of(struct speech *speech, const struct access *side)
{
    return report_textf(speech->report, "%d", side->target);
}

static const struct {
    const char *name;
    const char *(*say)(struct speech *, const struct access *);
} side_facts[] = {
    {"a_name", a_name_of},
    {"atomic", atomic_of},
    {"bytes", bytes_of},
    {"call", call_of},
    {"complete_it", complete_it_of},
    {"completes", completes_of},
    {"completion", completion_of},
    {"construct", construct_of},
    {"does", does_of},
    {"doing", doing_of},
    {"ended_by", ended_by_of},
    {"ends", ends_of},
    {"frees", frees_of},
    {"kind", kind_of},
    {"name", name_of},
    {"named", named_of},
    {"order_it", order_it_of},
    {"place", place_of},
    {"range", range_of},
    {"rank", rank_of},
    {"role", role_of},
    {"routine", side_routine_of},
    {"state", state_of},
    {"target", target_of},
    {"the_which", the_which_of},
    {"thread", thread_of},
    {"until", until_of},
    {"variable", variable_of},
    {"which", which_of},
};

/* ---- the sides by what they are ---- */

static const struct access *find_side(const struct finding *finding, const char *name,
                                      size_t length)
{
    const struct access *first = &finding->first, *second = &finding->second;
    const struct access *operation = is_rma(first) || !is_rma(second) ? first : second;
    const struct access *buffer = holds_buffer(first) ? first : second;
    const struct {
        const char *name;
        const struct access *side;
    } sides[] = {
        {"first", first},
        {"second", second},
        {"operation", operation},
        {"writer", reads(first) ? second : first},
        {"buffer", buffer},
        {"other", is_rma(first) || is_rma(second) ? (operation == first ? second : first)
                  : buffer == first               ? second
                                                  : first},
    };
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        if (strlen(sides[i].name) == length && !strncmp(sides[i].name, name, length))
            return sides[i].side;
    return NULL;
}

/* ---- facts of the finding ---- */

static const char *memory_fact(struct speech *speech, const char *name)
{
    const struct memory *memory = &speech->finding->memory;
    if (!memory->present)
        return NULL;
    if (!strcmp(name, "memory.rank"))
        return report_textf(speech->report, "%d", memory->rank);
    if (!strcmp(name, "memory.bytes"))
        return bytes_text(speech->report, memory->bytes);
    if (!strcmp(name, "memory.offset"))
        return report_textf(speech->report, "%" PRId64, memory->offset);
    if (!strcmp(name, "common"))
        return report_textf(speech->report, "%" PRIu64, memory->bytes);
    if (!strcmp(name, "window_made") && memory->created.depth)
        return frame_place(speech->report, stack_place(&memory->created));
    return !strcmp(name, "window") ? memory->window : NULL;
}

static const char *say(struct speech *speech, const char *template);

/* Whether the two operations are over at the same call: then once is enough to say it. */
static const char *same_end(const struct finding *finding)
{
    const char *end = phrase_by_epoch("completes", &finding->first);
    return end && is(phrase_by_epoch("completes", &finding->second), end) ? "1" : NULL;
}

/* A send and a receive: to wait for one before the other begins may be to wait for ever. */
static const char *exchange(const struct finding *finding)
{
    return finding_is_exchange(finding) ? "1" : NULL;
}

static const char *finding_fact_text(struct speech *speech, const char *name)
{
    const char *text = memory_fact(speech, name);
    if (text)
        return text;
    if (!strcmp(name, "same_end"))
        return same_end(speech->finding);
    if (!strcmp(name, "exchange"))
        return exchange(speech->finding);
    if (!strcmp(name, "atomicity"))
        return is(speech->finding->rule, "atomicity") ? "1" : NULL;
    if (!strcmp(name, "one_byte"))
        return speech->finding->second.bytes == 1 ? "1" : NULL;
    if (!strcmp(name, "all_same"))
        return speech->finding->second.bytes == speech->finding->memory.bytes ? "1" : NULL;
    bool elements = !strcmp(name, "elements"), own = !strcmp(name, "own_object");
    for (const struct fact *fact = speech->finding->facts; fact; fact = fact->next)
        if (!strcmp(fact->name, elements ? "differ" : own ? "object" : name))
            text = fact->value;
    if (elements)
        return is(text, "elements") ? text : NULL;
    if (text && (own || !strcmp(name, "differ") || !strcmp(name, "concurrent")))
        return find_phrase(name, text);
    if (text && !strcmp(name, "then")) {
        const struct sentences *then = speech->nested ? NULL : find_case(text);
        struct speech inner = *speech;
        inner.nested = true;
        return then ? say(&inner, then->message) : NULL;
    }
    return text;
}

/* The text of {name}; NULL if there is none. */
static const char *fact_text(struct speech *speech, const char *name)
{
    const char *dot = strchr(name, '.');
    const struct access *side = dot ? find_side(speech->finding, name, (size_t)(dot - name)) : NULL;
    if (!side)
        return finding_fact_text(speech, name);
    for (size_t i = 0; side->present && i < sizeof side_facts / sizeof side_facts[0]; i++)
        if (!strcmp(side_facts[i].name, dot + 1))
            return side_facts[i].say(speech, side);
    return NULL;
}

/* ---- templates ---- */

enum { NAME_ROOM = 32 };

/* The name that ends at `end`, and what stands behind it. */
static const char *read_name(const char *text, char end, char name[NAME_ROOM])
{
    size_t length = 0;
    while (*text && *text != end) {
        if (length + 1 < NAME_ROOM)
            name[length++] = *text;
        text++;
    }
    name[length] = 0;
    return *text ? text + 1 : text;
}

struct sentence {
    char *text;
    size_t length, room;
};

static void append(struct sentence *sentence, const char *text, size_t length)
{
    if (sentence->length + length + 1 > sentence->room) {
        sentence->room = 2 * (sentence->length + length + 64);
        sentence->text = checked_realloc(sentence->text, sentence->room);
    }
    memcpy(sentence->text + sentence->length, text, length);
    sentence->length += length;
    sentence->text[sentence->length] = 0;
}

/* Up to the closing bracket of this level, or the end; what is said if `heard`. */
static const char *speak(struct speech *speech, struct sentence *out, const char *text, bool heard)
{
    char name[NAME_ROOM];
    while (*text && *text != ']') {
        if (*text == '{') {
            text = read_name(text + 1, '}', name);
            const char *value = heard ? fact_text(speech, name) : NULL;
            if (heard)
                append(out, value ? value : "?", value ? strlen(value) : 1);
        } else if (*text == '[') {
            bool wanted = text[1] != '!';
            text = read_name(text + (wanted ? 1 : 2), '|', name);
            const char *value = heard ? fact_text(speech, name) : NULL;
            text = speak(speech, out, text, heard && (value && *value) == wanted);
            text += *text == ']';
        } else {
            size_t plain = strcspn(text, "{[]");
            if (heard)
                append(out, text, plain);
            text += plain;
        }
    }
    return text;
}

static const char *say(struct speech *speech, const char *template)
{
    struct sentence sentence = {0};
    if (!template)
        return NULL;
    speak(speech, &sentence, template, true);
    const char *said = sentence.length ? report_text(speech->report, sentence.text) : NULL;
    free(sentence.text);
    return said;
}

/* ---- cases that only the reader can tell apart ---- */

/* Whose buffers MPI keeps is told with the sites, which a process that finds a race may not have.
 */
static enum finding_case finer_case(const struct finding *finding, enum finding_case known)
{
    const struct access *a = &finding->first, *b = &finding->second;
    bool buffer = holds_buffer(a) || holds_buffer(b), same_rank = a->rank == b->rank;
    if (known == CASE_REPLAYED_RACE)
        return same_rank ? CASE_REPLAYED_OWN_RACE : known;
    if (known == CASE_SHARED_NOT_ORDERED)
        return buffer ? CASE_SHARED_MEETS_BUFFER : known;
    if (known != CASE_RMA_NOT_ORDERED)
        return known;
    if (buffer)
        return same_rank ? CASE_RMA_MEETS_OWN_BUFFER : CASE_RMA_MEETS_BUFFER;
    if (!same_rank)
        return takes_away(a) || takes_away(b) ? CASE_RMA_MEETS_END : known;
    return is_rma(a) && is_rma(b) ? CASE_RMA_PAIR_NOT_COMPLETE : CASE_RMA_NOT_COMPLETE;
}

static void say_without_case(struct report *report, struct finding *finding)
{
    const struct rule *rule = rule_find(finding->rule);
    finding->message = report_text(report, rule ? rule->title : finding->rule);
}

/* Behind its why, if there is something to say. */
static void say_why_only(struct speech *speech, struct finding *finding, const char *template)
{
    const char *only = say(speech, template);
    if (only && finding->why)
        finding->why = report_textf(speech->report, "%s %s", finding->why, only);
}

void finding_doubt(struct report *report, struct finding *finding, const char *unseen)
{
    struct speech speech = {.report = report, .finding = finding};
    if (finding->severity != SEVERITY_ERROR)
        return;
    finding->severity = SEVERITY_WARNING;
    finding_add_fact(report, finding, "unseen", unseen);
    say_why_only(&speech, finding, find_phrase("doubt", "calls"));
}

void finding_was_not_met(struct report *report, struct finding *finding)
{
    struct speech speech = {.report = report, .finding = finding};
    if (finding->severity != SEVERITY_ERROR)
        return;
    finding->severity = SEVERITY_WARNING;
    say_why_only(&speech, finding, find_phrase("doubt", "not-met"));
}

void finding_say(struct report *report, struct finding *finding)
{
    struct speech speech = {.report = report, .finding = finding};
    const struct sentences *known = find_case(finding->case_id);
    if (!known) {
        say_without_case(report, finding);
        return;
    }
    known = &cases[finer_case(finding, (enum finding_case)(known - cases))];
    finding->case_id = known->id;
    finding->message = say(&speech, known->message);
    finding->why = say(&speech, known->why);
    finding->fix = say(&speech, known->fix);
    if (finding->severity == SEVERITY_WARNING)
        say_why_only(&speech, finding, find_phrase("warning", known->id));
    finding->first.detail = say(&speech, known->first);
    if (finding->second.present)
        finding->second.detail = say(&speech, known->second);
}
