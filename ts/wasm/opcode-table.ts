// SPDX-License-Identifier: MIT
//
// A table of the instructions: one line `name immediate operands:results`. Types are i (i32), l (i64), f (f32), d (f64), v
// (v128); `*` where they depend on the context; immediate `-` is none.
import { Wasm } from './opcodes';

export type Immediate =
  | 'block'
  | 'f32'
  | 'f64'
  | 'func'
  | 'global'
  | 'i32'
  | 'i64'
  | 'label'
  | 'labels'
  | 'lane'
  | 'lanes16'
  | 'local'
  | 'mem'
  | 'memlane'
  | 'v128'
  | 'zero'
  | 'zeros'
  | '-';

export interface Opcode {
  readonly name: string;
  readonly code: Wasm;
  readonly immediate: Immediate;
  /** Absent if they depend on the context. */
  readonly signature?: { readonly operands: string; readonly results: string };
}

const TABLE = `
unreachable - :
nop - :
block block *
loop block *
if block *
else - *
end - *
br label *
br_if label *
br_table labels *
return - *
call func *
drop - *
select - *
local.get local *
local.set local *
local.tee local *
global.get global *
global.set global *
i32.load mem i:i
i64.load mem i:l
f32.load mem i:f
f64.load mem i:d
i32.load8_s mem i:i
i32.load8_u mem i:i
i32.load16_s mem i:i
i32.load16_u mem i:i
i64.load8_s mem i:l
i64.load8_u mem i:l
i64.load16_s mem i:l
i64.load16_u mem i:l
i64.load32_s mem i:l
i64.load32_u mem i:l
i32.store mem ii:
i64.store mem il:
f32.store mem if:
f64.store mem id:
i32.store8 mem ii:
i32.store16 mem ii:
i64.store8 mem il:
i64.store16 mem il:
i64.store32 mem il:
memory.size zero :i
memory.grow zero i:i
i32.const i32 :i
i64.const i64 :l
f32.const f32 :f
f64.const f64 :d
i32.eqz - i:i
i32.eq - ii:i
i32.ne - ii:i
i32.lt_s - ii:i
i32.lt_u - ii:i
i32.gt_s - ii:i
i32.gt_u - ii:i
i32.le_s - ii:i
i32.le_u - ii:i
i32.ge_s - ii:i
i32.ge_u - ii:i
i64.eqz - l:i
i64.eq - ll:i
i64.ne - ll:i
i64.lt_s - ll:i
i64.lt_u - ll:i
i64.gt_s - ll:i
i64.gt_u - ll:i
i64.le_s - ll:i
i64.le_u - ll:i
i64.ge_s - ll:i
i64.ge_u - ll:i
f32.eq - ff:i
f32.ne - ff:i
f32.lt - ff:i
f32.gt - ff:i
f32.le - ff:i
f32.ge - ff:i
f64.eq - dd:i
f64.ne - dd:i
f64.lt - dd:i
f64.gt - dd:i
f64.le - dd:i
f64.ge - dd:i
i32.clz - i:i
i32.ctz - i:i
i32.popcnt - i:i
i32.add - ii:i
i32.sub - ii:i
i32.mul - ii:i
i32.div_s - ii:i
i32.div_u - ii:i
i32.rem_s - ii:i
i32.rem_u - ii:i
i32.and - ii:i
i32.or - ii:i
i32.xor - ii:i
i32.shl - ii:i
i32.shr_s - ii:i
i32.shr_u - ii:i
i32.rotl - ii:i
i32.rotr - ii:i
i64.clz - l:l
i64.ctz - l:l
i64.popcnt - l:l
i64.add - ll:l
i64.sub - ll:l
i64.mul - ll:l
i64.div_s - ll:l
i64.div_u - ll:l
i64.rem_s - ll:l
i64.rem_u - ll:l
i64.and - ll:l
i64.or - ll:l
i64.xor - ll:l
i64.shl - ll:l
i64.shr_s - ll:l
i64.shr_u - ll:l
i64.rotl - ll:l
i64.rotr - ll:l
f32.abs - f:f
f32.neg - f:f
f32.ceil - f:f
f32.floor - f:f
f32.trunc - f:f
f32.nearest - f:f
f32.sqrt - f:f
f32.add - ff:f
f32.sub - ff:f
f32.mul - ff:f
f32.div - ff:f
f32.min - ff:f
f32.max - ff:f
f32.copysign - ff:f
f64.abs - d:d
f64.neg - d:d
f64.ceil - d:d
f64.floor - d:d
f64.trunc - d:d
f64.nearest - d:d
f64.sqrt - d:d
f64.add - dd:d
f64.sub - dd:d
f64.mul - dd:d
f64.div - dd:d
f64.min - dd:d
f64.max - dd:d
f64.copysign - dd:d
i32.wrap_i64 - l:i
i32.trunc_f32_s - f:i
i32.trunc_f32_u - f:i
i32.trunc_f64_s - d:i
i32.trunc_f64_u - d:i
i64.extend_i32_s - i:l
i64.extend_i32_u - i:l
i64.trunc_f32_s - f:l
i64.trunc_f32_u - f:l
i64.trunc_f64_s - d:l
i64.trunc_f64_u - d:l
f32.convert_i32_s - i:f
f32.convert_i32_u - i:f
f32.convert_i64_s - l:f
f32.convert_i64_u - l:f
f32.demote_f64 - d:f
f64.convert_i32_s - i:d
f64.convert_i32_u - i:d
f64.convert_i64_s - l:d
f64.convert_i64_u - l:d
f64.promote_f32 - f:d
i32.reinterpret_f32 - f:i
i64.reinterpret_f64 - d:l
f32.reinterpret_i32 - i:f
f64.reinterpret_i64 - l:d
i32.extend8_s - i:i
i32.extend16_s - i:i
i64.extend8_s - l:l
i64.extend16_s - l:l
i64.extend32_s - l:l
i32.trunc_sat_f32_s - f:i
i32.trunc_sat_f32_u - f:i
i32.trunc_sat_f64_s - d:i
i32.trunc_sat_f64_u - d:i
i64.trunc_sat_f32_s - f:l
i64.trunc_sat_f32_u - f:l
i64.trunc_sat_f64_s - d:l
i64.trunc_sat_f64_u - d:l
memory.copy zeros iii:
memory.fill zero iii:
v128.load mem i:v
v128.load8x8_s mem i:v
v128.load8x8_u mem i:v
v128.load16x4_s mem i:v
v128.load16x4_u mem i:v
v128.load32x2_s mem i:v
v128.load32x2_u mem i:v
v128.load8_splat mem i:v
v128.load16_splat mem i:v
v128.load32_splat mem i:v
v128.load64_splat mem i:v
v128.store mem iv:
v128.const v128 :v
i8x16.shuffle lanes16 vv:v
i8x16.swizzle - vv:v
i8x16.splat - i:v
i16x8.splat - i:v
i32x4.splat - i:v
i64x2.splat - l:v
f32x4.splat - f:v
f64x2.splat - d:v
i8x16.extract_lane_s lane v:i
i8x16.extract_lane_u lane v:i
i8x16.replace_lane lane vi:v
i16x8.extract_lane_s lane v:i
i16x8.extract_lane_u lane v:i
i16x8.replace_lane lane vi:v
i32x4.extract_lane lane v:i
i32x4.replace_lane lane vi:v
i64x2.extract_lane lane v:l
i64x2.replace_lane lane vl:v
f32x4.extract_lane lane v:f
f32x4.replace_lane lane vf:v
f64x2.extract_lane lane v:d
f64x2.replace_lane lane vd:v
i8x16.eq - vv:v
i8x16.ne - vv:v
i8x16.lt_s - vv:v
i8x16.lt_u - vv:v
i8x16.gt_s - vv:v
i8x16.gt_u - vv:v
i8x16.le_s - vv:v
i8x16.le_u - vv:v
i8x16.ge_s - vv:v
i8x16.ge_u - vv:v
i16x8.eq - vv:v
i16x8.ne - vv:v
i16x8.lt_s - vv:v
i16x8.lt_u - vv:v
i16x8.gt_s - vv:v
i16x8.gt_u - vv:v
i16x8.le_s - vv:v
i16x8.le_u - vv:v
i16x8.ge_s - vv:v
i16x8.ge_u - vv:v
i32x4.eq - vv:v
i32x4.ne - vv:v
i32x4.lt_s - vv:v
i32x4.lt_u - vv:v
i32x4.gt_s - vv:v
i32x4.gt_u - vv:v
i32x4.le_s - vv:v
i32x4.le_u - vv:v
i32x4.ge_s - vv:v
i32x4.ge_u - vv:v
f32x4.eq - vv:v
f32x4.ne - vv:v
f32x4.lt - vv:v
f32x4.gt - vv:v
f32x4.le - vv:v
f32x4.ge - vv:v
f64x2.eq - vv:v
f64x2.ne - vv:v
f64x2.lt - vv:v
f64x2.gt - vv:v
f64x2.le - vv:v
f64x2.ge - vv:v
v128.not - v:v
v128.and - vv:v
v128.andnot - vv:v
v128.or - vv:v
v128.xor - vv:v
v128.bitselect - vvv:v
v128.any_true - v:i
v128.load8_lane memlane iv:v
v128.load16_lane memlane iv:v
v128.load32_lane memlane iv:v
v128.load64_lane memlane iv:v
v128.store8_lane memlane iv:
v128.store16_lane memlane iv:
v128.store32_lane memlane iv:
v128.store64_lane memlane iv:
v128.load32_zero mem i:v
v128.load64_zero mem i:v
f32x4.demote_f64x2_zero - v:v
f64x2.promote_low_f32x4 - v:v
i8x16.abs - v:v
i8x16.neg - v:v
i8x16.popcnt - v:v
i8x16.all_true - v:i
i8x16.bitmask - v:i
i8x16.narrow_i16x8_s - vv:v
i8x16.narrow_i16x8_u - vv:v
f32x4.ceil - v:v
f32x4.floor - v:v
f32x4.trunc - v:v
f32x4.nearest - v:v
i8x16.shl - vi:v
i8x16.shr_s - vi:v
i8x16.shr_u - vi:v
i8x16.add - vv:v
i8x16.add_sat_s - vv:v
i8x16.add_sat_u - vv:v
i8x16.sub - vv:v
i8x16.sub_sat_s - vv:v
i8x16.sub_sat_u - vv:v
f64x2.ceil - v:v
f64x2.floor - v:v
i8x16.min_s - vv:v
i8x16.min_u - vv:v
i8x16.max_s - vv:v
i8x16.max_u - vv:v
f64x2.trunc - v:v
i8x16.avgr_u - vv:v
i16x8.extadd_pairwise_i8x16_s - v:v
i16x8.extadd_pairwise_i8x16_u - v:v
i32x4.extadd_pairwise_i16x8_s - v:v
i32x4.extadd_pairwise_i16x8_u - v:v
i16x8.abs - v:v
i16x8.neg - v:v
i16x8.q15mulr_sat_s - vv:v
i16x8.all_true - v:i
i16x8.bitmask - v:i
i16x8.narrow_i32x4_s - vv:v
i16x8.narrow_i32x4_u - vv:v
i16x8.extend_low_i8x16_s - v:v
i16x8.extend_high_i8x16_s - v:v
i16x8.extend_low_i8x16_u - v:v
i16x8.extend_high_i8x16_u - v:v
i16x8.shl - vi:v
i16x8.shr_s - vi:v
i16x8.shr_u - vi:v
i16x8.add - vv:v
i16x8.add_sat_s - vv:v
i16x8.add_sat_u - vv:v
i16x8.sub - vv:v
i16x8.sub_sat_s - vv:v
i16x8.sub_sat_u - vv:v
f64x2.nearest - v:v
i16x8.mul - vv:v
i16x8.min_s - vv:v
i16x8.min_u - vv:v
i16x8.max_s - vv:v
i16x8.max_u - vv:v
i16x8.avgr_u - vv:v
i16x8.extmul_low_i8x16_s - vv:v
i16x8.extmul_high_i8x16_s - vv:v
i16x8.extmul_low_i8x16_u - vv:v
i16x8.extmul_high_i8x16_u - vv:v
i32x4.abs - v:v
i32x4.neg - v:v
i32x4.all_true - v:i
i32x4.bitmask - v:i
i32x4.extend_low_i16x8_s - v:v
i32x4.extend_high_i16x8_s - v:v
i32x4.extend_low_i16x8_u - v:v
i32x4.extend_high_i16x8_u - v:v
i32x4.shl - vi:v
i32x4.shr_s - vi:v
i32x4.shr_u - vi:v
i32x4.add - vv:v
i32x4.sub - vv:v
i32x4.mul - vv:v
i32x4.min_s - vv:v
i32x4.min_u - vv:v
i32x4.max_s - vv:v
i32x4.max_u - vv:v
i32x4.dot_i16x8_s - vv:v
i32x4.extmul_low_i16x8_s - vv:v
i32x4.extmul_high_i16x8_s - vv:v
i32x4.extmul_low_i16x8_u - vv:v
i32x4.extmul_high_i16x8_u - vv:v
i64x2.abs - v:v
i64x2.neg - v:v
i64x2.all_true - v:i
i64x2.bitmask - v:i
i64x2.extend_low_i32x4_s - v:v
i64x2.extend_high_i32x4_s - v:v
i64x2.extend_low_i32x4_u - v:v
i64x2.extend_high_i32x4_u - v:v
i64x2.shl - vi:v
i64x2.shr_s - vi:v
i64x2.shr_u - vi:v
i64x2.add - vv:v
i64x2.sub - vv:v
i64x2.mul - vv:v
i64x2.eq - vv:v
i64x2.ne - vv:v
i64x2.lt_s - vv:v
i64x2.gt_s - vv:v
i64x2.le_s - vv:v
i64x2.ge_s - vv:v
i64x2.extmul_low_i32x4_s - vv:v
i64x2.extmul_high_i32x4_s - vv:v
i64x2.extmul_low_i32x4_u - vv:v
i64x2.extmul_high_i32x4_u - vv:v
f32x4.abs - v:v
f32x4.neg - v:v
f32x4.sqrt - v:v
f32x4.add - vv:v
f32x4.sub - vv:v
f32x4.mul - vv:v
f32x4.div - vv:v
f32x4.min - vv:v
f32x4.max - vv:v
f32x4.pmin - vv:v
f32x4.pmax - vv:v
f64x2.abs - v:v
f64x2.neg - v:v
f64x2.sqrt - v:v
f64x2.add - vv:v
f64x2.sub - vv:v
f64x2.mul - vv:v
f64x2.div - vv:v
f64x2.min - vv:v
f64x2.max - vv:v
f64x2.pmin - vv:v
f64x2.pmax - vv:v
i32x4.trunc_sat_f32x4_s - v:v
i32x4.trunc_sat_f32x4_u - v:v
f32x4.convert_i32x4_s - v:v
f32x4.convert_i32x4_u - v:v
i32x4.trunc_sat_f64x2_s_zero - v:v
i32x4.trunc_sat_f64x2_u_zero - v:v
f64x2.convert_low_i32x4_s - v:v
f64x2.convert_low_i32x4_u - v:v
i8x16.relaxed_swizzle - vv:v
i32x4.relaxed_trunc_f32x4_s - v:v
i32x4.relaxed_trunc_f32x4_u - v:v
i32x4.relaxed_trunc_f64x2_s_zero - v:v
i32x4.relaxed_trunc_f64x2_u_zero - v:v
f32x4.relaxed_madd - vvv:v
f32x4.relaxed_nmadd - vvv:v
f64x2.relaxed_madd - vvv:v
f64x2.relaxed_nmadd - vvv:v
i8x16.relaxed_laneselect - vvv:v
i16x8.relaxed_laneselect - vvv:v
i32x4.relaxed_laneselect - vvv:v
i64x2.relaxed_laneselect - vvv:v
f32x4.relaxed_min - vv:v
f32x4.relaxed_max - vv:v
f64x2.relaxed_min - vv:v
f64x2.relaxed_max - vv:v
i16x8.relaxed_q15mulr_s - vv:v
i16x8.relaxed_dot_i8x16_i7x16_s - vv:v
i32x4.relaxed_dot_i8x16_i7x16_add_s - vvv:v
memory.atomic.notify mem ii:i
memory.atomic.wait32 mem iil:i
memory.atomic.wait64 mem ill:i
atomic.fence zero :
i32.atomic.load mem i:i
i64.atomic.load mem i:l
i32.atomic.load8_u mem i:i
i32.atomic.load16_u mem i:i
i64.atomic.load8_u mem i:l
i64.atomic.load16_u mem i:l
i64.atomic.load32_u mem i:l
i32.atomic.store mem ii:
i64.atomic.store mem il:
i32.atomic.store8 mem ii:
i32.atomic.store16 mem ii:
i64.atomic.store8 mem il:
i64.atomic.store16 mem il:
i64.atomic.store32 mem il:
i32.atomic.rmw.add mem ii:i
i64.atomic.rmw.add mem il:l
i32.atomic.rmw8.add_u mem ii:i
i32.atomic.rmw16.add_u mem ii:i
i64.atomic.rmw8.add_u mem il:l
i64.atomic.rmw16.add_u mem il:l
i64.atomic.rmw32.add_u mem il:l
i32.atomic.rmw.sub mem ii:i
i64.atomic.rmw.sub mem il:l
i32.atomic.rmw8.sub_u mem ii:i
i32.atomic.rmw16.sub_u mem ii:i
i64.atomic.rmw8.sub_u mem il:l
i64.atomic.rmw16.sub_u mem il:l
i64.atomic.rmw32.sub_u mem il:l
i32.atomic.rmw.and mem ii:i
i64.atomic.rmw.and mem il:l
i32.atomic.rmw8.and_u mem ii:i
i32.atomic.rmw16.and_u mem ii:i
i64.atomic.rmw8.and_u mem il:l
i64.atomic.rmw16.and_u mem il:l
i64.atomic.rmw32.and_u mem il:l
i32.atomic.rmw.or mem ii:i
i64.atomic.rmw.or mem il:l
i32.atomic.rmw8.or_u mem ii:i
i32.atomic.rmw16.or_u mem ii:i
i64.atomic.rmw8.or_u mem il:l
i64.atomic.rmw16.or_u mem il:l
i64.atomic.rmw32.or_u mem il:l
i32.atomic.rmw.xor mem ii:i
i64.atomic.rmw.xor mem il:l
i32.atomic.rmw8.xor_u mem ii:i
i32.atomic.rmw16.xor_u mem ii:i
i64.atomic.rmw8.xor_u mem il:l
i64.atomic.rmw16.xor_u mem il:l
i64.atomic.rmw32.xor_u mem il:l
i32.atomic.rmw.xchg mem ii:i
i64.atomic.rmw.xchg mem il:l
i32.atomic.rmw8.xchg_u mem ii:i
i32.atomic.rmw16.xchg_u mem ii:i
i64.atomic.rmw8.xchg_u mem il:l
i64.atomic.rmw16.xchg_u mem il:l
i64.atomic.rmw32.xchg_u mem il:l
i32.atomic.rmw.cmpxchg mem iii:i
i64.atomic.rmw.cmpxchg mem ill:l
i32.atomic.rmw8.cmpxchg_u mem iii:i
i32.atomic.rmw16.cmpxchg_u mem iii:i
i64.atomic.rmw8.cmpxchg_u mem ill:l
i64.atomic.rmw16.cmpxchg_u mem ill:l
i64.atomic.rmw32.cmpxchg_u mem ill:l
`;

let byCode: ReadonlyMap<number, Opcode> | undefined;

/** The table by opcode, created on first use: only text output and tests need it. */
export function opcodeTable(): ReadonlyMap<number, Opcode> {
  byCode ??= parse();
  return byCode;
}

function parse(): ReadonlyMap<number, Opcode> {
  const table = new Map<number, Opcode>();
  for (const line of TABLE.trim().split('\n')) {
    const [name, immediate, types] = line.split(' ') as [string, Immediate, string];
    const code = Wasm[memberName(name) as keyof typeof Wasm];
    const [operands, results] = types.split(':') as [string, string];
    table.set(
      code,
      types === '*' ? { name, code, immediate } : { name, code, immediate, signature: { operands, results } },
    );
  }
  return table;
}

const KEYWORDS = new Set(['if', 'else', 'return']);

/** The member of `Wasm` for an instruction's name. */
export function memberName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name.replaceAll('.', '_');
}
