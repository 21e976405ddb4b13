// SPDX-License-Identifier: MIT
//
// Enqueuing from kernels. A launch has a region of memory (ENQUEUE_REGION in ts/base/kernel-abi.ts) to which its work-items append
// records of what they enqueue, and one of events. The device reads the records when the launch has ended.

// Words of the region's header, of every record, and of the records of kernels and events.
enum { USED, CAPACITY, DEFAULT_QUEUE, EVENTS, HEADER_WORDS = 4 };
enum { BYTES, KIND };
enum { QUEUE = 2, FLAGS, EVENT, WAITS, LITERAL_BYTES, LOCALS, DIMENSIONS, GLOBAL, LOCAL = 12, OFFSET = 15, LISTS = 18 };
enum { STATUS = 2, REFERENCES, TIMES_TO, IS_USER, ELAPSED, COMPLETE = 8, EVENT_WORDS = 10 };

// Kinds of records; other values are numbers of blocks.
#define MARKER -1
#define EVENT_RECORD -2

#define SUBMITTED 2
#define MOST_ITEMS_OF_GROUP 4096

typedef volatile __global uint *region;

/** Reserves space for a record; 0 if there is none. */
static inline uint reserve(region r, uint bytes, int kind) {
  if ((uint)r == 0) return 0;
  uint size = (bytes + 15) & ~15u;
  for (;;) {
    uint at = r[USED];
    if (size > r[CAPACITY] - at) return 0;
    if (atomic_cmpxchg(&r[USED], at, at + size) == at) {
      region record = r + at / 4;
      record[BYTES] = size;
      record[KIND] = (uint)kind;
      return (uint)record;
    }
  }
}

static inline uint event(region r, bool is_user) {
  if ((uint)r == 0) return 0;
  uint made = reserve((region)r[EVENTS], EVENT_WORDS * 4, EVENT_RECORD);
  if (made == 0) return 0;
  region e = (region)made;
  e[STATUS] = SUBMITTED;
  e[REFERENCES] = 1;
  e[TIMES_TO] = 0;
  e[IS_USER] = is_user;
  return made;
}

uint __anycl_enqueue_default_queue(region r) { return (uint)r == 0 ? 0 : r[DEFAULT_QUEUE]; }

uint __anycl_enqueue_user_event(region r) { return event(r, true); }

/**
 * Creates a record for a block (or a marker, of kind -1) with space for `waits` events, `locals` sizes and a literal; 0 if there
 * is none. `wants_event` creates its event, which the record refers to.
 */
uint __anycl_enqueue_record(region r, uint queue, uint flags, int kind, uint waits, uint wants_event, uint locals,
                            uint literal_bytes) {
  if (queue == 0 || waits > 4096) return 0;
  uint made = 0;
  if (wants_event) {
    made = event(r, false);
    if (made == 0) return 0;
  }
  uint at = reserve(r, (LISTS + waits + locals) * 4 + literal_bytes, kind);
  if (at == 0) return 0;
  region record = (region)at;
  record[QUEUE] = queue;
  record[FLAGS] = flags;
  record[EVENT] = made;
  record[WAITS] = waits;
  record[LITERAL_BYTES] = literal_bytes;
  record[LOCALS] = locals;
  record[DIMENSIONS] = 0;
  return at;
}

/** Whether kernels can be enqueued over an ND-range. */
uint __anycl_enqueue_range_is_valid(uint dimensions, uint x, uint y, uint z) {
  if (dimensions - 1 > 2) return 0;
  ulong items = (ulong)max(x, 1u) * max(y, 1u);
  return items <= MOST_ITEMS_OF_GROUP && items * max(z, 1u) <= MOST_ITEMS_OF_GROUP;
}

/** Whether a record is an event. */
uint __anycl_enqueue_is_event(uint e) {
  if (e == 0 || (e & 3) != 0) return 0;
  return ((region)e)[KIND] == (uint)EVENT_RECORD && ((region)e)[REFERENCES] != 0;
}

uint __anycl_enqueue_retain(uint e) { return e == 0 ? 0 : atomic_inc((region)e + REFERENCES); }

uint __anycl_enqueue_release(uint e) { return e == 0 ? 0 : atomic_dec((region)e + REFERENCES); }

uint __anycl_enqueue_set_status(uint e, int status) {
  region record = (region)e;
  if (e != 0 && record[IS_USER] && (status == 0 || status < 0)) atomic_cmpxchg(&record[STATUS], SUBMITTED, (uint)status);
  return 0;
}

/** The device writes the times of a command that is not complete yet. */
uint __anycl_enqueue_capture_times(uint e, uint to) {
  region record = (region)e;
  if (e == 0 || to == 0) return 0;
  atomic_xchg(&record[TIMES_TO], to);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_or(&record[STATUS], 0u) != 0) return 0;
  for (int i = 0; i < 4; i++) ((region)to)[i] = record[ELAPSED + i];
  return 0;
}
