/* Requests: what they wait for, and the calls that complete them. */
#include "mpi.h"

struct request *request_new(struct call *c, enum request_kind kind)
{
    struct request *request = zeroed(1, sizeof *request);
    request->kind = kind;
    request->process = c->p;
    request->routine = c->function->routine;
    request->site = site_here(c->w, c->p, c->function->routine, NULL);
    request->number = (uint32_t)ADD(&c->w->mpi->requests, request);
    request->narguments = c->n < 16 ? c->n : 16;
    request->made_at = c->site;
    request->made_by = c->function;
    memcpy(request->arguments, c->arguments,
           (size_t)request->narguments * sizeof request->arguments[0]);
    return request;
}

bool request_ready(struct world *w, struct request *request)
{
    if (!request->active)
        return true;
    if (request->kind == REQUEST_PARTITIONED)
        return partitioned_ready(w, request);
    return request->kind == REQUEST_COLLECTIVE ? collective_ready(request) : request->complete;
}

static void end_uses(struct world *w, struct request *request)
{
    for (int i = 0; i < 3; i++) {
        judge_use_end(w, request->uses[i]);
        request->uses[i] = NULL;
    }
}

/* Completion is seen: what it makes known, then the buffers are free. */
void request_finish(struct call *c, struct request *request, uint64_t status)
{
    const struct numbers *numbers = &c->w->mpi->numbers;
    if (!request->active) {
        bool again = request->seen && request->kind == REQUEST_RECV;
        write_status(c, status, again ? request->source : numbers->any_source,
                     again ? request->got_tag : numbers->any_tag, again ? request->bytes : 0);
        request->seen = false;
        return;
    }
    if (request->kind == REQUEST_COLLECTIVE)
        collective_finish(c, request);
    if (request->kind == REQUEST_PARTITIONED)
        partitioned_finish(c, request);
    if (request->kind == REQUEST_RMA)
        operation_over(c, request->operation);
    if (request->clock.size)
        learn(c->p, &request->clock);
    free(request->clock.data);
    request->clock = (struct bytes){NULL, 0};
    end_uses(c->w, request);
    request->active = false;
    if (request->kind == REQUEST_RECV || request->kind == REQUEST_PARTITIONED)
        write_status(c, status, request->source, request->got_tag, request->bytes);
    else
        write_status(c, status, numbers->any_source, numbers->any_tag, 0);
    c->p->spins = 0;
}

static struct request *request_at(struct call *c, uint64_t address, bool *null)
{
    int number = object_of(c, KIND_REQUEST, handle_in(c, address));
    *null = number < 0;
    return number < 0 || failed(c) ? NULL : c->w->mpi->requests.at[number];
}

static void finish_at(struct call *c, struct request *request, uint64_t address, uint64_t status)
{
    request_finish(c, request, status);
    if (!request->persistent)
        store_null(c, address, KIND_REQUEST);
}

static uint64_t status_at(const struct call *c, uint64_t statuses, uint64_t i)
{
    const struct numbers *numbers = &c->w->mpi->numbers;
    return statuses == numbers->status_ignore ? statuses : statuses + i * numbers->status;
}

static enum outcome done(const struct call *c)
{
    return failed(c) ? STOPS : OVER;
}

static enum outcome one(struct call *c, bool test)
{
    uint64_t address = address_with(c, ROLE_request), status = address_with(c, ROLE_status);
    bool null;
    struct request *request = failed(c) ? NULL : request_at(c, address, &null);
    if (failed(c))
        return STOPS;
    bool ready = null || request_ready(c->w, request);
    if (!ready && !test)
        return WAITS;
    if (test)
        store_number(c, address_with(c, ROLE_flag), 4, ready);
    c->p->spins += !ready;
    if (ready && null)
        write_status(c, status, c->w->mpi->numbers.any_source, c->w->mpi->numbers.any_tag, 0);
    else if (ready)
        finish_at(c, request, address, status);
    return done(c);
}

static enum outcome peek_at(struct call *c)
{
    int number = object_of(c, KIND_REQUEST, address_with(c, ROLE_request_value));
    struct request *request = failed(c) || number < 0 ? NULL : c->w->mpi->requests.at[number];
    if (failed(c))
        return STOPS;
    bool ready = !request || request_ready(c->w, request);
    store_number(c, address_with(c, ROLE_flag), 4, ready);
    c->p->spins += !ready;
    if (ready && request && request->active) { /* a completion like others; the request stays */
        request_finish(c, request, address_with(c, ROLE_status));
        request->seen = true;
    }
    return done(c);
}

static enum outcome all(struct call *c, bool test)
{
    int64_t n = number_with(c, ROLE_nrequests);
    uint64_t list = address_with(c, ROLE_requests), statuses = address_with(c, ROLE_statuses);
    unsigned bytes = c->w->mpi->numbers.handle;
    bool ready = true, null;
    for (int64_t i = 0; i < n && ready && !failed(c); i++) {
        struct request *request = request_at(c, list + (uint64_t)i * bytes, &null);
        ready = null || (request && request_ready(c->w, request));
    }
    if (failed(c))
        return STOPS;
    if (!ready && !test)
        return WAITS;
    c->p->spins += !ready;
    if (test)
        store_number(c, address_with(c, ROLE_flag), 4, ready);
    for (int64_t i = 0; i < n && ready && !failed(c); i++) {
        uint64_t at = list + (uint64_t)i * bytes;
        struct request *request = request_at(c, at, &null);
        if (request)
            finish_at(c, request, at, status_at(c, statuses, (uint64_t)i));
    }
    return done(c);
}

