// SPDX-License-Identifier: MIT
#include "connection.h"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <thread>
#include <utility>

#include "server_process.h"

namespace icd {

namespace {

constexpr size_t kHeader = 12;
constexpr uint32_t kReply = 0;

std::mutex open_mutex;
/** Never freed: the program may release objects while it exits. */
Connection* opened = nullptr;
pid_t owner = 0;

/** Blocks all signals in the new thread: the program's own threads handle them. */
void start_thread(std::function<void()> run) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(std::move(run)).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

Connection* Connection::current() {
  std::lock_guard lock(open_mutex);
  return owner == getpid() ? opened : nullptr;
}

Connection* Connection::open() {
  static const int registered = pthread_atfork([] { open_mutex.lock(); }, [] { open_mutex.unlock(); },
                                               [] {
                                                 // A child starts its own server, and closes its copies of the parent's descriptors.
                                                 if (opened != nullptr) {
                                                   close(opened->socket_);
                                                   close(opened->staging_.file());
                                                 }
                                                 open_mutex.unlock();
                                               });
  (void)registered;
  std::lock_guard lock(open_mutex);
  if (owner == getpid()) return opened;
  owner = getpid();
  opened = nullptr;
  auto* fresh = new Connection();
  if (fresh->start()) opened = fresh;
  // One that could not be started is not freed: its reading thread may still use it.
  return opened;  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)
}

bool Connection::start() {
  if (!staging_.ready()) {
    std::fputs("anycl: the software device cannot be started: the system has no shared memory (memfd_create)\n", stderr);
    return false;
  }
  socket_ = start_server(staging_.file());
  if (socket_ < 0) return false;
  start_thread([this] { read_loop(); });
  return greet();
}

bool Connection::greet() {
  const Answer<Hello> answer = ask(Hello{kProtocol});
  if (answer.status == CL_SUCCESS && answer.reply.protocol == kProtocol) return true;
  {
    std::lock_guard lock(mutex_);
    // The reading thread has reported it.
    if (dead_) return false;
  }
  std::fprintf(stderr,
               "anycl: the software device cannot be started: libanycl-icd and %s are of different versions; install both "
               "from one package, or run `anycl exec --install` again\n",
               server_script().c_str());
  return false;
}

bool Connection::send(const Writer& out, uint32_t sequence) {
  Writer copy = out;
  copy.patch(8, sequence);
  const char* at = copy.data();
  size_t left = copy.size();
  std::lock_guard lock(write_mutex_);
  while (left > 0) {
    const ssize_t done = ::send(socket_, at, left, MSG_NOSIGNAL);
    if (done < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    at += done;
    left -= static_cast<size_t>(done);
  }
  return true;
}

bool Connection::post(const Writer& out, Pending& pending) {
  std::unique_lock lock(mutex_);
  if (dead_) return false;
  const uint32_t sequence = next_sequence_++;
  if (next_sequence_ == 0) next_sequence_ = 1;
  pending_.emplace(sequence, &pending);
  lock.unlock();
  if (send(out, sequence)) return true;
  lock.lock();
  pending_.erase(sequence);
  return false;
}

std::vector<char> Connection::await(Pending& pending) {
  std::unique_lock lock(mutex_);
  pending.answered.wait(lock, [&] { return pending.done; });
  return std::move(pending.bytes);
}

std::vector<char> Connection::exchange(const Writer& out) {
  Pending mine;
  if (!post(out, mine)) return {};
  return await(mine);
}

void Connection::read_loop() {
  std::vector<char> buffer(1 << 16);
  size_t filled = 0;
  for (;;) {
    size_t at = 0;
    while (filled - at >= kHeader) {
      uint32_t head[3];
      std::memcpy(head, buffer.data() + at, kHeader);
      if (filled - at < head[0]) break;
      handle(head[1], head[2], {buffer.begin() + static_cast<ptrdiff_t>(at + kHeader), buffer.begin() + static_cast<ptrdiff_t>(at + head[0])});
      at += head[0];
    }
    std::memmove(buffer.data(), buffer.data() + at, filled - at);
    filled -= at;
    uint32_t next = 0;
    if (filled >= kHeader) std::memcpy(&next, buffer.data(), sizeof next);
    if (buffer.size() < next) buffer.resize(next);
    if (buffer.size() == filled) buffer.resize(2 * filled);
    const ssize_t got = recv(socket_, buffer.data() + filled, buffer.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<size_t>(got);
  }
  die();
}

template <typename Done>
Done Connection::take(std::unordered_map<uint32_t, Done>& from, uint32_t id) {
  std::lock_guard lock(mutex_);
  const auto it = from.find(id);
  if (it == from.end()) return {};
  auto done = std::move(it->second);
  from.erase(it);
  return done;
}

void Connection::handle(uint32_t opcode, uint32_t sequence, std::vector<char> body) {
  Reader in(body.data(), body.size());
  switch (opcode) {
    case kReply: {
      std::lock_guard lock(mutex_);
      const auto it = pending_.find(sequence);
      if (it == pending_.end()) return;
      Pending* pending = it->second;
      pending_.erase(it);
      pending->bytes = std::move(body);
      pending->done = true;
      pending->answered.notify_one();
      return;
    }
    case CompletedNotice::opcode: {
      CompletedNotice notice;
      notice.decode(in);
      if (auto done = take(completions_, notice.event)) done(notice.status, notice.idle);
      return;
    }
    case ReachedNotice::opcode: {
      ReachedNotice notice;
      notice.decode(in);
      if (auto done = take(reached_, notice.token)) done(notice.status);
      return;
    }
    case DestroyedNotice::opcode: {
      DestroyedNotice notice;
      notice.decode(in);
      std::function<void()> done;
      {
        std::lock_guard lock(mutex_);
        const auto it = destroyed_.find(notice.object);
        if (it == destroyed_.end()) return;
        done = std::move(it->second);
        destroyed_.erase(it);
      }
      done();
      return;
    }
    case PrintedNotice::opcode: {
      PrintedNotice notice;
      notice.decode(in);
      // In order with the program's own output.
      std::fwrite(notice.text.data, 1, notice.text.size, stdout);
      std::fflush(stdout);
      return;
    }
    default:
      return;
  }
}

void Connection::die() {
  std::unordered_map<uint32_t, Completion> ended;
  std::unordered_map<uint32_t, std::function<void(cl_int)>> unreached;
  {
    std::lock_guard lock(mutex_);
    dead_ = true;
    for (auto& [sequence, pending] : pending_) {
      pending->done = true;
      pending->answered.notify_one();
    }
    pending_.clear();
    ended.swap(completions_);
    unreached.swap(reached_);
  }
  std::fputs("anycl: the software device's process has ended; its objects can no longer be used\n", stderr);
  for (auto& [id, done] : ended) done(CL_OUT_OF_RESOURCES, 0);
  for (auto& [token, done] : unreached) done(CL_OUT_OF_RESOURCES);
}

void Tasks::add(std::function<void()> run) {
  std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(run));
  if (!std::exchange(started_, true)) start_thread([this] { run_all(); });
  added_.notify_one();
}

void Tasks::run_all() {
  for (;;) {
    std::function<void()> run;
    {
      std::unique_lock lock(mutex_);
      added_.wait(lock, [&] { return !waiting_.empty(); });
      run = std::move(waiting_.front());
      waiting_.pop_front();
    }
    run();
  }
}

void Connection::when_complete(uint32_t id, Completion done) {
  std::unique_lock lock(mutex_);
  if (!dead_) {
    completions_.emplace(id, std::move(done));
    return;
  }
  lock.unlock();
  done(CL_OUT_OF_RESOURCES, 0);
}

void Connection::forget(uint32_t id) {
  // The callback's captures are destroyed without the lock.
  take(completions_, id);
}

uint32_t Connection::when_reached(std::function<void(cl_int)> done) {
  const uint32_t token = next_id();
  std::lock_guard lock(mutex_);
  reached_.emplace(token, std::move(done));
  return token;
}

void Connection::forget_reached(uint32_t token) { take(reached_, token); }

void Connection::when_destroyed(uint32_t id, std::function<void()> done) {
  std::lock_guard lock(mutex_);
  destroyed_.emplace(id, std::move(done));
}

}  // namespace icd
