// SPDX-License-Identifier: MIT
//
// Runs a compiled kernel in this thread: for tests of the JIT's back end, with the same invocations as the interpreter's.

import { areOwn } from '../../ts/backend/software/launch/sole-writer';
import {
  type AtomicsKind,
  DISPATCH,
  endOfWords,
  FIRST_ADDRESS,
  interchanged,
  type KernelBinary,
  LOCAL_MEMORY_ALIGN,
  type ModuleKind,
  moduleKind,
  NOT_SOLE,
  type ProgramBinary,
  type SoleWrite,
} from '../../ts/base/kernel-abi';
import type { Invocation } from './interpreted-kernel';
import { placeArguments, placeProgram } from './kernel-arguments';

const GUARD = 0xa5;
/** What memory of work-groups contains that earlier launches have used. */
const LEFT_OVER = 0xc3;

export interface CompiledRun {
  readonly buffers: Uint8Array[];
  /** The printf ring's records. */
  readonly printed: Uint8Array;
}

/**
 * Runs the module for any ND-range, and those that the device may use instead: all must give the same results. Throws if they do
 * not, or if the kernel wrote outside of its buffers.
 */
export function runCompiled(kernel: KernelBinary, program: ProgramBinary, launched: Invocation): CompiledRun {
  const invocation = kernel.interchanged ? interchangedInvocation(launched) : launched;
  const result = runModule(kernel, 'any', 'shared', program, invocation);
  const others = otherModules(kernel, invocation);
  // The first run writes nothing back.
  if (kernel.soleWrites) others.push(['any', 'shared']);
  for (const [otherKind, atomics] of others) {
    const other = runModule(kernel, otherKind, atomics, program, invocation, true);
    const same = other.buffers.every((bytes, i) => Buffer.compare(bytes, result.buffers[i]!) === 0);
    if (!same || Buffer.compare(other.printed, result.printed) !== 0)
      throw new Error(`the module for ${otherKind}, atomics ${atomics}, gives another result`);
  }
  return result;
}

function interchangedInvocation({
  global,
  local = [1],
  offset = [0, 0, 0],
  ...others
}: Invocation): Invocation {
  const three = ([x, y = 1, z = 1]: Invocation['global']) => interchanged([x, y, z] as const);
  return { ...others, global: three(global), local: three(local), offset: interchanged(offset) };
}

function otherModules(
  kernel: KernelBinary,
  { global, local = [1] }: Invocation,
): [ModuleKind, AtomicsKind][] {
  const kind = moduleKind(kernel, [global[0], global[1] ?? 1], [local[0], local[1] ?? 1]);
  const others: [ModuleKind, AtomicsKind][] = kind === 'any' ? [] : [[kind, 'shared']];
  if (kernel.privatized.length > 0) others.push([kind, 'privatized']);
  return others;
}

interface CompiledModule {
  readonly module: WebAssembly.Module;
  readonly scratch: ReturnType<KernelBinary['module']>['scratch'];
}

/** Modules of kernels that run several times. */
const modules = new WeakMap<KernelBinary, Map<string, CompiledModule>>();

function moduleOf(kernel: KernelBinary, kind: ModuleKind, atomics: AtomicsKind): CompiledModule {
  const known = modules.get(kernel) ?? new Map<string, CompiledModule>();
  modules.set(kernel, known);
  const key = `${kind} ${atomics}`;
  let compiled = known.get(key);
  if (!compiled) {
    const { wasm, scratch } = kernel.module(kind, atomics);
    compiled = { module: new WebAssembly.Module(wasm), scratch };
    known.set(key, compiled);
  }
  return compiled;
}

