// SPDX-License-Identifier: MIT
//
// Reads encoded commands from the scratch words, and checks each operand.
#pragma once
#include <cmath>
#include <vector>

#include "../napi/arguments.h"
#include "opcodes.gen.h"

namespace anycl {

struct Size3 {
  size_t v[3];
  operator const size_t*() const { return v; }
};

/** Of an image: as many coordinates as it has, then the mip level, then zeros. */
struct Origin {
  size_t v[4];
  operator const size_t*() const { return v; }
};

/** A list that needs no allocation while it is short. */
template <typename T>
class SmallList {
 public:
  void reset(size_t count) {
    count_ = count;
    if (count > inline_size) more_.resize(count);
  }
  T* data() { return count_ > inline_size ? more_.data() : few_; }
  /** As OpenCL requires it: null if empty. */
  T* list() { return count_ == 0 ? nullptr : data(); }
  cl_uint count() const { return static_cast<cl_uint>(count_); }
  T& operator[](size_t i) { return data()[i]; }

 private:
  static constexpr size_t inline_size = 8;
  T few_[inline_size];
  std::vector<T> more_;
  size_t count_ = 0;
};

class Cursor {
 public:
  Cursor(Environment& environment, const Platform& platform, size_t count)
      : environment_(environment), platform_(platform), word_(environment.scratch.word), end_(environment.scratch.word + count) {}

  bool more() const { return word_ < end_; }
  void function(const char* name) { function_ = name; }

  double number() {
    if (word_ >= end_) refuse(CL_INVALID_VALUE, function_, "the command is cut short");
    return *word_++;
  }
  size_t size() { return whole(number(), function_); }
  /** The next `count` words at once. */
  const double* take(size_t count) {
    if (count > static_cast<size_t>(end_ - word_)) refuse(CL_INVALID_VALUE, function_, "the command is cut short");
    const double* at = word_;
    word_ += count;
    return at;
  }
  static Opcode opcode(double value) {
    return static_cast<Opcode>(value >= 0 && value <= 255 ? static_cast<int>(value) : 0);
  }
  Size3 triple() {
    Size3 out;
    for (size_t& v : out.v) v = size();
    return out;
  }
  Origin origin() {
    Origin out;
    for (size_t& v : out.v) v = size();
    return out;
  }
  Slot& handle(Kind kind) {
    return environment_.handles.get(number(), kind, function_, platform_);
  }
  cl_mem memory() { return handle(Kind::memory).as<cl_mem>(); }

  template <typename T>
  void handles(SmallList<T>& out, Kind kind) {
    const size_t count = size();
    if (count > static_cast<size_t>(end_ - word_)) refuse(CL_INVALID_VALUE, function_, "the list is cut short");
    out.reset(count);
    for (size_t i = 0; i < count; i++) out[i] = handle(kind).template as<T>();
  }

  /** A byte count and the bytes, padded to whole words. */
  const uint8_t* bytes(size_t& count) {
    count = size();
    const size_t words = (count + 7) / 8;
    if (words > static_cast<size_t>(end_ - word_)) refuse(CL_INVALID_VALUE, function_, "the bytes are cut short");
    const auto* at = reinterpret_cast<const uint8_t*>(word_);
    word_ += words;
    return at;
  }

 private:
  Environment& environment_;
  const Platform& platform_;
  const double* word_;
  const double* end_;
  const char* function_ = "execute";
};

}  // namespace anycl
