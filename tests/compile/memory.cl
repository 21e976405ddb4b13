// SPDX-License-Identifier: MIT
// options: -cl-std=CL2.0
// Records, unions, packed members, arrays, address spaces and where they lie.
typedef struct { float x; int3 y; } Small;
typedef struct { char a[100]; int last; } Big;
typedef struct __attribute__((packed)) { char a; int b; float3 v; } Packed;
typedef union { int i; float f; uchar4 b; } Bits;
typedef struct Node { int value; global struct Node *next; } Node;
constant int table[3][2] = { { 1, 2 }, { 3, 4 } };
constant Bits one = { .f = 1.0f };
global int counter = 5;

Big touched(Big b) { b.last++; return b; }
Small made(float x) { return (Small){ x, (int3)(1, 2, 3) }; }
int through(const int *p) { return *p; }

kernel void records(global Big *bigs, Small s, Big whole, global Packed *packed, global Node *list) {
  local float cache[16];
  Small t = made(s.x);
  bigs[0] = touched(whole);
  packed[1].b = packed[0].b + t.y.z;
  packed[1].v = packed[0].v;
  int sum = counter++;
  for (global Node *n = list; n; n = n->next) sum += n->value;
  Bits bits = one;
  bits.i += table[sum & 1][1];
  bool flags[2] = { true, sum > 3 };
  cache[get_local_id(0)] = bits.f + flags[sum & 1];
  int own = sum;
  bigs[1].last = through(&own) + through(&bigs[2].last);
  volatile global int *hardware = &bigs[3].last;
  *hardware = *hardware + (int)cache[0];
}
