// SPDX-License-Identifier: MIT
//
// Calls each prototype of clang's own opencl-c.h with exactly its parameter types and reports which calls our overload
// resolution refuses or resolves to another result. The header is read where a clang is installed; none of it is kept.
//
//   node scripts/compare/prototypes.mjs [--clang clang-19] [--std CL3.0] [--sources FOLDER]
//
// --sources also writes one OpenCL C file for each version, with one function for each prototype.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSources } from '../import-sources.mjs';

const VERSIONS = { 'CL1.0': 100, 'CL1.1': 110, 'CL1.2': 120, 'CL2.0': 200, 'CL3.0': 300 };

/** The prototypes of the header after clang's preprocessor. */
export function readPrototypes(clang, std) {
  const folder = execFileSync(clang, ['-print-resource-dir'], { encoding: 'utf8' }).trim();
  const header = join(folder, 'include', 'opencl-c.h');
  const flags = [
    '-E',
    '-P',
    '-x',
    'cl',
    '-target',
    'spir',
    `-cl-std=${std}`,
    '-include',
    header,
    '/dev/null',
  ];
  const text = execFileSync(clang, flags, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const prototypes = [];
  const plain = text
    .replaceAll(/__attribute__\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)/g, ' ')
    .replaceAll(/^#.*$/gm, '');
  for (const statement of plain.split(';')) {
    const match = /^\s*([\w\s]+?[\s*]+)(\w+)\s*\(([^()]*)\)\s*$/.exec(
      statement.trim().replaceAll(/\s+/g, ' '),
    );
    if (match === null || statement.includes('typedef')) continue;
    const [, result, name, list] = match;
    const parameters =
      list.trim() === 'void' || list.trim() === '' ? [] : list.split(',').map((p) => p.trim());
    prototypes.push({ name, result: result.trim(), parameters });
  }
  return { prototypes };
}

const SCALARS = {
  bool: 'bool',
  _Bool: 'bool',
  char: 'char',
  'signed char': 'char',
  uchar: 'uchar',
  'unsigned char': 'uchar',
  short: 'short',
  ushort: 'ushort',
  'unsigned short': 'ushort',
  int: 'int',
  uint: 'uint',
  'unsigned int': 'uint',
  unsigned: 'uint',
  long: 'long',
  ulong: 'ulong',
  'unsigned long': 'ulong',
  half: 'half',
  float: 'float',
  double: 'double',
  size_t: 'uint',
  ptrdiff_t: 'int',
  intptr_t: 'int',
  uintptr_t: 'uint',
  cl_mem_fence_flags: 'uint',
  memory_order: 'int',
  memory_scope: 'int',
  kernel_enqueue_flags_t: 'int',
  clk_profiling_info: 'int',
};
const ATOMICS = {
  atomic_int: 'int',
  atomic_uint: 'uint',
  atomic_long: 'long',
  atomic_ulong: 'ulong',
  atomic_float: 'float',
  atomic_double: 'double',
  atomic_half: 'half',
  atomic_flag: 'int',
  atomic_size_t: 'uint',
  atomic_intptr_t: 'int',
  atomic_uintptr_t: 'uint',
  atomic_ptrdiff_t: 'int',
};

/** A type of the header as one of anycl's; undefined if there is none. */
export function readType(types, declared, genericDefault) {
  // An array parameter is a pointer to private memory.
  const text = declared.replace(/^(.*)\[\d+\]/, '__private $1 *');
  const stars = (text.match(/\*/g) ?? []).length;
  const words = text
    .replaceAll('*', ' * ')
    .split(/\s+/)
    .filter((word) => word !== '');
  const end = stars > 0 ? words.lastIndexOf('*') : words.length;
  const rest = [];
  let [space, isConst, isVolatile, access] = [undefined, false, false, undefined];
  for (const word of words.slice(0, end)) {
    const bare = word.replace(/^__/, '');
    if (['global', 'local', 'constant', 'private', 'generic'].includes(bare)) space = bare;
    else if (bare === 'const') isConst = true;
    else if (bare === 'volatile') isVolatile = true;
    else if (['read_only', 'write_only', 'read_write'].includes(bare)) access = bare;
    else if (word !== 'restrict') rest.push(word);
  }
  const known = (key) =>
    key in SCALARS || key in ATOMICS || key === 'void' || /_t$/.test(key) || /\d$/.test(key);
  while (rest.length > 1 && !known(rest.join(' '))) rest.pop(); // a parameter's name
  if (rest.length === 2 && known(rest[0]) && !(rest.join(' ') in SCALARS)) rest.pop();
  const name = rest.join(' ');
  let type;
  if (name in SCALARS) type = types.scalarOf(SCALARS[name]);
  else if (name in ATOMICS) type = types.atomicOf(types.scalarOf(ATOMICS[name]));
  else if (name === 'void') type = types.VOID;
  else if (/^(sampler|event|queue|clk_event|reserve_id|ndrange|intel_sub_group_avc\w+)_t$/.test(name))
    type = types.opaqueOf(name);
  else if (/^image/.test(name)) {
    const kind = name.replace(/_t$/, '').replace(/^(image\w+?)_(array_)?(.*)$/, '$1_$2$3');
    type = types.imageOf(kind, access ?? 'read_only');
  } else {
    const vector = /^(u?(?:char|short|int|long)|half|float|double)(2|3|4|8|16)$/.exec(name);
    if (vector === null) return undefined;
    type = types.vectorOf(vector[1], Number(vector[2]));
  }
  if (stars === 0) return type;
  if (stars > 1) return undefined;
  const place = space ?? (genericDefault ? 'generic' : 'private');
  return types.pointerTo(
    { type, const: isConst, volatile: isVolatile, restrict: false, space: place },
    place,
  );
}

/** The compiler's resolution and types. */
const load = () =>
  importSources(
    'ts/compiler/frontend',
    "export * from './builtins/index'; export * as types from './types'; export * from './features';",
  );

/** Calls every prototype; returns the counts and the refused ones. */
export function check({ resolve, spell, types, EXTENSIONS, FEATURES }, { prototypes }, version) {
  const features = new Set([...EXTENSIONS, ...(version >= 300 ? FEATURES : [])]);
  const language = { version, addressBits: 32, features };
  const genericDefault = version >= 200;
  const refused = [];
  let accepted = 0;
  for (const prototype of prototypes) {
    const variadic = prototype.parameters.at(-1) === '...';
    const texts = variadic ? prototype.parameters.slice(0, -1) : prototype.parameters;
    const parameters = texts.map((text) => readType(types, text, genericDefault));
    const result = readType(types, prototype.result, genericDefault);
    if (result === undefined || parameters.includes(undefined)) {
      refused.push(`${prototype.name}: of a type that we do not have`);
      continue;
    }
    const args = parameters.map((type) => ({ type, isNull: false, isIntegerConstant: false }));
    const resolution = resolve(prototype.name, args, language);
    const text = `${prototype.result} ${prototype.name}(${prototype.parameters.join(', ')})`;
    if (!resolution.ok)
      refused.push(`${text}: ${resolution.problem}${resolution.needs ? ` (${resolution.needs})` : ''}`);
    else if (!types.sameType(resolution.builtin.result, result))
      refused.push(`${text}: gives ${spell(resolution.builtin.result)}`);
    else accepted++;
  }
  return { accepted, refused };
}

/** OpenCL C: for each prototype a function that calls it with its own parameters. */
function sources({ spell, types }, { prototypes }, version) {
  const written = (text) => spell(readType(types, text, version >= 200));
  const functions = prototypes.map(({ name, result, parameters }, i) => {
    const list = parameters.filter((p) => p !== '...').map((p, k) => `${written(p)} a${k}`);
    const call = `${name}(${list.map((_, k) => `a${k}`).join(', ')})`;
    return `${result} f${i}(${list.join(', ')}) { ${result === 'void' ? '' : 'return '}${call}; }`;
  });
  return ['#pragma OPENCL EXTENSION cl_khr_fp16 : enable', ...functions];
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      clang: { type: 'string', default: 'clang-19' },
      std: { type: 'string' },
      sources: { type: 'string' },
    },
  });
  const compiler = await load();
  let failed = false;
  for (const std of values.std ? [values.std] : ['CL1.2', 'CL2.0', 'CL3.0']) {
    const input = readPrototypes(values.clang, std);
    const { accepted, refused } = check(compiler, input, VERSIONS[std]);
    console.log(`${std}: ${accepted} of ${input.prototypes.length} accepted, ${refused.length} refused`);
    for (const line of refused.slice(0, 100)) console.log(`  ${line}`);
    failed ||= refused.length > 0;
    if (values.sources) {
      mkdirSync(values.sources, { recursive: true });
      const lines = sources(compiler, input, VERSIONS[std]);
      writeFileSync(join(values.sources, `prototypes-${std}.cl`), `${lines.join('\n')}\n`);
    }
  }
  process.exitCode = failed ? 1 : 0;
}
