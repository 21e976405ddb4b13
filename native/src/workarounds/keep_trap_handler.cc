// SPDX-License-Identifier: MIT
#include "keep_trap_handler.h"

#ifndef _WIN32

namespace anycl {
namespace {

void put_back(int signal, const struct sigaction& before) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  // Other handlers may have been installed on purpose, by another thread.
  const bool is_replaced = (now.sa_flags & SA_RESETHAND) != 0 && (before.sa_flags & SA_RESETHAND) == 0;
  if (is_replaced) sigaction(signal, &before, nullptr);
}

}  // namespace

KeepTrapHandler::KeepTrapHandler() {
  sigaction(SIGSEGV, nullptr, &segv_);
  sigaction(SIGBUS, nullptr, &bus_);
}

KeepTrapHandler::~KeepTrapHandler() {
  put_back(SIGSEGV, segv_);
  put_back(SIGBUS, bus_);
}

}  // namespace anycl

#endif
