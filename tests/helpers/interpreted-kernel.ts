// SPDX-License-Identifier: MIT
//
// Runs a kernel's IR in the interpreter with buffers and values as arguments: for tests of the JIT's front end and passes.
import type { KernelSignature, PrintfFormat, ProgramBinary } from '../../ts/base/kernel-abi';
import { interpret } from '../../ts/jit/ir/interpret';
import type { Func } from '../../ts/jit/ir/ir';
import { type Argument, placeArguments, placeProgram } from './kernel-arguments';

export interface Invocation {
  readonly args: readonly Argument[];
  readonly global: readonly [number, number?, number?];
  readonly local?: readonly [number, number?, number?];
  readonly offset?: readonly [number, number, number];
}

export interface Outcome {
  /** The buffers' and images' bytes after the run, in the arguments' order. */
  readonly buffers: Uint8Array[];
  readonly printed: { format: PrintfFormat; values: (number | bigint)[] }[];
}

export function runInterpreted(
  func: Func,
  signature: KernelSignature,
  binary: ProgramBinary,
  invocation: Invocation,
  /** Instructions per work-item after which the run fails. */
  limit?: number,
): Outcome {
  const memory = new DataView(new ArrayBuffer(1 << 24));
  const bytes = new Uint8Array(memory.buffer);
  const dispatch = new DataView(new ArrayBuffer(signature.dispatchBytes));
  const programBase = 8192;
  placeProgram(binary, memory.buffer, programBase);
  let next = programBase + Math.ceil(binary.globals.size / 64) * 64;
  const allocate = (size: number, align = 64) => {
    const at = Math.ceil(next / align) * align;
    next = at + Math.ceil((size + 64) / 64) * 64;
    return at;
  };
  const { places, localBytes } = placeArguments(invocation.args, signature, memory.buffer, dispatch, {
    allocate,
    localBytes: signature.staticLocalBytes,
  });
  const localBase = allocate(localBytes, 4096);
  const triple = (v: readonly [number, number?, number?]) => [v[0], v[1] ?? 1, v[2] ?? 1] as const;
  const printed: Outcome['printed'] = [];
  interpret(func, {
    memory,
    dispatch,
    signature,
    globalSize: triple(invocation.global),
    localSize: triple(invocation.local ?? [1]),
    globalOffset: invocation.offset ?? [0, 0, 0],
    programBase,
    localBase,
    privateBase: next,
    ...(limit === undefined ? {} : { limit }),
    printed: (format, values) => printed.push({ format, values: [...values] }),
  });
  return { buffers: places.map(({ at, size }) => bytes.slice(at, at + size)), printed };
}