static enum outcome any(struct call *c, bool test)
{
    int64_t n = number_with(c, ROLE_nrequests);
    uint64_t list = address_with(c, ROLE_requests), status = address_with(c, ROLE_status);
    unsigned bytes = c->w->mpi->numbers.handle;
    bool active = false, null;
    for (int64_t i = 0; i < n && !failed(c); i++) {
        uint64_t at = list + (uint64_t)i * bytes;
        struct request *request = request_at(c, at, &null);
        if (failed(c) || null || !request->active)
            continue;
        active = true;
        if (!request_ready(c->w, request))
            continue;
        if (test)
            store_number(c, address_with(c, ROLE_flag), 4, 1);
        store_number(c, address_with(c, ROLE_index), 4, (uint64_t)i);
        finish_at(c, request, at, status);
        return done(c);
    }
    if (failed(c))
        return STOPS;
    if (active && !test)
        return WAITS;
    c->p->spins += active;
    if (test)
        store_number(c, address_with(c, ROLE_flag), 4, !active);
    store_number(c, address_with(c, ROLE_index), 4, (uint32_t)c->w->mpi->numbers.undefined);
    return done(c);
}

static enum outcome some(struct call *c, bool test)
{
    int64_t n = number_with(c, ROLE_nrequests), over = 0;
    uint64_t list = address_with(c, ROLE_requests), statuses = address_with(c, ROLE_statuses);
    uint64_t count = address_with(c, ROLE_outcount), indices = address_with(c, ROLE_indices);
    unsigned bytes = c->w->mpi->numbers.handle;
    bool active = false, null;
    for (int64_t i = 0; i < n && !failed(c); i++) {
        uint64_t at = list + (uint64_t)i * bytes;
        struct request *request = request_at(c, at, &null);
        if (failed(c) || null || !request->active)
            continue;
        active = true;
        if (!request_ready(c->w, request))
            continue;
        store_number(c, indices + 4 * (uint64_t)over, 4, (uint64_t)i);
        finish_at(c, request, at, status_at(c, statuses, (uint64_t)over++));
    }
    if (failed(c))
        return STOPS;
    if (active && !over && !test)
        return WAITS;
    c->p->spins += active && !over;
    store_number(c, count, 4, active ? (uint64_t)over : (uint32_t)c->w->mpi->numbers.undefined);
    return done(c);
}

static void activate(struct call *c, struct request *request)
{
    if (!request || !request->persistent || request->active) {
        wrong(c);
        return;
    }
    if (request->kind == REQUEST_COLLECTIVE)
        collective_start(c, request);
    else if (request->kind == REQUEST_PARTITIONED)
        partitioned_start(c, request);
    else
        message_start(c, request);
}

static enum outcome start(struct call *c)
{
    bool several = c->function->routine->object == OBJECT_all, null;
    int64_t n = several ? number_with(c, ROLE_nrequests) : 1;
    uint64_t list = address_with(c, several ? ROLE_requests : ROLE_request);
    for (int64_t i = 0; i < n && !failed(c); i++) {
        struct request *request =
            request_at(c, list + (uint64_t)i * c->w->mpi->numbers.handle, &null);
        if (request) { /* where it was started is where its buffers are in use from */
            request->site = site_here(c->w, c->p, request->routine, NULL);
        }
        if (!failed(c))
            activate(c, request);
    }
    return done(c);
}

static enum outcome release(struct call *c)
{
    uint64_t address = address_with(c, ROLE_request);
    bool null;
    struct request *request = failed(c) ? NULL : request_at(c, address, &null);
    if (!request)
        return STOPS;
    if (request->active) {
        if (request->kind != REQUEST_SEND && request->kind != REQUEST_RECV)
            return STOPS;
        request->freed = true;
        c->p->freed_requests++;
    }
    store_null(c, address, KIND_REQUEST);
    return done(c);
}

/* Of freed requests nobody sees the completion: whoever has heard of anybody takes them for
 * complete. */
void freed_uses_end(struct process *p, struct mpi *mpi)
{
    p->freed_requests = 0;
    for (size_t i = 0; i < mpi->requests.n; i++) {
        struct request *request = mpi->requests.at[i];
        if (request->freed && request->process == p)
            for (int k = 0; k < 3; k++) {
                judge_use_end(NULL, request->uses[k]);
                request->uses[k] = NULL;
            }
    }
}

enum outcome request_call(struct call *c)
{
    const struct routine *routine = c->function->routine;
    bool test = routine->verb == VERB_tests;
    switch (routine->verb) {
    case VERB_activates:
        return start(c);
    case VERB_releases:
        return routine->object == OBJECT_request ? release(c) : STOPS;
    case VERB_peeks:
        return peek_at(c);
    default:
        break;
    }
    switch (routine->object) {
    case OBJECT_one:
        return one(c, test);
    case OBJECT_all:
        return all(c, test);
    case OBJECT_any:
        return any(c, test);
    case OBJECT_some:
        return some(c, test);
    default:
        return STOPS;
    }
}

void requests_close(struct mpi *mpi)
{
    for (size_t i = 0; i < mpi->requests.n; i++) {
        struct request *request = mpi->requests.at[i];
        for (int k = 0; k < 3; k++)
            free(request->uses[k]);
        EMPTY(&request->sections);
        free(request->start.data);
        free(request->clock.data);
        free(request->collective);
        partitioned_close(request->partitioned);
        free(request);
    }
    for (size_t i = 0; i < mpi->messages.n; i++) {
        payload_free(&mpi->messages.at[i]->payload);
        free(mpi->messages.at[i]->clock.data);
        free(mpi->messages.at[i]);
    }
    EMPTY(&mpi->requests);
    EMPTY(&mpi->messages);
    EMPTY(&mpi->receives);
    EMPTY(&mpi->probed);
}
