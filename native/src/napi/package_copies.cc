// SPDX-License-Identifier: MIT
#include "package_copies.h"

namespace anycl {

void PackageCopies::add(napi_value dispatch, napi_value error_class) {
  if (error_class_) napi_delete_reference(env_, error_class_);
  dispatchers_.emplace_back();
  napi_create_reference(env_, dispatch, held_ > 0 ? 1 : 0, &dispatchers_.back());
  napi_create_reference(env_, error_class, 1, &error_class_);
}

void PackageCopies::dispatch(napi_value argument) {
  napi_value receiver = nullptr;
  napi_get_undefined(env_, &receiver);
  // By index, because the function may attach another copy.
  for (size_t i = 0; i < dispatchers_.size();) {
    napi_value function = nullptr;
    napi_get_reference_value(env_, dispatchers_[i], &function);
    if (!function) {
      napi_delete_reference(env_, dispatchers_[i]);
      dispatchers_.erase(dispatchers_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    i++;
    if (napi_call_function(env_, receiver, function, 1, &argument, nullptr) == napi_pending_exception) {
      napi_value error = nullptr;
      napi_get_and_clear_last_exception(env_, &error);
      napi_fatal_exception(env_, error);
    }
  }
}

void PackageCopies::hold() {
  if (held_++ > 0) return;
  for (const napi_ref dispatcher : dispatchers_) napi_reference_ref(env_, dispatcher, nullptr);
}

void PackageCopies::release() {
  if (--held_ > 0) return;
  for (const napi_ref dispatcher : dispatchers_) napi_reference_unref(env_, dispatcher, nullptr);
}

void PackageCopies::throw_failure(const Failure& failure) {
  napi_value error_class = nullptr, error = nullptr;
  napi_value arguments[3];
  napi_create_int32(env_, failure.code, &arguments[0]);
  napi_create_string_utf8(env_, failure.function, NAPI_AUTO_LENGTH, &arguments[1]);
  if (failure.detail.empty())
    napi_get_undefined(env_, &arguments[2]);
  else
    napi_create_string_utf8(env_, failure.detail.data(), failure.detail.size(), &arguments[2]);
  if (error_class_) napi_get_reference_value(env_, error_class_, &error_class);
  if (error_class && napi_new_instance(env_, error_class, 3, arguments, &error) == napi_ok) {
    napi_throw(env_, error);
    return;
  }
  napi_throw_error(env_, nullptr, (std::string(failure.function) + ": " + failure.detail).c_str());
}

}  // namespace anycl
