// SPDX-License-Identifier: MIT
//
// What the stub library knows: its objects and what was done to them, what it was told to do, and the threads that complete
// its events.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../../native/src/cl/opencl.gen.h"

#if defined(_WIN32)
#define EXPORT extern "C" __declspec(dllexport)
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace {

struct Callback {
  cl_int type;
  void(CL_CALLBACK* notify)(cl_event, cl_int, void*);
  void* user;
};

struct Object {
  int references = 1;
  char kind = 0;
  std::vector<unsigned char> bytes;
  Object* parent = nullptr;
  size_t offset = 0;
  cl_int status = CL_COMPLETE;
  std::vector<Callback> callbacks;
  std::vector<std::function<void()>> destroyed;
  bool null_args_allowed = true;
  /** Of a program, the kernels of its source, each with the number of its arguments; of a kernel, itself. */
  std::vector<std::pair<std::string, cl_uint>> kernels;
};

enum class Policy { now, late, reversed, shuffled, threads, never, error };

struct State {
  std::recursive_mutex mutex;
  std::condition_variable_any changed;
  std::set<Object*> live;
  int bad = 0;
  std::map<std::string, cl_int> failures;
  Policy policy = Policy::now;
  cl_int error = 0;
  bool odd = false;
  /** The parameters of calls of extension functions. */
  std::string notes;
  size_t odd_size = 0;
  long calls = 0, fail_at = 0;
  cl_int nth_code = 0;
  /** Whether each call after the one that fails does so too. */
  bool lost = false;
  /** Whether the next build replaces the handler of memory faults. */
  bool faults = false;
  std::string failed;
  /** Commands that will complete, besides those that wait. */
  int under_way = 0;
  std::set<void*> svm;
  std::deque<std::pair<Object*, std::function<void()>>> waiting;
  bool worker = false;
};

State& state() {
  static State* s = new State;
  return *s;
}

using Lock = std::unique_lock<std::recursive_mutex>;

int platform_object, device_object;

Object* make(char kind) {
  Lock lock(state().mutex);
  auto* object = new Object;
  object->kind = kind;
  state().live.insert(object);
  return object;
}

/** Null, and a mark in the books, if there is no such object. */
Object* known(const void* handle, char kind) {
  Lock lock(state().mutex);
  auto* object = static_cast<Object*>(const_cast<void*>(handle));
  if (state().live.count(object) && object->kind == kind) return object;
  state().bad++;
  std::fprintf(stderr, "stub: no live object of kind %c at %p\n", kind, handle);
  return nullptr;
}

cl_int retain(const void* handle, char kind, cl_int code) {
  Lock lock(state().mutex);
  Object* object = known(handle, kind);
  if (!object) return code;
  object->references++;
  return CL_SUCCESS;
}

cl_int release(const void* handle, char kind, cl_int code) {
  std::vector<std::function<void()>> destroyed;
  {
    Lock lock(state().mutex);
    Object* object = known(handle, kind);
    if (!object) return code;
    if (--object->references > 0) return CL_SUCCESS;
    state().live.erase(object);
    if (object->parent) release(object->parent, object->parent->kind, 0);
    destroyed = std::move(object->destroyed);
    delete object;
  }
  for (auto& call : destroyed) call();
  return CL_SUCCESS;
}

/** Whether this call should fail, and how. */
bool fails(const char* function, cl_int& code) {
  Lock lock(state().mutex);
  const long call = ++state().calls;
  const bool later = state().lost && state().fail_at > 0 && call > state().fail_at;
  if (call == state().fail_at || later) {
    if (!later) state().failed = function;
    code = state().nth_code;
    return true;
  }
  auto found = state().failures.find(function);
  if (found == state().failures.end()) return false;
  code = found->second;
  return true;
}

#define FAIL_CODE()                         \
  do {                                      \
    cl_int code_;                           \
    if (fails(__func__, code_)) return code_; \
  } while (0)
#define FAIL_NULL(errcode)                  \
  do {                                      \
    cl_int code_;                           \
    if (fails(__func__, code_)) {           \
      if (errcode) *errcode = code_;        \
      return nullptr;                       \
    }                                       \
    if (errcode) *errcode = CL_SUCCESS;     \
  } while (0)

void complete(Object* event, cl_int status) {
  std::vector<Callback> callbacks;
  {
    Lock lock(state().mutex);
    event->status = status;
    callbacks.swap(event->callbacks);
    state().changed.notify_all();
  }
  for (auto& callback : callbacks) callback.notify(reinterpret_cast<cl_event>(event), status, callback.user);
  release(event, 'e', 0);
}

void finish_command(Object* event, const std::function<void()>& work) {
  if (work) work();
  cl_int status = CL_COMPLETE;
  {
    Lock lock(state().mutex);
    if (state().policy == Policy::error) status = state().error;
  }
  complete(event, status);
  Lock lock(state().mutex);
  state().under_way--;
  state().changed.notify_all();
}

void worker() {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::pair<Object*, std::function<void()>> next{nullptr, nullptr};
    {
      Lock lock(state().mutex);
      if (state().waiting.empty() || state().policy == Policy::never) continue;
      state().under_way++;
      if (state().policy == Policy::shuffled) {
        const size_t at = static_cast<size_t>(std::rand()) % state().waiting.size();
        next = std::move(state().waiting[at]);
        state().waiting.erase(state().waiting.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (state().policy == Policy::reversed) {
        next = state().waiting.back();
        state().waiting.pop_back();
      } else {
        next = state().waiting.front();
        state().waiting.pop_front();
      }
    }
    finish_command(next.first, next.second);
  }
}

/** A command: its effect happens when its event completes. */
cl_int enqueue(cl_command_queue queue, cl_uint waits, const cl_event* list, cl_event* event,
               std::function<void()> work = {}) {
  Lock lock(state().mutex);
  if (!known(queue, 'q')) return CL_INVALID_COMMAND_QUEUE;
  bool blocked = false;
  for (cl_uint i = 0; i < waits; i++) {
    Object* wait = known(list[i], 'e');
    if (!wait) return CL_INVALID_EVENT_WAIT_LIST;
    blocked |= wait->status > CL_COMPLETE;
  }
  Object* made = make('e');
  if (state().policy == Policy::now && !blocked && state().waiting.empty()) {
    if (work) work();
    made->status = CL_COMPLETE;
    if (event) *event = reinterpret_cast<cl_event>(made);
    else release(made, 'e', 0);
    return CL_SUCCESS;
  }
  if (state().policy == Policy::error && !blocked) {
    if (work) work();
    made->status = state().error;
    if (event) *event = reinterpret_cast<cl_event>(made);
    else release(made, 'e', 0);
    return CL_SUCCESS;
  }
  made->status = CL_QUEUED;
  made->references++;
  if (event) *event = reinterpret_cast<cl_event>(made);
  else release(made, 'e', 0);
  if (state().policy == Policy::threads && !blocked) {
    state().under_way++;
    std::thread([made, work = std::move(work)] {
      std::this_thread::sleep_for(std::chrono::microseconds(std::rand() % 2000));
      finish_command(made, work);
    }).detach();
    return CL_SUCCESS;
  }
  state().waiting.push_back({made, std::move(work)});
  if (!state().worker) {
    state().worker = true;
    std::thread(worker).detach();
  }
  return CL_SUCCESS;
}

cl_int answer(const void* data, size_t bytes, size_t size, void* value, size_t* needed) {
  if (state().odd) {
    if (needed) *needed = state().odd_size;
    if (value) std::memset(value, 'o', std::min(size, state().odd_size));
    return value && size < state().odd_size ? CL_INVALID_VALUE : CL_SUCCESS;
  }
  if (needed) *needed = bytes;
  if (value) {
    if (size < bytes) return CL_INVALID_VALUE;
    std::memcpy(value, data, bytes);
  }
  return CL_SUCCESS;
}

template <typename T>
cl_int answer_value(T data, size_t size, void* value, size_t* needed) {
  return answer(&data, sizeof data, size, value, needed);
}

cl_int answer_text(const std::string& text, size_t size, void* value, size_t* needed) {
  return answer(text.c_str(), text.size() + 1, size, value, needed);
}

void direct(const std::string& source) {
  Lock lock(state().mutex);
  std::istringstream lines(source);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string stub, verb, first;
    words >> stub >> verb >> first;
    if (stub != "stub:") continue;
    if (verb == "reset") {
      state().failures.clear();
      state().policy = Policy::now;
      state().odd = false;
      state().fail_at = 0;
      state().failed.clear();
    } else if (verb == "faults") {
      state().faults = true;
    } else if (verb == "odd") {
      state().odd = true;
      state().odd_size = std::strtoull(first.c_str(), nullptr, 10);
    } else if (verb == "nth" || verb == "lost") {
      // The call with this directive is not counted.
      state().calls = -1;
      state().lost = verb == "lost";
      state().fail_at = std::atol(first.c_str());
      state().failed.clear();
      words >> state().nth_code;
    } else if (verb == "fail") {
      int code = 0;
      words >> code;
      state().failures[first] = code;
    } else if (verb == "events") {
      if (first == "now") state().policy = Policy::now;
      else if (first == "late") state().policy = Policy::late;
      else if (first == "reversed") state().policy = Policy::reversed;
      else if (first == "shuffled") state().policy = Policy::shuffled;
      else if (first == "threads") state().policy = Policy::threads;
      else if (first == "never") state().policy = Policy::never;
      else state().policy = Policy::error, state().error = std::atoi(first.c_str());
    }
  }
}

#if defined(STUB_EXTENSIONS)
const std::set<std::string>& extension_names();
#endif

/** The kernels of a source in which no macro hides them. */
std::vector<std::pair<std::string, cl_uint>> kernels_of(const std::string& source) {
  std::vector<std::pair<std::string, cl_uint>> kernels;
  const std::string before = "kernel void ";
  for (size_t at = source.find(before); at != std::string::npos; at = source.find(before, at + 1)) {
    const size_t name = at + before.size(), open = source.find('(', name), close = source.find(')', name);
    if (close == std::string::npos || open > close) break;
    const auto commas = std::count(source.begin() + static_cast<std::ptrdiff_t>(open),
                                   source.begin() + static_cast<std::ptrdiff_t>(close), ',');
    kernels.push_back({source.substr(name, open - name), static_cast<cl_uint>(commas) + 1});
  }
  return kernels;
}

unsigned char* memory_of(Object* memory) {
  return memory->parent && memory->parent->kind == 'm' ? memory_of(memory->parent) + memory->offset : memory->bytes.data();
}

}  // namespace

