// SPDX-License-Identifier: MIT
#include "remote_server.h"

#include "../remote/server_watch.h"

namespace anycl {
namespace {

ServerWatch& watch_of(const Arguments& a) {
  ServerWatch* watch = ServerWatch::at(a.size(0));
  if (!watch) a.wrong(0, "a server's watch");
  return *watch;
}

}  // namespace

napi_value watch_server(Arguments& a) {
  const size_t port = a.size(1);
  if (port == 0 || port > 65533) a.wrong(1, "a port");
  const size_t number = ServerWatch::of(a.text(0), static_cast<uint16_t>(port), std::chrono::milliseconds(a.size(2)));
  return a.of(static_cast<double>(number));
}

napi_value await_server(Arguments& a) {
  watch_of(a).await(a.int32(1));
  return a.nothing();
}

napi_value server_lost(Arguments& a) { return a.of(watch_of(a).lost() ? 1.0 : 0.0); }

}  // namespace anycl
