// SPDX-License-Identifier: MIT
//
// `run` of a module with privatized atomics: the copies are filled with the neutral element, the kernel's own `run` updates them,
// and then atomics reduce them into the real memory.
import type { KernelArgument, KernelSignature, PrivatizedArgument } from '../../../base/kernel-abi';
import { FunctionBuilder, ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { Type } from '../../ir/ir';
import { RUN, RUN_PARAMS } from '../range';
import { VECTOR_BYTES } from '../target';
import { integers } from '../variant';
import { load, readModifyWrite, type Writer } from './atomic-access';

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

/** The driver while it is built. */
interface Driver {
  readonly f: FunctionBuilder;
  /** Locals: the vector of a copy that the loop is at, and the end of the copy. */
  readonly at: number;
  readonly end: number;
}

/** `inner`: index of the kernel's own `run`. */
export function privatizingDriver(
  inner: number,
  privatized: readonly PrivatizedArgument[],
  signature: KernelSignature,
): FunctionBuilder {
  const f = new FunctionBuilder(integers(RUN_PARAMS));
  const driver: Driver = { f, at: f.local(ValType.I32), end: f.local(ValType.I32) };
  for (const argument of privatized) fillCopy(driver, argument);
  for (let p = 0; p < RUN_PARAMS; p++) f.get(p);
  f.call(inner);
  const locals = new Map<ValType, number>();
  for (const argument of privatized) {
    const memory = signature.arguments[argument.argument]!;
    const type = memory.size === 8 ? ValType.I64 : ValType.I32;
    const to = locals.get(type) ?? f.local(type);
    locals.set(type, to);
    mergeCopy(driver, argument, memory, to);
  }
  return f;
}

function fillCopy(driver: Driver, argument: PrivatizedArgument): void {
  const { f, at } = driver;
  eachVector(driver, argument, () => {
    f.get(at);
    pushNeutrals(f, argument);
    f.memory(Wasm.v128_store, 0, 4);
  });
}

/** `to`: a local for the address in the argument's memory. */
function mergeCopy(driver: Driver, argument: PrivatizedArgument, memory: KernelArgument, to: number): void {
  const { f, at } = driver;
  f.get(RUN.dispatch);
  if (memory.size === 8) f.memory(Wasm.i64_load, memory.offset, 3);
  else f.memory(Wasm.i32_load, memory.offset, 2);
  f.set(to);
  eachVector(driver, argument, () => {
    f.get(at);
    f.memory(Wasm.v128_load, 0, 4);
    pushNeutrals(f, argument);
    f.op(Wasm.v128_xor);
    f.op(Wasm.v128_any_true);
    f.if_();
    mergeVector(f, argument, at, to);
    f.end();
    advance(f, to);
  });
}

/** A loop over the vectors of an argument's copy, whose offset and size the dispatch block has. */
function eachVector({ f, at, end }: Driver, { offset }: PrivatizedArgument, body: () => void): void {
  const word = (wordOffset: number) => {
    f.get(RUN.dispatch);
    f.memory(Wasm.i32_load, wordOffset, 2);
  };
  word(offset + 4);
  f.get(RUN.scratch);
  f.op(Wasm.i32_add);
  f.tee(at);
  word(offset);
  f.op(Wasm.i32_add);
  f.set(end);
  const again = f.loop();
  body();
  advance(f, at);
  f.get(at);
  f.get(end);
  f.op(Wasm.i32_lt_u);
  f.brIf(again);
  f.end();
}

/** Moves an address to the next vector. */
function advance(f: FunctionBuilder, address: number): void {
  f.get(address);
  if (f.typeOfLocal(address) === ValType.I64) {
    f.i64(BigInt(VECTOR_BYTES));
    f.op(Wasm.i64_add);
  } else {
    f.i32(VECTOR_BYTES);
    f.op(Wasm.i32_add);
  }
  f.set(address);
}

function pushNeutral(f: FunctionBuilder, { rmw, elementBytes }: PrivatizedArgument): void {
  const neutral = NEUTRAL[rmw](1n << BigInt(elementBytes * 8 - 1));
  if (elementBytes === 8) f.i64(neutral);
  else f.i32(Number(neutral));
}

/** A vector of neutral elements. */
function pushNeutrals(f: FunctionBuilder, argument: PrivatizedArgument): void {
  pushNeutral(f, argument);
  f.op(argument.elementBytes === 8 ? Wasm.i64x2_splat : Wasm.i32x4_splat);
}

/** Merges one vector of a copy into the memory: the elements that are not neutral, by atomics. */
function mergeVector(f: FunctionBuilder, argument: PrivatizedArgument, from: number, to: number): void {
  const { rmw, elementBytes } = argument;
  const type = elementBytes === 8 ? Type.I64 : Type.I32;
  const valType = elementBytes === 8 ? ValType.I64 : ValType.I32;
  const writer: Writer = { f, withLocal: (t, use) => use(f.local(t)) };
  const [value, old] = [f.local(valType), f.local(valType)];
  for (let offset = 0; offset < VECTOR_BYTES; offset += elementBytes) {
    load(writer, type, true, from, offset);
    f.tee(value);
    pushNeutral(f, argument);
    f.op(elementBytes === 8 ? Wasm.i64_ne : Wasm.i32_ne);
    f.if_();
    readModifyWrite(writer, rmw, type, false, to, offset, old, () => f.get(value));
    f.end();
  }
}
