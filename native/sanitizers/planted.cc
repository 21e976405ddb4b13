// SPDX-License-Identifier: MIT
//
// Faults on purpose, in an addon of their own that only sanitizer builds have: a tool that finds nothing must be seen to find
// something. scripts/native/sanitize.mjs runs them.
#include <napi.h>

#include <thread>

namespace {

/** Two threads write a variable without synchronization. */
void race(const Napi::CallbackInfo&) {
  static int counted = 0;
  const auto count = [] {
    for (int i = 0; i < 1000; i++) counted++;
  };
  std::thread other(count);
  count();
  other.join();
}

/** Allocates memory and loses it. */
void leak(const Napi::CallbackInfo&) {
  static char* volatile lost = nullptr;
  lost = new char[12345];
  if (lost) lost = nullptr;
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("race", Napi::Function::New(env, race));
  exports.Set("leak", Napi::Function::New(env, leak));
  return exports;
}

}  // namespace

NODE_API_MODULE(planted, init)
