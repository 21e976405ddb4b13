// SPDX-License-Identifier: MIT
//
// The atomic operations on one address: as WebAssembly's atomic instructions, or as plain loads and stores where the
// memory belongs to the worker (`own`).
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Rmw, Type } from '../../ir/ir';
import { JitError } from '../../jit-error';
import type { Context } from '../context';
import { scalarLoadOf, scalarStoreOf } from '../memory/addresses';
import { valTypeOf } from '../value-types';

/** The state for emitting atomics, in a kernel's function or another one. */
export type Writer = Pick<Context, 'f' | 'withLocal'>;

type Width = 8 | 16 | 32 | 64;

function widthOf(type: Type): Width {
  switch (type) {
    case Type.I8:
      return 8;
    case Type.I16:
    case Type.F16:
      return 16;
    case Type.I64:
    case Type.F64:
      return 64;
    default:
      return 32;
  }
}

const LOAD: Record<Width, Wasm> = {
  8: Wasm.i32_atomic_load8_u,
  16: Wasm.i32_atomic_load16_u,
  32: Wasm.i32_atomic_load,
  64: Wasm.i64_atomic_load,
};
const STORE: Record<Width, Wasm> = {
  8: Wasm.i32_atomic_store8,
  16: Wasm.i32_atomic_store16,
  32: Wasm.i32_atomic_store,
  64: Wasm.i64_atomic_store,
};
const EXCHANGE_IF: Record<Width, Wasm> = {
  8: Wasm.i32_atomic_rmw8_cmpxchg_u,
  16: Wasm.i32_atomic_rmw16_cmpxchg_u,
  32: Wasm.i32_atomic_rmw_cmpxchg,
  64: Wasm.i64_atomic_rmw_cmpxchg,
};
/** Read-modify-write operations that are one instruction. */
const DIRECT: Partial<Record<Rmw, Record<Width, Wasm>>> = {
  add: {
    8: Wasm.i32_atomic_rmw8_add_u,
    16: Wasm.i32_atomic_rmw16_add_u,
    32: Wasm.i32_atomic_rmw_add,
    64: Wasm.i64_atomic_rmw_add,
  },
  sub: {
    8: Wasm.i32_atomic_rmw8_sub_u,
    16: Wasm.i32_atomic_rmw16_sub_u,
    32: Wasm.i32_atomic_rmw_sub,
    64: Wasm.i64_atomic_rmw_sub,
  },
  and: {
    8: Wasm.i32_atomic_rmw8_and_u,
    16: Wasm.i32_atomic_rmw16_and_u,
    32: Wasm.i32_atomic_rmw_and,
    64: Wasm.i64_atomic_rmw_and,
  },
  or: {
    8: Wasm.i32_atomic_rmw8_or_u,
    16: Wasm.i32_atomic_rmw16_or_u,
    32: Wasm.i32_atomic_rmw_or,
    64: Wasm.i64_atomic_rmw_or,
  },
  xor: {
    8: Wasm.i32_atomic_rmw8_xor_u,
    16: Wasm.i32_atomic_rmw16_xor_u,
    32: Wasm.i32_atomic_rmw_xor,
    64: Wasm.i64_atomic_rmw_xor,
  },
  xchg: {
    8: Wasm.i32_atomic_rmw8_xchg_u,
    16: Wasm.i32_atomic_rmw16_xchg_u,
    32: Wasm.i32_atomic_rmw_xchg,
    64: Wasm.i64_atomic_rmw_xchg,
  },
};

function isFloat(type: Type): boolean {
  return type === Type.F32 || type === Type.F64;
}

function toBits(c: Writer, type: Type): void {
  if (isFloat(type)) c.f.op(type === Type.F32 ? Wasm.i32_reinterpret_f32 : Wasm.i64_reinterpret_f64);
}

function fromBits(c: Writer, type: Type): void {
  if (isFloat(type)) c.f.op(type === Type.F32 ? Wasm.f32_reinterpret_i32 : Wasm.f64_reinterpret_i64);
}

function alignLog2(width: Width): number {
  return Math.log2(width / 8);
}

export function load(c: Writer, type: Type, own: boolean, address: number, offset: number): void {
  const { f } = c;
  f.get(address);
  if (own) {
    f.memory(scalarLoadOf(type), offset);
    return;
  }
  const width = widthOf(type);
  f.memory(LOAD[width], offset, alignLog2(width));
  fromBits(c, type);
}

export function store(
  c: Writer,
  type: Type,
  own: boolean,
  address: number,
  offset: number,
  push: () => void,
): void {
  const { f } = c;
  f.get(address);
  push();
  if (own) {
    f.memory(scalarStoreOf(type), offset);
    return;
  }
  toBits(c, type);
  const width = widthOf(type);
  f.memory(STORE[width], offset, alignLog2(width));
}