function runModule(
  kernel: KernelBinary,
  kind: ModuleKind,
  atomics: AtomicsKind,
  program: ProgramBinary,
  invocation: Invocation,
  writesBack = false,
): CompiledRun {
  const { module, scratch: needs } = moduleOf(kernel, kind, atomics);
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 65536, shared: true });
  const view = new DataView(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);
  const { signature } = kernel;
  let next = FIRST_ADDRESS;
  const allocate = (size: number, align = 64) => {
    const at = Math.ceil(next / align) * align;
    bytes.fill(GUARD, at + size, at + size + 64);
    next = at + Math.ceil((size + 128) / 64) * 64;
    return at;
  };
  const triple = (v: readonly [number, number?, number?]) => [v[0], v[1] ?? 1, v[2] ?? 1] as const;
  const global = triple(invocation.global);
  const local = triple(invocation.local ?? [1]);
  const { privatized, soleWrites = [] } = kernel;
  const dispatch = allocate(endOfWords(signature.dispatchBytes, [...privatized, ...soleWrites]));
  const programBase = allocate(program.globals.size, Math.max(program.globalsAlign, 64));
  placeProgram(program, memory.buffer, programBase);
  const printf = allocate(65536);
  view.setUint32(printf + 4, 60000, true);
  const block = new DataView(memory.buffer, dispatch, signature.dispatchBytes);
  const { places, localBytes } = placeArguments(invocation.args, signature, memory.buffer, block, {
    allocate,
    localBytes: kernel.localBytes,
  });
  const groups = global.map((n, d) => Math.ceil(n / local[d]!));
  const word: SetWord = (offset, value) => view.setUint32(dispatch + offset, value, true);
  writeRange(word, invocation, { global, local, groups });
  word(DISPATCH.programBase, programBase);
  word(DISPATCH.printfBuffer, printf);
  for (const sole of soleWrites) {
    const own = writesBack ? soleBytes(sole, invocation) : undefined;
    const start = block.getUint32(signature.arguments[sole.argument]!.offset, true);
    word(sole.offset, own === undefined ? NOT_SOLE.start : start);
    word(sole.offset + 4, own === undefined ? NOT_SOLE.end : start + own);
  }
  const localBase = allocate(localBytes, LOCAL_MEMORY_ALIGN);
  bytes.fill(LEFT_OVER, localBase, localBase + localBytes);
  const items = local[0] * local[1] * local[2];
  let scratchBytes = Math.ceil((needs.fixed + needs.perWorkItem * items) / 64) * 64;
  if (atomics === 'privatized')
    for (const { argument, offset } of kernel.privatized) {
      const arg = invocation.args[argument]!;
      const copied = Math.ceil(('buffer' in arg ? arg.buffer.byteLength : 0) / 64) * 64;
      word(offset, copied);
      word(offset + 4, scratchBytes);
      scratchBytes += copied;
    }
  const scratch = allocate(scratchBytes);
  bytes.fill(LEFT_OVER, scratch, scratch + scratchBytes);
  word(DISPATCH.scratchBytes, scratchBytes);
  const scratchEnd = next;
  bytes.fill(GUARD, scratchEnd, scratchEnd + 4096);
  const instance = new WebAssembly.Instance(module, {
    env: { memory, clock: () => process.hrtime.bigint() },
  });
  const run = instance.exports.run as (...args: number[]) => void;
  runGroups(groups, (first, count) => run(dispatch, ...first, count, localBase, scratch));
  for (const { at, size } of places)
    for (let i = 0; i < 64; i++)
      if (bytes[at + size + i] !== GUARD) throw new Error(`written ${i} bytes after a buffer`);
  for (let i = 0; i < 4096; i++)
    if (bytes[scratchEnd + i] !== GUARD) throw new Error(`written ${i} bytes after the scratch memory`);
  const used = view.getUint32(printf, true);
  return {
    buffers: places.map(({ at, size }) => bytes.slice(at, at + size)),
    printed: bytes.slice(printf + 8, printf + 8 + used),
  };
}

/** How many bytes an argument's own memory has; undefined if it is not its own, or if work-items have no elements of their own. */
function soleBytes(sole: SoleWrite, { args, global, offset = [0, 0, 0] }: Invocation): number | undefined {
  const given = args[sole.argument]!;
  if (!('buffer' in given)) return undefined;
  const { buffer, shifted = 0 } = given;
  const numberOf = (index: number) => {
    const arg = args[index]!;
    return 'value' in arg
      ? new DataView(arg.value.buffer, arg.value.byteOffset).getInt32(0, true)
      : undefined;
  };
  const isShared = args.filter((arg) => 'buffer' in arg && arg.buffer === buffer).length > 1;
  const range = { global: global.map((n) => n ?? 1), offset };
  return isShared || !areOwn(sole, range, numberOf) ? undefined : buffer.byteLength - shifted;
}

type Sizes = readonly [number, number, number];
type SetWord = (offset: number, value: number) => void;

/** Writes the sizes of the ND-range into the dispatch block. */
function writeRange(
  word: SetWord,
  { global: { length }, offset }: Invocation,
  { global, local, groups }: Readonly<Record<'global' | 'local' | 'groups', readonly number[]>>,
): void {
  word(DISPATCH.workDim, length);
  for (let d = 0; d < 3; d++) {
    word(DISPATCH.globalSize + d * 4, global[d]!);
    word(DISPATCH.globalOffset + d * 4, offset?.[d] ?? 0);
    word(DISPATCH.localSize + d * 4, local[d]!);
    word(DISPATCH.numGroups + d * 4, groups[d]!);
  }
}

/** Runs all groups in two calls, because workers share the groups. */
function runGroups(groups: readonly number[], run: (first: Sizes, count: number) => void): void {
  const [x, y] = groups as [number, number];
  const total = groups.reduce((a, b) => a * b, 1);
  const half = total >> 1;
  const from = (at: number, count: number) =>
    run([at % x, Math.floor(at / x) % y, Math.floor(at / x / y)], count);
  if (half > 0) from(0, half);
  from(half, total - half);
}
