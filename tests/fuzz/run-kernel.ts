// SPDX-License-Identifier: MIT
//
// Compiles a kernel for tiles of all shapes and runs each, in this thread, against the interpreter of the IR.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLibrary } from '../../ts/backend/software/build/library-file';
import type { KernelBinary } from '../../ts/base/kernel-abi';
import { compile } from '../../ts/compiler/compile';
import type { JitOptions } from '../../ts/jit/compiled';
import { Program } from '../../ts/jit/frontend/program';
import { compileKernel, simplifyBody } from '../../ts/jit/pipeline';
import { runCompiled } from '../helpers/compiled-kernel';
import { bytesPerTexel, CHANNEL, type ImageArgument } from '../helpers/image-argument';
import { type Invocation, type Outcome, runInterpreted } from '../helpers/interpreted-kernel';
import type { Argument } from '../helpers/kernel-arguments';
import { Chance } from './chance';
import { foreignModule, type Producer, producerOf } from './foreign-module';
import { COUNTERS, IMAGE, type RandomKernel, RESULTS } from './kernels/model';
import { OVERLAP } from './kernels/overlaps';
import { invocationWords } from './kernels/words';

/** Lanes and rows. */
export const TILES = [
  [1, 1], [1, 2], [4, 1], [8, 1], [16, 1], [32, 1], [4, 2], [8, 2], [4, 4], [8, 4],
] as const; // biome-ignore format: a table

/** Nested loops that call functions with loops take up to a million. */
const INSTRUCTIONS_PER_ITEM = 5_000_000;

/** Throws the errors of a source that does not compile. */
export class NotCompiled extends Error {}

/** Thrown for a kernel that takes the interpreter too long, so that its results are unknown. */
export class TooLong extends Error {}

/** Whether two of a kernel's arguments have memory in common. */
export type ArgumentMemory = 'overlapping' | 'separate';

/** The arguments with which a kernel runs. */
export function invocationOf(
  { global, local, offset, image, isShifted = false }: RandomKernel,
  memory: ArgumentMemory = 'overlapping',
): Invocation & { args: Argument[] } {
  const items = global[0] * global[1] * global[2];
  const chance = new Chance(7);
  const words = invocationWords(chance);
  const floats = Float32Array.from({ length: 256 }, () =>
    chance.pick([0, -0, 1, 1e10, -1e-3, chance.integer(-50, 50) / 4, chance.random() * 100]),
  );
  const own = () =>
    Uint32Array.from(
      { length: items * OVERLAP.shiftedStride + OVERLAP.words + 1 },
      (_, i) => words[i & 255]!,
    );
  const same = own();
  return {
    global,
    local,
    ...(offset && { offset }),
    args: [
      { buffer: words },
      { buffer: floats },
      { buffer: new BigUint64Array(items * RESULTS.out) },
      { buffer: new Uint32Array(items * RESULTS.slots) },
      { buffer: new Uint8Array(items * RESULTS.bytes) },
      { buffer: new Uint16Array(items * RESULTS.shorts) },
      { buffer: new Float32Array(items * RESULTS.floats) },
      { buffer: new Uint32Array(COUNTERS) },
      { buffer: same },
      memory === 'separate' ? { buffer: own() } : { buffer: same, ...(isShifted && { shifted: 4 }) },
      { local: local[0] * local[1] * local[2] * 4 },
      { value: Uint32Array.of(5) },
      { value: Int32Array.of(-3) },
      ...(image ? imagesOf(image, global).map((each) => ({ image: each })) : []),
    ],
  };
}

/** The image that is read, and the written one with a texel for each work-item. */
function imagesOf(format: ImageArgument['format'], global: RandomKernel['global']): ImageArgument[] {
  const chance = new Chance(11);
  const isFloat = format.type === CHANNEL.FLOAT;
  const texels = new Uint8Array(IMAGE.width * IMAGE.height * bytesPerTexel(format));
  if (isFloat)
    new Float32Array(texels.buffer).forEach((_, i, all) => {
      all[i] = chance.integer(-80, 80) / 4;
    });
  else for (let i = 0; i < texels.length; i++) texels[i] = chance.integer(0, 255);
  const [width, height] = [global[0], global[1] * global[2]];
  return [
    { format, ...IMAGE, texels },
    { format, width, height, texels: new Uint8Array(width * height * bytesPerTexel(format)) },
  ];
}

const libraries = new Map<string, ReturnType<typeof openLibrary>>();

/** One library for all kernels, so that its functions are decoded once. */
function library(dist: string): ReturnType<typeof openLibrary> {
  const known = libraries.get(dist) ?? openLibrary(() => readFileSync(join(dist, 'library.bin')));
  libraries.set(dist, known);
  return known;
}

export interface Difference {
  readonly tile: readonly [number, number];
  readonly what: string;
}

