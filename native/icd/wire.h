// SPDX-License-Identifier: MIT
//
// How fields are written and read: the C++ side of ts/icd/wire.ts.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace icd {

/** A list of elements that are owned elsewhere. */
template <typename T>
struct Slice {
  const T* data = nullptr;
  size_t size = 0;

  Slice() = default;
  Slice(const T* first, size_t count) : data(count == 0 ? nullptr : first), size(count) {}
  Slice(const std::vector<T>& from) : Slice(from.data(), from.size()) {}
  const T* begin() const { return data; }
  const T* end() const { return data + size; }
};

class Writer {
 public:
  template <typename T>
  void scalar(T value) {
    raw(&value, sizeof value);
  }
  void raw(const void* from, size_t size) {
    const char* bytes = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  template <typename T>
  void list(const Slice<T>& list) {
    scalar(static_cast<uint32_t>(list.size));
    if (list.size > 0) raw(list.data, list.size * sizeof(T));
  }
  /** Overwrites a word that was written before. */
  void patch(size_t at, uint32_t word) { std::memcpy(bytes_.data() + at, &word, sizeof word); }
  size_t size() const { return bytes_.size(); }
  const char* data() const { return bytes_.data(); }

 private:
  std::vector<char> bytes_;
};

/** Reads a message of the server, whose lists stay valid as long as the message does. */
class Reader {
 public:
  Reader(const char* data, size_t size) : at_(data), end_(data + size) {}

  template <typename T>
  T scalar() {
    T value{};
    if (available(sizeof value)) {
      std::memcpy(&value, at_, sizeof value);
      at_ += sizeof value;
    }
    return value;
  }
  Slice<uint8_t> bytes() {
    const uint32_t size = scalar<uint32_t>();
    if (!available(size)) return {};
    const auto* data = reinterpret_cast<const uint8_t*>(at_);
    at_ += size;
    return {data, size};
  }
  /** A list of 64-bit numbers, which the message need not align. */
  Slice<uint64_t> words() {
    const uint32_t count = scalar<uint32_t>();
    if (!available(size_t{count} * 8)) return {};
    words_.resize(count);
    if (count > 0) std::memcpy(words_.data(), at_, size_t{count} * 8);
    at_ += size_t{count} * 8;
    return words_;
  }

 private:
  bool available(size_t size) const { return static_cast<size_t>(end_ - at_) >= size; }

  const char* at_;
  const char* end_;
  std::vector<uint64_t> words_;
};

inline void put_u32(Writer& out, uint32_t value) { out.scalar(value); }
inline void put_i32(Writer& out, int32_t value) { out.scalar(value); }
inline void put_u64(Writer& out, uint64_t value) { out.scalar(value); }
inline void put_id(Writer& out, uint32_t value) { out.scalar(value); }
inline void put_ids(Writer& out, const Slice<uint32_t>& value) { out.list(value); }
inline void put_sizes(Writer& out, const Slice<uint64_t>& value) { out.list(value); }
inline void put_properties(Writer& out, const Slice<uint64_t>& value) { out.list(value); }
inline void put_bytes(Writer& out, const Slice<uint8_t>& value) { out.list(value); }
inline void put_text(Writer& out, std::string_view value) {
  out.scalar(static_cast<uint32_t>(value.size()));
  out.raw(value.data(), value.size());
}
inline void put_texts(Writer& out, const Slice<std::string_view>& value) {
  out.scalar(static_cast<uint32_t>(value.size));
  for (std::string_view text : value) put_text(out, text);
}

inline uint32_t take_u32(Reader& in) { return in.scalar<uint32_t>(); }
inline int32_t take_i32(Reader& in) { return in.scalar<int32_t>(); }
inline uint64_t take_u64(Reader& in) { return in.scalar<uint64_t>(); }
inline uint32_t take_id(Reader& in) { return in.scalar<uint32_t>(); }
inline Slice<uint8_t> take_bytes(Reader& in) { return in.bytes(); }
inline Slice<uint64_t> take_sizes(Reader& in) { return in.words(); }

}  // namespace icd
