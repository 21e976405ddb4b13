// SPDX-License-Identifier: MIT
//
// Reads a native method's arguments and checks each: a wrong one throws an OpenCLError that names it.
#pragma once
#include <node_api.h>

#include <string>
#include <vector>

#include "../environment.h"

namespace anycl {

/** The bytes of an ArrayBufferView or ArrayBuffer; `value` keeps them. */
struct Bytes {
  uint8_t* data = nullptr;
  size_t size = 0;
  napi_value value = nullptr;
};

/** What a native method's function object carries. */
struct Method {
  Environment* environment;
  const char* name;
};

class Arguments {
 public:
  Arguments(napi_env env, napi_callback_info info);

  Environment& environment() const { return *method_->environment; }
  napi_env env() const { return env_; }
  const char* name() const { return method_->name; }
  size_t count() const { return count_; }

  bool has(size_t i) const;
  double number(size_t i) const;
  size_t size(size_t i) const;
  cl_uint uint(size_t i) const;
  cl_int int32(size_t i) const;
  bool flag(size_t i) const;
  std::string text(size_t i) const;
  std::vector<std::string> texts(size_t i) const;
  Bytes bytes(size_t i) const { return bytes_of(values_[i], i); }
  std::vector<Bytes> byte_list(size_t i) const;
  std::vector<double> numbers(size_t i) const;
  std::vector<size_t> sizes(size_t i) const;
  /** A property list of bigints, closed by a 0. */
  std::vector<cl_ulong> properties(size_t i) const;
  cl_ulong bigint(size_t i) const;
  napi_value value(size_t i) const { return values_[i]; }

  Slot& handle(size_t i, Kind kind) const { return environment().handles.get(number(i), kind, name()); }
  /** An object of this platform: a driver would treat another driver's object as its own. */
  Slot& handle(size_t i, Kind kind, const Platform& platform) const {
    return environment().handles.get(number(i), kind, name(), platform);
  }
  Slot& any(size_t i) const { return environment().handles.any(number(i), name()); }
  template <typename T>
  std::vector<T> handles(size_t i, Kind kind, const Platform& platform) const {
    std::vector<T> out;
    for (double handle : numbers(i)) out.push_back(environment().handles.get(handle, kind, name(), platform).as<T>());
    return out;
  }
  /** The platform that the objects of a list, which must not be empty, are of. */
  Platform& platform_of(size_t i, Kind kind) const;

  // Results. Node-API makes none in a worker that is being terminated.
  napi_value of(double number) const;
  napi_value of(const std::string& text) const;
  napi_value of(const std::vector<double>& numbers) const;
  napi_value of_bytes(const void* data, size_t size) const;
  /** An array; a null is an element that is missing. */
  napi_value list(const std::vector<napi_value>& values) const;
  napi_value nothing() const { return nullptr; }

  [[noreturn]] void wrong(size_t i, const char* expected) const;

 private:
  static constexpr size_t limit = 8;
  Bytes bytes_of(napi_value value, size_t i) const;
  cl_ulong bigint_of(napi_value value, size_t i) const;
  std::vector<napi_value> elements(size_t i) const;
  void check(napi_status status, size_t i, const char* expected) const {
    if (status != napi_ok) wrong(i, expected);
  }
  static void must(napi_status status) {
    if (status != napi_ok) throw PendingException{};
  }
  napi_env env_;
  size_t count_ = limit;
  napi_value values_[limit];
  Method* method_ = nullptr;
};

/** A failure that a cut connection caused (server_watch.h) says so. */
inline Failure explained(const Failure& failure, const CallClock::Running& running) {
  std::string cut = running.cut();
  return cut.empty() ? failure : Failure{CL_DEVICE_NOT_AVAILABLE, failure.function, std::move(cut)};
}

/** The boundary: runs a native method and converts a Failure to a JavaScript exception. */
template <napi_value (*F)(Arguments&)>
napi_value call(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  const CallClock::Running running(arguments.environment().call_clock);
  try {
    return F(arguments);
  } catch (const Failure& failure) {
    arguments.environment().package_copies.throw_failure(explained(failure, running));
  } catch (const PendingException&) {
  } catch (const std::exception& error) {
    arguments.environment().package_copies.throw_failure({CL_OUT_OF_HOST_MEMORY, arguments.name(), error.what()});
  }
  return nullptr;
}

/**
 * The boundary of a quick call: JavaScript has put the operands into the scratch memory and reads the result from there. No value
 * is converted, which halves the cost of a call.
 */
template <void (*F)(Environment&)>
napi_value quick(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
  Method& method = *static_cast<Method*>(data);
  Environment& environment = *method.environment;
  const CallClock::Running running(environment.call_clock);
  try {
    if (environment.scratch.operand) F(environment);
  } catch (const Failure& failure) {
    environment.package_copies.throw_failure(explained(failure, running));
  } catch (const std::exception& error) {
    environment.package_copies.throw_failure({CL_OUT_OF_HOST_MEMORY, method.name, error.what()});
  }
  return nullptr;
}

/** An integer from the scratch memory, or a Failure. */
inline size_t whole(double value, const char* function) {
  const auto bits = static_cast<size_t>(value >= 0 && value <= 9007199254740991.0 ? value : 0);
  if (static_cast<double>(bits) != value) refuse(CL_INVALID_VALUE, function, "a size must be a whole number");
  return bits;
}

}  // namespace anycl