/** How kernels are compiled, besides the tile: by us, or by clang at a level of optimization. */
export type Settings = KernelSettings & Partial<Producer>;
type KernelSettings = Partial<Pick<JitOptions, 'engine' | 'mostRegions'>>;

/**
 * Of three of five seeds, or of all (`cuts`): regions end where more than a few would go on, as few random kernels have as many as the JIT
 * allows. One seed in three has a `size_t` of 64 bits. `clang`: compiled by clang.
 */
export function settingsOf(seed: number, { cuts = false, clang = false } = {}): Settings {
  const mostRegions = new Chance(seed ^ 0xc075).pick([1, 2, 3, ...(cuts ? [] : [undefined, undefined])]);
  const { level, target } = producerOf(seed);
  return { target, ...(clang && { level }), ...(mostRegions !== undefined && { mostRegions }) };
}

/** Three of the tiles; the seeds together use all of them. */
export function tilesOf(seed: number): Difference['tile'][] {
  const chance = new Chance(seed ^ 0x711e5);
  const left = [...TILES];
  return Array.from({ length: 3 }, () => left.splice(chance.integer(0, left.length - 1), 1)[0]!);
}

/**
 * The place where a tile's results differ from the interpreter's; undefined if none do. Code for separate arguments runs with such
 * ones, and other code with arguments that overlap. `dist`: the folder of the library.
 */
export function firstDifference(
  kernel: RandomKernel,
  dist: string,
  tiles: readonly Difference['tile'][] = TILES,
  settings: Settings = {},
): Difference | undefined {
  const { target = 'spir64', level, ...options } = settings;
  const { source } = kernel;
  const { module, log } = compile({ name: 'fuzz.cl', text: source, options: '-w -cl-std=CL3.0', target });
  if (!module) throw new NotCompiled(log);
  const own = new Program(module, library(dist));
  const program = level ? new Program(foreignModule(source, { level, target }), library(dist)) : own;
  const kinds = (['overlapping', 'separate'] as const).map((memory) => {
    const invocation = invocationOf(kernel, memory);
    const expected = interpreted(own.translate('fuzz'), own, invocation);
    if (kernel.expected) expected.buffers[2] = new Uint8Array(kernel.expected.buffer);
    return { memory, invocation, expected, compileFor: compilerOf(program, options, memory) };
  });
  for (const tile of tiles) {
    const compiled = kinds.map(({ compileFor }) => compileFor(tile));
    if (!areShared(compiled))
      return { tile, what: 'code that does not depend on it differs for separate arguments' };
    for (const [i, { memory, invocation, expected }] of kinds.entries()) {
      const actual = runCompiled(compiled[i]!, program.binary, invocation);
      const what = differenceOf(actual.buffers, expected.buffers);
      if (what !== undefined) return { tile, what: `${memory} arguments: ${what}` };
    }
  }
  return undefined;
}

/** Compiles for tiles, each from the beginning, as the device does (jit/index.ts), but with the verifier. */
function compilerOf(program: Program, settings: KernelSettings, memory: ArgumentMemory) {
  const constants = program.image;
  const trace = { check: true };
  const options: Omit<JitOptions, 'lanes' | 'rows'> = {
    engine: { relaxedSimd: false, isX64: true },
    ...settings,
    ...(memory === 'separate' && { separate: true }),
  };
  const translate = () =>
    program.translate('fuzz', {
      simplifyBody: (body, signature) => simplifyBody(body, { signature, constants, fuse: false }, trace),
    });
  return ([lanes, rows]: Difference['tile']): KernelBinary =>
    compileKernel({ translate, constants, options: { ...options, lanes, rows }, trace });
}

/** Whether launches with overlapping and with separate arguments may share the code of either, if it says so. */
function areShared(compiled: readonly KernelBinary[]): boolean {
  if (compiled.every((binary) => binary.dependsOnSeparate)) return true;
  const [a, b] = compiled.map((binary) => binary.module('any').wasm);
  return Buffer.compare(a!, b!) === 0;
}

function differenceOf(actual: readonly Uint8Array[], expected: readonly Uint8Array[]): string | undefined {
  for (const [i, bytes] of actual.entries()) {
    const at = bytes.findIndex((byte, k) => byte !== expected[i]![k]);
    if (at >= 0) return `buffer ${i} at byte ${at}: ${bytes[at]} instead of ${expected[i]![at]}`;
  }
  return undefined;
}

function interpreted(
  { func, signature }: ReturnType<Program['translate']>,
  { binary }: Program,
  invocation: Invocation,
): Outcome {
  try {
    return runInterpreted(func, signature, binary, invocation, INSTRUCTIONS_PER_ITEM);
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not end')) throw new TooLong(error.message);
    throw error;
  }
}
