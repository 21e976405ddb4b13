// SPDX-License-Identifier: MIT
//
// Compares overload resolution with clang's on random calls: names from the declaration table, arguments of an overload's
// types with some exchanged for others. Reports calls that one accepts and the other refuses, for another reason, or
// with another result type.
//
//   node scripts/compare/overloads.mjs [--clang clang-15] [--std CL1.2] [--calls 5000] [--seed 1]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSources } from '../import-sources.mjs';

const VERSIONS = { 'CL1.2': 120, 'CL2.0': 200, 'CL3.0': 300 };
const { values: options } = parseArgs({
  options: {
    clang: { type: 'string', default: 'clang-15' },
    std: { type: 'string', default: 'CL1.2' },
    calls: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
  },
});
const flags = ['-x', 'cl', '-target', 'spir', `-cl-std=${options.std}`];

/** The extensions and features that clang claims: both resolve under the same. */
function clangFeatures() {
  const folder = execFileSync(options.clang, ['-print-resource-dir'], { encoding: 'utf8' }).trim();
  const header = join(folder, 'include', 'opencl-c.h');
  const macros = execFileSync(options.clang, ['-E', '-dM', ...flags, '-include', header, '/dev/null'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return new Set([...macros.matchAll(/^#define ((?:cl_|__opencl_c_)\w+)/gm)].map((match) => match[1]));
}

/** A generator of numbers below n, the same for the same seed. */
function random(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const { resolve, spell, prototypeOf, overloadsOf, builtinNames, types } = await importSources(
  'ts/compiler/frontend',
  `export { resolve, spell, prototypeOf } from './builtins/index';
  export { overloadsOf, builtinNames } from './builtins/table';
  export * as types from './types';`,
);
const below = random(Number(options.seed));
const language = { version: VERSIONS[options.std], addressBits: 32, features: clangFeatures() };
const SCALARS = 'char uchar short ushort int uint long ulong float double half bool'.split(' ');
const SPACES = ['private', 'local', 'global', 'constant'];

function randomType(withPointers) {
  const choice = below(withPointers ? 20 : 14);
  if (choice < 9) return types.scalarOf(SCALARS[below(12)]);
  if (choice < 14) return types.vectorOf(SCALARS[below(11)], [2, 3, 4, 8, 16][below(5)]);
  const space = SPACES[below(4)];
  const isConst = space === 'constant' || below(4) === 0;
  const pointee = {
    type: randomType(false),
    const: isConst,
    volatile: below(6) === 0,
    restrict: false,
    space,
  };
  return types.pointerTo(pointee, space);
}

/** `undefined` stands for the literal 1. */
function randomArguments(parameters) {
  const args = parameters.map((type) => {
    const isGeneric = type.kind === 'pointer' && type.space === 'generic';
    const named = isGeneric ? types.pointerTo({ ...type.pointee, space: 'global' }, 'global') : type;
    const plain = ['scalar', 'vector', 'pointer'].includes(type.kind);
    return plain && below(10) < 3 ? randomType(true) : named;
  });
  if (below(25) === 0) args.pop();
  if (below(12) === 0 && args.length > 0) args[below(args.length)] = undefined;
  return args;
}

// Only functions of clang's header: no conversions under other names, no functions of vendors or of later extensions.
const names = builtinNames().filter(
  (name) =>
    !/^(?:intel_|amd_|arm_|__builtin_|clock_|atomic_init|printf|bit)|packed|2D2D|3D3D|_fence$/.test(name),
);
for (const type of ['int', 'float4', 'uchar4', 'short', 'double2', 'half', 'ulong8'])
  names.push(`convert_${type}`, `convert_${type}_rte`);

const calls = [];
while (calls.length < Number(options.calls)) {
  const name = names[below(names.length)];
  const overloads = overloadsOf(name, 32);
  const args = randomArguments(overloads[below(overloads.length)].builtin.parameters);
  const described = args.map((type) =>
    type === undefined
      ? { type: types.scalarOf('int'), isNull: false, isIntegerConstant: true }
      : { type, isNull: false, isIntegerConstant: false },
  );
  calls.push({ name, args, resolution: resolve(name, described, language) });
}

const source = calls.map(({ name, args, resolution }, i) => {
  const parameters = args.flatMap((type, k) => (type === undefined ? [] : [`${spell(type)} a${k}`]));
  const call = `${name}(${args.map((type, k) => (type === undefined ? '1' : `a${k}`)).join(', ')})`;
  const result = resolution.ok ? spell(resolution.builtin.result) : 'void';
  const check = `_Static_assert(__builtin_types_compatible_p(__typeof__(${call}), ${result}), "result")`;
  return `void f${i}(${parameters.join(', ')}) { ${result === 'void' ? call : check}; }`;
});

const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
const file = join(folder, 'calls.cl');
writeFileSync(file, `_Pragma("OPENCL EXTENSION cl_khr_fp16 : enable") ${source.join('\n')}\n`);
const { stderr } = spawnSync(
  options.clang,
  [
    ...flags,
    '-Xclang',
    '-finclude-default-header',
    '-fsyntax-only',
    '-ferror-limit=0',
    '-fno-caret-diagnostics',
  ].concat(['-Wno-everything', '-Werror=int-conversion', file]),
  { encoding: 'utf8', maxBuffer: 1 << 28 },
);
rmSync(folder, { recursive: true });

const errors = new Map();
for (const [, line, message] of stderr.matchAll(/calls\.cl:(\d+):\d+: error: (.*)$/gm))
  if (!errors.has(Number(line))) errors.set(Number(line), message);

let different = 0;
calls.forEach(({ resolution }, i) => {
  const error = errors.get(i + 1);
  // A call with types that the version does not have is not compared.
  if (/unknown type name|access qualifier/.test(error ?? '')) return;
  const theirs = error === undefined ? 'ok' : /ambiguous/.test(error) ? 'ambiguous' : 'refused';
  const ours = resolution.ok ? 'ok' : resolution.problem === 'ambiguous' ? 'ambiguous' : 'refused';
  if (ours === theirs) return;
  different++;
  const choice = resolution.ok ? ` (${prototypeOf(resolution.builtin)})` : '';
  if (different <= 40) console.log(`${ours}${choice}, clang: ${error ?? 'ok'}\n  ${source[i]}`);
});
console.log(`${options.std}: ${different} of ${calls.length} calls differ; clang refuses ${errors.size}`);
process.exitCode = different > 0 ? 1 : 0;
