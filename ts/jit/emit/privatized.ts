// SPDX-License-Identifier: MIT
//
// `run` of a module with privatized atomics: the copies are filled with the neutral element, the kernel's own `run` updates them,
// and then atomics reduce them into the real memory.
import type { KernelArgument, KernelSignature, PrivatizedArgument } from '../../base/kernel-abi';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Type } from '../ir/ir';
import { load, readModifyWrite, type Writer } from './atomic-access';
import { RUN, RUN_PARAMS } from './range';
import { integers } from './variant';

const VECTOR = 16;

/** The neutral element of each operation; `sign` is the highest bit of the type. */
const NEUTRAL: Record<PrivatizedArgument['rmw'], (sign: bigint) => bigint> = {
  add: () => 0n,
  or: () => 0n,
  xor: () => 0n,
  umax: () => 0n,
  and: () => -1n,
  umin: () => -1n,
  smin: (sign) => sign - 1n,
  smax: (sign) => -sign,
};

/** `inner`: index of the kernel's own `run`. */
export function privatizingDriver(
  inner: number,
  privatized: readonly PrivatizedArgument[],
  signature: KernelSignature,
): FunctionBuilder {
  const f = new FunctionBuilder(integers(RUN_PARAMS));
  const [at, end] = [f.local(ValType.I32), f.local(ValType.I32)];
  const locals = new Map<ValType, number>();
  /** A local for an address of the argument's memory. */
  const localFor = ({ size }: KernelArgument) => {
    const type = size === 8 ? ValType.I64 : ValType.I32;
    const local = locals.get(type) ?? f.local(type);
    locals.set(type, local);
    return local;
  };
  const word = (offset: number) => {
    f.get(RUN.dispatch);
    f.memory(Wasm.i32_load, offset, 2);
  };
  const step = (local: number) => {
    f.get(local);
    if (f.typeOfLocal(local) === ValType.I64) {
      f.i64(BigInt(VECTOR));
      f.op(Wasm.i64_add);
    } else {
      f.i32(VECTOR);
      f.op(Wasm.i32_add);
    }
    f.set(local);
  };
  const eachVector = (argument: PrivatizedArgument, body: () => void) => {
    word(argument.offset + 4);
    f.get(RUN.scratch);
    f.op(Wasm.i32_add);
    f.tee(at);
    word(argument.offset);
    f.op(Wasm.i32_add);
    f.set(end);
    const again = f.loop();
    body();
    step(at);
    f.get(at);
    f.get(end);
    f.op(Wasm.i32_lt_u);
    f.brIf(again);
    f.end();
  };
  const pushNeutral = ({ rmw, elementBytes }: PrivatizedArgument) => {
    const neutral = NEUTRAL[rmw](1n << BigInt(elementBytes * 8 - 1));
    if (elementBytes === 8) f.i64(neutral);
    else f.i32(Number(neutral));
  };
  const pushNeutrals = (argument: PrivatizedArgument) => {
    pushNeutral(argument);
    f.op(argument.elementBytes === 8 ? Wasm.i64x2_splat : Wasm.i32x4_splat);
  };
  for (const argument of privatized)
    eachVector(argument, () => {
      f.get(at);
      pushNeutrals(argument);
      f.memory(Wasm.v128_store, 0, 4);
    });
  for (let p = 0; p < RUN_PARAMS; p++) f.get(p);
  f.call(inner);
  for (const argument of privatized) {
    const memory = signature.arguments[argument.argument]!;
    const to = localFor(memory);
    f.get(RUN.dispatch);
    if (memory.size === 8) f.memory(Wasm.i64_load, memory.offset, 3);
    else f.memory(Wasm.i32_load, memory.offset, 2);
    f.set(to);
    eachVector(argument, () => {
      f.get(at);
      f.memory(Wasm.v128_load, 0, 4);
      pushNeutrals(argument);
      f.op(Wasm.v128_xor);
      f.op(Wasm.v128_any_true);
      f.if_();
      mergeVector(f, argument, at, to, () => pushNeutral(argument));
      f.end();
      step(to);
    });
  }
  return f;
}

/** Merges one vector of a copy into the memory: the elements that are not neutral, by atomics. */
function mergeVector(
  f: FunctionBuilder,
  { rmw, elementBytes }: PrivatizedArgument,
  from: number,
  to: number,
  pushNeutral: () => void,
): void {
  const type = elementBytes === 8 ? Type.I64 : Type.I32;
  const valType = elementBytes === 8 ? ValType.I64 : ValType.I32;
  const writer: Writer = { f, withLocal: (t, use) => use(f.local(t)) };
  const [value, old] = [f.local(valType), f.local(valType)];
  for (let offset = 0; offset < VECTOR; offset += elementBytes) {
    load(writer, type, true, from, offset);
    f.tee(value);
    pushNeutral();
    f.op(elementBytes === 8 ? Wasm.i64_ne : Wasm.i32_ne);
    f.if_();
    readModifyWrite(writer, rmw, type, false, to, offset, old, () => f.get(value));
    f.end();
  }
}
