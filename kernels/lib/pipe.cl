// SPDX-License-Identifier: MIT
//
// Pipes. The counters of a pipe (PIPE in ts/base/kernel-abi.ts) number packets from its creation; readers and writers reserve by
// advancing the `reserved` counters, and commit in the order of their reservations.

// Words of the pipe's header.
enum { PACKET_SIZE, MAX_PACKETS, RESERVED_WRITE, WRITTEN, RESERVED_READ, READ, COUNTS = 16 };

typedef volatile __global uint *pipe_header;

// A reservation as a word: a validity bit, and the low bits of its first packet's number. The number of its packets is stored
// with the slot of the first one, which no other reservation uses meanwhile.
#define VALID 0x80000000u
#define START_MASK 0x7fffffffu

static inline uint reservation_of(pipe_header p, uint first, uint count) {
  p[COUNTS + first % p[MAX_PACKETS]] = count;
  return VALID | (first & START_MASK);
}

uint __anycl_pipe_reserve_read(pipe_header p, uint count) {
  if (count == 0 || count > p[MAX_PACKETS]) return 0;
  for (;;) {
    uint at = p[RESERVED_READ];
    if (p[WRITTEN] - at < count) return 0;
    if (atomic_cmpxchg(&p[RESERVED_READ], at, at + count) == at)
      return reservation_of(p, at, count);
  }
}

uint __anycl_pipe_reserve_write(pipe_header p, uint count) {
  if (count == 0 || count > p[MAX_PACKETS]) return 0;
  for (;;) {
    uint at = p[RESERVED_WRITE];
    if (p[MAX_PACKETS] - (at - p[READ]) < count) return 0;
    if (atomic_cmpxchg(&p[RESERVED_WRITE], at, at + count) == at)
      return reservation_of(p, at, count);
  }
}

/** The first packet of a reservation, which is less than the mask's range ahead of `base`. */
static inline uint start(uint base, uint reservation) { return base + ((reservation - base) & START_MASK); }

static inline uint slot(pipe_header p, uint packet) {
  return (uint)(p + COUNTS + p[MAX_PACKETS]) + packet % p[MAX_PACKETS] * p[PACKET_SIZE];
}

/** The address of a packet. */
uint __anycl_pipe_read_slot(pipe_header p, uint reservation, uint index) {
  return slot(p, start(p[READ], reservation) + index);
}

uint __anycl_pipe_write_slot(pipe_header p, uint reservation, uint index) {
  return slot(p, start(p[WRITTEN], reservation) + index);
}

/**
 * Waits for earlier reservations. The update that releases the next reservation is inside the waiting loop, because lanes share
 * the loop.
 */
static inline void commit(pipe_header p, uint counter, uint reservation) {
  uint first = start(p[counter], reservation);
  uint count = p[COUNTS + first % p[MAX_PACKETS]];
  while (atomic_cmpxchg(&p[counter], first, first + count) != first);
}

void __anycl_pipe_commit_read(pipe_header p, uint reservation) { commit(p, READ, reservation); }

void __anycl_pipe_commit_write(pipe_header p, uint reservation) { commit(p, WRITTEN, reservation); }

uint __anycl_pipe_packets(pipe_header p) { return p[WRITTEN] - p[RESERVED_READ]; }

uint __anycl_pipe_max_packets(pipe_header p) { return p[MAX_PACKETS]; }
