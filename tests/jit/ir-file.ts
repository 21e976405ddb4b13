// SPDX-License-Identifier: MIT
//
// The files of tests/jit/*.ir: kernel IR, what is done to it, and what comes of it.
//
//     ; a comment: what the file shows
//     ; pass: NAME                     or   ; plan: LANES x ROWS
//     ; arguments: restrict buffer, …  unless all are buffers
//     ; addresses: 64                  unless they have 32 bits
//     func k { … }
//     ; ----
//     func k { … }
import type { KernelArgument, KernelSignature } from '../../ts/base/kernel-abi';
import { Analyses } from '../../ts/jit/analyses/analyses';
import { WASM_TARGET } from '../../ts/jit/emit/target';
import type { Func } from '../../ts/jit/ir/ir';
import { Op } from '../../ts/jit/ir/ir';
import { parse } from '../../ts/jit/ir/parse';
import { print } from '../../ts/jit/ir/print';
import { verify } from '../../ts/jit/ir/verify';
import { type Pass, runPasses } from '../../ts/jit/pass';
import {
  CLAMP_PASSES,
  ONE_LANE_PASSES,
  PREPARE_PASSES,
  RANGE_PASSES,
  SCALAR_PASSES,
  SEVERAL_LANES_PASSES,
  VECTOR_PASSES,
} from '../../ts/jit/pass-lists';
import type { ConstantMemory } from '../../ts/jit/passes/simplify';
import { planKernel } from '../../ts/jit/vectorize/kernel-plan';
import { VectorPlan } from '../../ts/jit/vectorize/plan';
import { printPlan } from '../../ts/jit/vectorize/print-plan';

const SEPARATOR = '; ----\n';

export interface IrFile {
  /** Comments, directives and the given IR. */
  readonly input: string;
  readonly expected: string;
}

export function readIrFile(text: string): IrFile {
  const at = text.indexOf(SEPARATOR);
  return at < 0
    ? { input: text, expected: '' }
    : { input: text.slice(0, at), expected: text.slice(at + SEPARATOR.length) };
}

export const writeIrFile = ({ input, expected }: IrFile): string => `${input}${SEPARATOR}${expected}`;

/** Every pass of the pipeline, by name. */
export const PASSES: ReadonlyMap<string, Pass> = collectPasses([
  ...CLAMP_PASSES,
  // Some have the names of passes below, which files show.
  ...SEVERAL_LANES_PASSES,
  ...SCALAR_PASSES,
  ...RANGE_PASSES,
  ...PREPARE_PASSES,
  ...VECTOR_PASSES,
  ...ONE_LANE_PASSES,
]);

function collectPasses(list: readonly Pass[], into = new Map<string, Pass>()): Map<string, Pass> {
  for (const pass of list) {
    into.set(pass.name, pass);
    collectPasses(pass.followedBy ?? [], into);
  }
  return into;
}

export function directive(input: string, name: string): string | undefined {
  return new RegExp(`^; ${name}: (.*)$`, 'm').exec(input)?.[1]?.trim();
}

/** Runs the directives of a file. */
export function runIrFile(input: string): string {
  const func = parse(input).at(-1)!;
  if (directive(input, 'addresses') === '64') func.addressBits = 64;
  verify(func, 'parsing');
  const signature = signatureOf(func, directive(input, 'arguments'));
  const name = directive(input, 'pass');
  if (name !== undefined) return afterPass(func, name, signature, input);
  const [lanes, rows] = directive(input, 'plan')!.split(' x ').map(Number) as [number, number];
  const kernel = planKernel(new Analyses(func), {
    signature,
    engine: { relaxedSimd: false },
    callees: new Map(),
    soleWritesAt: signature.dispatchBytes,
  });
  return printPlan(new VectorPlan(kernel, lanes, rows, WASM_TARGET));
}

function afterPass(func: Func, name: string, signature: KernelSignature, input: string): string {
  const pass = PASSES.get(name);
  if (!pass) throw new Error(`there is no pass '${name}'`);
  const { followedBy: _, when: __, ...alone } = pass;
  const constants = constantsOf(directive(input, 'constants'));
  const context = { signature, fuse: true, fusedMultiplyAdd: true, ...(constants && { constants }) };
  runPasses([alone], new Analyses(func), context, { check: true });
  return print(func);
}

/** Constant memory with bytes that are given as hexadecimal digits. */
function constantsOf(digits: string | undefined): ConstantMemory | undefined {
  if (digits === undefined) return undefined;
  const bytes = Uint8Array.from(digits.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  return { constantBytes: (offset, size) => new DataView(bytes.buffer, offset, size) };
}

function signatureOf(func: Func, list: string | undefined): KernelSignature {
  const indices = func.entry.insts.filter((i) => i.op === Op.Argument).map((i) => i.facts.index!);
  const kinds = list?.split(', ') ?? Array.from({ length: Math.max(-1, ...indices) + 1 }, () => 'buffer');
  return {
    name: func.name,
    arguments: kinds.map(argumentOf),
    dispatchBytes: 128 + 4 * kinds.length,
    attributes: [],
    staticLocalBytes: 0,
    privateBytes: 0,
  };
}

function argumentOf(words: string, index: number): KernelArgument {
  const [kind, ...qualifiers] = words.split(' ').reverse() as [KernelArgument['kind'], ...'restrict'[]];
  return {
    kind,
    offset: 128 + 4 * index,
    size: 4,
    align: 4,
    name: `a${index}`,
    typeName: '',
    addressSpace: kind === 'value' ? 'private' : 'global',
    access: 'none',
    typeQualifiers: qualifiers,
  };
}
