// Shares the threadgroups of a launch out over the machine's cores. The calling thread works too.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "reports.h"
#include "run.h"
#include "value_shadow.h"
#include "worker.h"

namespace mkls {

void begin_threadgroup_memory();
void settle_pending();

namespace {

constexpr int kMaxWorkers = 64;

struct Pool {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t work = PTHREAD_COND_INITIALIZER;
  pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
  Worker* workers[kMaxWorkers];
  pthread_t threads[kMaxWorkers];
  int worker_count = 0;
  Run* run = nullptr;
  int wanted = 0, busy = 0;  // helpers that should join the run; that are in it
};

Pool pool;
pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

void* help(void* argument) {
  Worker* worker = static_cast<Worker*>(argument);
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    while (!pool.wanted) pthread_cond_wait(&pool.work, &pool.mutex);
    pool.wanted--;
    worker->run = pool.run;
    pthread_mutex_unlock(&pool.mutex);
    run_worker(worker);
    pthread_mutex_lock(&pool.mutex);
    if (--pool.busy == 0) pthread_cond_signal(&pool.idle);
  }
}

bool ensure_workers(int count) {
  while (pool.worker_count < count) {
    Worker* worker = make_worker();
    if (!worker) return pool.worker_count > 0;
    int index = pool.worker_count;
    pool.workers[index] = worker;
    if (index > 0 && pthread_create(&pool.threads[index], nullptr, help, worker) != 0) return true;
    pool.threads[0] = pthread_self();
    pool.worker_count++;
  }
  return true;
}

int useful_workers(const mkls_request* request, unsigned long groups) {
  int count = request->checked ? 1 : int(request->cores);
  if (count > kMaxWorkers) count = kMaxWorkers;
  if (static_cast<unsigned long>(count) > groups) count = int(groups);
  return count < 1 ? 1 : count;
}

unsigned long groups_to_run(const mkls_request* request, unsigned long all) {
  if (request->stride <= 1 || all < 2) return all;
  return (all - 2) / request->stride + 2;  // those at multiples before the last one, and the last one
}

void begin_checked_launch(const mkls_request* request) {
  remember_launch(request);
  reserve_arena();
  reserve_value_shadow(pool.workers[0]);
  forget_variables();
  forget_reports();
  forget_origins();
  pool.workers[0]->saw_atomics = false;
}

struct Watch {
  pthread_t thread;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t done_signal = PTHREAD_COND_INITIALIZER;
  bool done = false;
  double deadline;
};

void* watch(void* argument) {
  Watch* self = static_cast<Watch*>(argument);
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  double left = self->deadline + until.tv_nsec * 1e-9;
  until.tv_sec += static_cast<time_t>(left);
  until.tv_nsec = static_cast<long>((left - static_cast<time_t>(left)) * 1e9);
  pthread_mutex_lock(&self->mutex);
  while (!self->done)
    if (pthread_cond_timedwait(&self->done_signal, &self->mutex, &until) != 0) break;
  bool late = !self->done;
  pthread_mutex_unlock(&self->mutex);
  if (late) stop_workers();
  return nullptr;
}

void share_out(Run* run, int workers) {
  pthread_mutex_lock(&pool.mutex);
  pool.run = run;
  pool.wanted = pool.busy = workers - 1;
  if (workers > 1) pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.mutex);
  pool.workers[0]->run = run;
  pool.threads[0] = pthread_self();
  run_worker(pool.workers[0]);
  pthread_mutex_lock(&pool.mutex);
  pool.busy -= pool.wanted;  // helpers that never woke up are not needed any more
  pool.wanted = 0;
  while (pool.busy > 0) pthread_cond_wait(&pool.idle, &pool.mutex);
  pthread_mutex_unlock(&pool.mutex);
}

void run_watched(Run* run, int workers) {
  Watch guard;
  guard.deadline = run->request->deadline_seconds;
  bool watched = guard.deadline > 0 && pthread_create(&guard.thread, nullptr, watch, &guard) == 0;
  share_out(run, workers);
  if (!watched) return;
  pthread_mutex_lock(&guard.mutex);
  guard.done = true;
  pthread_cond_signal(&guard.done_signal);
  pthread_mutex_unlock(&guard.mutex);
  pthread_join(guard.thread, nullptr);
}

}  // namespace

void stop_run(Run* run, Status status, const Stop& stop) {
  if (run->stopped.exchange(true)) return;
  run->outcome->status = status;
  run->outcome->stop = stop;
}

void signal_workers(int signal) {
  for (int i = 0; i < pool.worker_count; i++) pthread_kill(pool.threads[i], signal);
}

}  // namespace mkls

using namespace mkls;

// Runs one launch to its end. Launches of a process run one after the other.
extern "C" int mkls_run(const mkls_request* request, mkls_outcome* outcome) {
  const unsigned* groups = request->launch.groups;
  Run run{};
  run.request = request;
  run.outcome = outcome;
  run.all_groups = static_cast<unsigned long>(groups[0]) * groups[1] * groups[2];
  run.group_count = groups_to_run(request, run.all_groups);
  outcome->status = kCompleted;
  pthread_mutex_lock(&one_launch);
  int workers = useful_workers(request, run.group_count);
  run.chunk = run.group_count / (workers * 16ul);
  if (run.chunk < 1) run.chunk = 1;
  if (!ensure_workers(workers)) {
    outcome->status = kNoMemory;
  } else {
    if (workers > pool.worker_count) workers = pool.worker_count;
    begin_threadgroup_memory();
    if (request->checked) begin_checked_launch(request);
    install_traps();
    double start = now();
    run_watched(&run, workers);
    outcome->seconds = now() - start;
    if (request->checked) settle_pending();
    outcome->saw_atomics = pool.workers[0]->saw_atomics;
    remove_traps();
  }
  pthread_mutex_unlock(&one_launch);
  return outcome->status;
}
