// SPDX-License-Identifier: MIT
#include "arguments.h"

#include <cmath>
#include <cstring>

namespace anycl {

void refuse(cl_int code, const char* function, const char* detail) { fail(code, function, detail); }

Arguments::Arguments(napi_env env, napi_callback_info info) : env_(env) {
  void* data = nullptr;
  napi_get_cb_info(env, info, &count_, values_, nullptr, &data);
  method_ = static_cast<Method*>(data);
}

void Arguments::wrong(size_t i, const char* expected) const {
  fail(CL_INVALID_VALUE, name(), "argument " + std::to_string(i + 1) + " must be " + expected);
}

bool Arguments::has(size_t i) const {
  if (i >= count_) return false;
  napi_valuetype type = napi_undefined;
  napi_typeof(env_, values_[i], &type);
  return type != napi_undefined && type != napi_null;
}

double Arguments::number(size_t i) const {
  double value = 0;
  check(napi_get_value_double(env_, values_[i], &value), i, "a number");
  return value;
}

size_t Arguments::size(size_t i) const {
  const double value = number(i);
  if (!(value >= 0 && value <= 9007199254740991.0) || value != std::floor(value)) wrong(i, "a size");
  return static_cast<size_t>(value);
}

cl_uint Arguments::uint(size_t i) const {
  const double value = number(i);
  if (!(value >= 0 && value <= 4294967295.0) || value != std::floor(value)) wrong(i, "a 32-bit number");
  return static_cast<cl_uint>(value);
}

cl_int Arguments::int32(size_t i) const {
  const double value = number(i);
  if (!(value >= -2147483648.0 && value <= 2147483647.0) || value != std::floor(value)) wrong(i, "a 32-bit number");
  return static_cast<cl_int>(value);
}

bool Arguments::flag(size_t i) const {
  bool value = false;
  check(napi_get_value_bool(env_, values_[i], &value), i, "a boolean");
  return value;
}

static std::string text_of(napi_env env, napi_value value, bool& ok) {
  size_t size = 0;
  ok = napi_get_value_string_utf8(env, value, nullptr, 0, &size) == napi_ok;
  std::string text(size, '\0');
  if (ok) napi_get_value_string_utf8(env, value, text.data(), size + 1, &size);
  return text;
}

std::string Arguments::text(size_t i) const {
  bool ok;
  std::string text = text_of(env_, values_[i], ok);
  if (!ok) wrong(i, "a string");
  return text;
}

std::vector<napi_value> Arguments::elements(size_t i) const {
  bool array = false;
  napi_is_array(env_, values_[i], &array);
  if (!array) wrong(i, "an array");
  uint32_t length = 0;
  napi_get_array_length(env_, values_[i], &length);
  // A sparse array may claim four billion elements and have none.
  if (length > (1u << 20)) wrong(i, "an array of at most a million elements");
  std::vector<napi_value> out(length);
  for (uint32_t k = 0; k < length; k++)
    must(napi_get_element(env_, values_[i], k, &out[k]));
  return out;
}

std::vector<std::string> Arguments::texts(size_t i) const {
  std::vector<std::string> out;
  for (napi_value element : elements(i)) {
    bool ok;
    out.push_back(text_of(env_, element, ok));
    if (!ok) wrong(i, "an array of strings");
  }
  return out;
}

std::vector<double> Arguments::numbers(size_t i) const {
  std::vector<double> out;
  for (napi_value element : elements(i)) {
    double value;
    check(napi_get_value_double(env_, element, &value), i, "an array of numbers");
    out.push_back(value);
  }
  return out;
}

std::vector<size_t> Arguments::sizes(size_t i) const {
  std::vector<size_t> out;
  for (double value : numbers(i)) {
    if (!(value >= 0 && value <= 9007199254740991.0) || value != std::floor(value)) wrong(i, "an array of sizes");
    out.push_back(static_cast<size_t>(value));
  }
  return out;
}

Platform& Arguments::platform_of(size_t i, Kind kind) const {
  const std::vector<double> all = numbers(i);
  if (all.empty()) wrong(i, "a list that is not empty");
  return *environment().handles.get(all[0], kind, name()).platform;
}

cl_ulong Arguments::bigint_of(napi_value value, size_t i) const {
  uint64_t bits = 0;
  bool lossless = true;
  if (napi_get_value_bigint_uint64(env_, value, &bits, &lossless) != napi_ok) wrong(i, "made of bigints");
  if (lossless) return bits;
  int64_t negative = 0;
  napi_get_value_bigint_int64(env_, value, &negative, &lossless);
  if (!lossless) wrong(i, "of at most 64 bits");
  return static_cast<cl_ulong>(negative);
}

cl_ulong Arguments::bigint(size_t i) const { return bigint_of(values_[i], i); }

std::vector<cl_ulong> Arguments::properties(size_t i) const {
  std::vector<cl_ulong> out;
  for (napi_value element : elements(i)) out.push_back(bigint_of(element, i));
  out.push_back(0);
  return out;
}

std::vector<Bytes> Arguments::byte_list(size_t i) const {
  std::vector<Bytes> out;
  for (napi_value element : elements(i)) out.push_back(bytes_of(element, i));
  return out;
}

Bytes Arguments::bytes_of(napi_value value, size_t i) const {
  Bytes bytes;
  bytes.value = value;
  bool is = false;
  void* data = nullptr;
  if (napi_is_typedarray(env_, value, &is) == napi_ok && is) {
    napi_typedarray_type type;
    size_t length = 0;
    napi_get_typedarray_info(env_, value, &type, &length, &data, nullptr, nullptr);
    static constexpr uint8_t widths[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 2};
    if (static_cast<size_t>(type) >= sizeof widths) wrong(i, "a view of a known element type");
    bytes.size = length * widths[type];
  } else if (napi_is_dataview(env_, value, &is) == napi_ok && is) {
    napi_get_dataview_info(env_, value, &bytes.size, &data, nullptr, nullptr);
  } else if (napi_is_arraybuffer(env_, value, &is) == napi_ok && is) {
    napi_get_arraybuffer_info(env_, value, &data, &bytes.size);
  } else {
    wrong(i, "an ArrayBuffer or a view of one");
  }
  bytes.data = static_cast<uint8_t*>(data);
  return bytes;
}

napi_value Arguments::of(double number) const {
  napi_value value = nullptr;
  must(napi_create_double(env_, number, &value));
  return value;
}

napi_value Arguments::of(const std::string& text) const {
  napi_value value = nullptr;
  must(napi_create_string_utf8(env_, text.data(), text.size(), &value));
  return value;
}

napi_value Arguments::of(const std::vector<double>& numbers) const {
  std::vector<napi_value> values;
  values.reserve(numbers.size());
  for (const double number : numbers) values.push_back(of(number));
  return list(values);
}

napi_value Arguments::of_bytes(const void* data, size_t size) const {
  void* target = nullptr;
  napi_value buffer = nullptr, array = nullptr;
  must(napi_create_arraybuffer(env_, size, &target, &buffer));
  if (size > 0) std::memcpy(target, data, size);
  must(napi_create_typedarray(env_, napi_uint8_array, size, buffer, 0, &array));
  return array;
}

napi_value Arguments::list(const std::vector<napi_value>& values) const {
  napi_value array = nullptr;
  must(napi_create_array_with_length(env_, values.size(), &array));
  for (size_t k = 0; k < values.size(); k++)
    if (values[k]) must(napi_set_element(env_, array, static_cast<uint32_t>(k), values[k]));
  return array;
}

}  // namespace anycl
