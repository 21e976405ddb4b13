// SPDX-License-Identifier: MIT
// Images, samplers, queues, events: what no cast, reinterpretation or operator takes. Errors of `__builtin_astype` are ours,
// since SPIR-V cannot say what clang accepts there; clang sees the other errors on the same lines.
//--- -cl-std=CL2.0
long f(image2d_t i) { return (long)i; } // error: operand of type '__read_only image2d_t' where arithmetic or pointer type is required
//--- -cl-std=CL2.0
global int *f(image2d_t i) { return (global int *)i; } // error: operand of type '__read_only image2d_t' where arithmetic or pointer type is required
//--- -cl-std=CL2.0
void f(image2d_t i) { (image3d_t)i; } // error: used type '__read_only image3d_t' where arithmetic or pointer type is required
//--- -cl-std=CL2.0
bool f(sampler_t s) { return (bool)s; } // error: operand of type 'sampler_t' where arithmetic or pointer type is required
//--- -cl-std=CL2.0
long f(queue_t q) { return (long)q; } // error: operand of type 'queue_t' where arithmetic or pointer type is required
//--- -cl-std=CL2.0
void f(queue_t q) { event_t e = (event_t)q; } // error: used type 'event_t' where arithmetic or pointer type is required
//--- -cl-std=CL2.0
void f(void) { event_t e = (event_t)1; } // error: cannot cast non-zero value '1' to 'event_t'
//--- -cl-std=CL2.0
void f(void) { event_t e = (event_t)0; }
//--- -cl-std=CL2.0
void f(queue_t q, clk_event_t e, int a) { a ? q : q; } // error: incompatible operand types ('queue_t' and 'queue_t')
//--- -cl-std=CL2.0
void f(queue_t q, clk_event_t e, int a) { a ? e : e; } // error: incompatible operand types ('clk_event_t' and 'clk_event_t')
//--- -cl-std=CL2.0
void f(image2d_t i, int a) { a ? i : i; } // error: incompatible operand types ('__read_only image2d_t' and '__read_only image2d_t')
//--- -cl-std=CL2.0
long f(queue_t q) { return __builtin_bit_cast(long, q); } // error: __builtin_bit_cast source type must be trivially copyable
//--- -cl-std=CL2.0
queue_t f(long q) { return __builtin_bit_cast(queue_t, q); } // error: __builtin_bit_cast destination type must be trivially copyable
//--- -cl-std=CL2.0
global int *f(image2d_t i) { return __builtin_astype(i, global int *); } // error: invalid reinterpretation: values of '__read_only image2d_t' have no representation
//--- -cl-std=CL2.0
void f(global int *p) { __builtin_astype(p, image2d_t); } // error: invalid reinterpretation: values of '__read_only image2d_t' have no representation
//--- -cl-std=CL2.0
void f(image2d_t i) { __builtin_astype(i, image3d_t); } // error: invalid reinterpretation: values of '__read_only image2d_t' have no representation
//--- -cl-std=CL2.0
bool f(queue_t q) { return q == 0 || q == CLK_NULL_QUEUE || q == get_default_queue(); }
//--- -cl-std=CL2.0
bool f(clk_event_t e, clk_event_t f) { return e == f || e != CLK_NULL_EVENT; }
//--- -cl-std=CL2.0
clk_event_t e(void) { clk_event_t e = CLK_NULL_EVENT; return e; } queue_t q(void) { return CLK_NULL_QUEUE; }
reserve_id_t r(void) { return CLK_NULL_RESERVE_ID; }
