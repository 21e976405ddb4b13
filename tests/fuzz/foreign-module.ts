// SPDX-License-Identifier: MIT
//
// Random kernels as SPIR-V of clang and llvm-spirv. Modules that LLVM has optimized have forms that our compiler does not write, as copies of
// bytes at any place, switches of 64 bits, vectors for arrays and jumps into loops.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyArguments } from '../../ts/spirv/by-value';
import { decode } from '../../ts/spirv/decode';
import { Decoration, Op } from '../../ts/spirv/grammar.gen';
import type { Module } from '../../ts/spirv/module';
import { repair } from '../../ts/spirv/repair';
import { validate } from '../../ts/spirv/validate';

const LEVELS = ['0', '1', '2', '3', 's'] as const;
/** The device's programs have addresses of 32 bits; others may be given to it. */
const TARGETS = ['spir', 'spir', 'spir64'] as const;

/** How clang makes a kernel's module. */
export interface Producer {
  readonly level: (typeof LEVELS)[number];
  readonly target: (typeof TARGETS)[number];
}

/** One for each seed: fifteen seeds in a row have all. */
export const producerOf = (seed: number): Producer => ({
  level: LEVELS[seed % LEVELS.length]!,
  target: TARGETS[seed % TARGETS.length]!,
});

/** Thrown for a kernel that llvm-spirv cannot write. */
export class NotTranslated extends Error {}

/** Extensions that clang's code profits by, of those that the software device knows. */
const EXTENSIONS = [
  'SPV_EXT_shader_atomic_float_add',
  'SPV_KHR_bit_instructions',
  'SPV_KHR_expect_assume',
  'SPV_KHR_no_integer_wrap_decoration',
].map((name) => `+${name}`); // biome-ignore format: a table

/** A source's module as programs of SPIR-V have it. Throws an error if the device would refuse it. */
export function foreignModule(source: string, { level, target }: Producer): Module {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  const [cl, ll, bc, spv] = ['a.cl', 'a.ll', 'a.bc', 'a.spv'].map((name) => join(folder, name)) as [
    string, string, string, string,
  ]; // biome-ignore format: a list
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' });
  const clang = (...args: string[]) => run('clang-15', '-w', '-emit-llvm', '-target', target, ...args);
  const change = (edit: (text: string) => string) => writeFileSync(ll, edit(readFileSync(ll, 'utf8')));
  try {
    writeFileSync(cl, source);
    const header = ['-cl-std=CL3.0', '-Xclang', '-finclude-default-header'];
    clang('-S', `-O${level}`, ...header, ...UNCHANGED, '-o', ll, cl);
    change(withNativeIntegers);
    clang('-S', `-O${level}`, '-x', 'ir', '-o', ll, ll);
    change(withoutFreeze);
    clang('-c', '-O0', '-x', 'ir', '-o', bc, ll);
    run('llvm-spirv-15', bc, `--spirv-ext=${EXTENSIONS.join()}`, '-o', spv);
    return moduleOf(readFileSync(spv));
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    if (stderr === undefined) throw error;
    throw new NotTranslated(`${stderr}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What C leaves undefined and our compiler defines stays, and LLVM's optimizations come later. */
const UNCHANGED = ['-fwrapv', '-ffp-contract=off', '-Xclang', '-disable-llvm-passes'];

/** Of a target without native integers, LLVM makes integers of all widths, which SPIR-V does not have. */
const withNativeIntegers = (text: string) => text.replace(/^(target datalayout = "[^"]*)/m, '$1-n8:16:32:64');

/** llvm-spirv does not know `freeze`, which no kernel depends on. */
const withoutFreeze = (text: string) =>
  text.replace(/= freeze (.+) (\S+)$/gm, '= select i1 true, $1 $2, $1 undef');

function moduleOf(bytes: Uint8Array): Module {
  const module = decode(bytes);
  if (!saturatesConversions(module)) throw new NotTranslated('a conversion has lost its saturation');
  repair(module);
  const wrong = validate(module);
  if (wrong !== undefined) throw new Error(`the module is refused: ${wrong}`);
  return copyArguments(module);
}

/** llvm-spirv decorates another instruction than the conversion where a block before that of the conversion uses it. */
function saturatesConversions({ annotations, functions }: Module): boolean {
  const conversions = new Set<number>();
  for (const { blocks } of functions)
    for (const { instructions } of blocks)
      for (const { op, result } of instructions) if (CONVERSIONS.has(op)) conversions.add(result);
  return annotations.every(
    ({ op, operands }) =>
      op !== Op.Decorate || operands[1] !== Decoration.SaturatedConversion || conversions.has(operands[0]!),
  );
}

const CONVERSIONS: ReadonlySet<Op> = new Set([
  Op.ConvertFToU, Op.ConvertFToS, Op.SConvert, Op.UConvert, Op.SatConvertSToU, Op.SatConvertUToS,
]); // biome-ignore format: a table