export function compareExchange(
  c: Writer,
  type: Type,
  own: boolean,
  address: number,
  offset: number,
  old: number,
  push: (index: number) => void,
): void {
  const { f } = c;
  const width = widthOf(type);
  if (own) {
    load(c, type, true, address, offset);
    f.set(old);
    f.get(old);
    push(1);
    f.op(width === 64 ? Wasm.i64_eq : Wasm.i32_eq);
    f.if_();
    store(c, type, true, address, offset, () => push(2));
    f.end();
    return;
  }
  f.get(address);
  push(1);
  push(2);
  f.memory(EXCHANGE_IF[width], offset, alignLog2(width));
  f.set(old);
}

export function readModifyWrite(
  c: Writer,
  rmw: Rmw,
  type: Type,
  own: boolean,
  address: number,
  offset: number,
  old: number,
  push: () => void,
): void {
  const { f } = c;
  const width = widthOf(type);
  const direct = DIRECT[rmw]?.[width];
  if (!own && direct !== undefined) {
    f.get(address);
    push();
    toBits(c, type);
    f.memory(direct, offset, alignLog2(width));
    fromBits(c, type);
    f.set(old);
    return;
  }
  if (own) {
    load(c, type, true, address, offset);
    f.set(old);
    store(c, type, true, address, offset, () => combine(c, rmw, type, old, push));
    return;
  }
  changeAtOnce(c, type, address, offset, old, () => combine(c, rmw, type, old, push));
}

/**
 * A compare-and-exchange loop: `push` computes the new value from that in the local `old`, and is repeated where another worker has
 * changed the memory meanwhile.
 */
export function changeAtOnce(
  c: Writer,
  type: Type,
  address: number,
  offset: number,
  old: number,
  push: () => void,
): void {
  const { f } = c;
  const width = widthOf(type);
  const bits = width === 64 ? ValType.I64 : ValType.I32;
  c.withLocal(bits, (expected) =>
    c.withLocal(bits, (found) => {
      load(c, type, false, address, offset);
      toBits(c, type);
      f.set(found);
      const again = f.loop();
      f.get(found);
      f.tee(expected);
      fromBits(c, type);
      f.set(old);
      f.get(address);
      f.get(expected);
      push();
      toBits(c, type);
      f.memory(EXCHANGE_IF[width], offset, alignLog2(width));
      f.tee(found);
      f.get(expected);
      f.op(width === 64 ? Wasm.i64_ne : Wasm.i32_ne);
      f.brIf(again);
      f.end();
    }),
  );
}

const COMBINE: Partial<Record<Rmw, readonly [Wasm, Wasm]>> = {
  add: [Wasm.i32_add, Wasm.i64_add],
  sub: [Wasm.i32_sub, Wasm.i64_sub],
  and: [Wasm.i32_and, Wasm.i64_and],
  or: [Wasm.i32_or, Wasm.i64_or],
  xor: [Wasm.i32_xor, Wasm.i64_xor],
  fadd: [Wasm.f32_add, Wasm.f64_add],
};

/** For operations by comparison: the old value remains if this holds for (old, value). */
const KEEP: Partial<Record<Rmw, readonly [Wasm, Wasm]>> = {
  smin: [Wasm.i32_le_s, Wasm.i64_le_s],
  smax: [Wasm.i32_ge_s, Wasm.i64_ge_s],
  umin: [Wasm.i32_le_u, Wasm.i64_le_u],
  umax: [Wasm.i32_ge_u, Wasm.i64_ge_u],
  fmin: [Wasm.f32_le, Wasm.f64_le],
  fmax: [Wasm.f32_ge, Wasm.f64_ge],
};

/** Pushes the result of an operation on the value in a local and the one that `push` pushes. */
export function combine(c: Writer, rmw: Rmw, type: Type, old: number, push: () => void): void {
  const { f } = c;
  const wide = widthOf(type) === 64 ? 1 : 0;
  if (rmw === 'xchg') {
    push();
    return;
  }
  const simple = COMBINE[rmw];
  if (simple) {
    f.get(old);
    push();
    f.op(simple[wide]);
    return;
  }
  const keep = KEEP[rmw];
  if (!keep) throw new JitError(`the atomic operation ${rmw} is not supported`);
  const narrow = type === Type.I8 ? Wasm.i32_extend8_s : type === Type.I16 ? Wasm.i32_extend16_s : undefined;
  c.withLocal(valTypeOf(type), (value) => {
    push();
    f.set(value);
    f.get(old);
    f.get(value);
    f.get(old);
    if (narrow !== undefined && (rmw === 'smin' || rmw === 'smax')) f.op(narrow);
    f.get(value);
    f.op(keep[wide]);
    if (rmw === 'fmin' || rmw === 'fmax') {
      // Of a NaN and a number, the number is the result.
      f.get(value);
      f.get(value);
      f.op(wide ? Wasm.f64_ne : Wasm.f32_ne);
      f.op(Wasm.i32_or);
    }
    f.op(Wasm.select);
  });
}
