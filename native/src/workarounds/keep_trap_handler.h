// SPDX-License-Identifier: MIT
#pragma once
#ifndef _WIN32
#include <csignal>
#endif

namespace anycl {

/**
 * Puts the handlers of memory faults back at the end of its scope, if a driver has replaced them meanwhile.
 *
 * V8 turns a WebAssembly access that is out of bounds into an exception in its handler of SIGSEGV. LLVM, which drivers contain,
 * installs a handler that puts V8's back at the first fault, but until then the action is the default one (SA_RESETHAND): if a
 * second thread faults in these microseconds, the process ends. Kernels that trap on two threads at once do that. LLVM installs its
 * handler once, so that putting V8's back early makes it stay.
 */
class KeepTrapHandler {
 public:
  KeepTrapHandler(const KeepTrapHandler&) = delete;
  KeepTrapHandler& operator=(const KeepTrapHandler&) = delete;

#ifdef _WIN32
  // V8's handler is called before all others there.
  KeepTrapHandler() {}
  ~KeepTrapHandler() {}
#else
  KeepTrapHandler();
  ~KeepTrapHandler();

 private:
  struct sigaction segv_ = {};
  /** As macOS reports the same faults. */
  struct sigaction bus_ = {};
#endif
};

}  // namespace anycl
