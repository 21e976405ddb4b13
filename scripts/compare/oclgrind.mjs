// SPDX-License-Identifier: MIT
//
// node scripts/compare/oclgrind.mjs FOLDER [--only TEXT]: runs Oclgrind's kernel tests (FOLDER is its tests/kernels) in checked
// runs: a test whose reference has errors must have reports, all others none. With --lines, `oclgrind-kernel` runs each test with errors
// too, and says how many have a report of a line that it names (of a race, of either side).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { local, openSync } from 'anycl';

const {
  positionals: [folder],
  values: flags,
} = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    lines: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
if (!folder) throw new Error('usage: oclgrind.mjs FOLDER [--only TEXT]');

/** A simulation: the program's file, the kernel, its sizes, its arguments. */
function readSimulation(path) {
  const text = readFileSync(path, 'utf8');
  const options = /^# ARGS:.*--build-options\s+(\S+)/m.exec(text)?.[1] ?? '';
  const words = text.replace(/^#.*$/gm, '').match(/<[^>]*>|\S+/g);
  const [file, kernel, ...rest] = words;
  const sizes = rest.splice(0, 6).map(Number);
  const args = [];
  for (const word of rest) {
    if (word.startsWith('<')) args.push({ flags: word.slice(1, -1).trim().split(/\s+/), values: [] });
    else if (args.length > 0 && args.at(-1).flags !== undefined && wants(args.at(-1)))
      args.at(-1).values.push(word);
    else args.push({ values: [word] });
  }
  return { file, kernel, options, global: sizes.slice(0, 3), local: sizes.slice(3), args };
}

const property = ({ flags: list }, name) =>
  list.find((flag) => flag.startsWith(`${name}=`))?.slice(name.length + 1);
const hasContents = (arg) => ['fill', 'range'].some((name) => property(arg, name) !== undefined);

/** Whether more values belong to an argument: those of its bytes that nothing else says. */
function wants(arg) {
  return !hasContents(arg) && !arg.flags.includes('noinit') && !arg.flags.includes('null');
}

const TYPES = {
  char: Int8Array,
  uchar: Uint8Array,
  short: Int16Array,
  ushort: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
  long: BigInt64Array,
  ulong: BigUint64Array,
  float: Float32Array,
  double: Float64Array,
};

function typeOf(arg, typeName) {
  const named = arg.flags?.find((flag) => flag in TYPES);
  return TYPES[named ?? /^(?:unsigned )?([a-z]+)/.exec(typeName)?.[1]] ?? Int32Array;
}

function contents(arg, bytes, Type) {
  const count = Math.max(1, Math.floor(bytes / Type.BYTES_PER_ELEMENT));
  const number = Type.name.startsWith('Big') ? BigInt : Number;
  const radix = (word) => number(arg.flags?.includes('hex') ? `0x${word.replace(/^0x/, '')}` : word);
  const fill = property(arg, 'fill');
  if (fill !== undefined) return new Type(count).fill(number(fill));
  const range = property(arg, 'range');
  if (range !== undefined) {
    const [first, step] = range.split(':').map(number);
    return Type.from({ length: count }, (_, i) => first + step * number(i));
  }
  return Type.from({ length: count }, (_, i) => radix(arg.values[i] ?? '0'));
}

function argumentFor(cl, arg, info) {
  const Type = typeOf(arg, info.typeName);
  if (!arg.flags) return contents({ ...arg, flags: [] }, Type.BYTES_PER_ELEMENT, Type)[0];
  const bytes = Number(property(arg, 'size') ?? 0);
  if (info.addressSpace === 'local') return local(bytes);
  if (arg.flags.includes('null') || bytes === 0) return null;
  if (info.addressSpace === 'private') {
    const data = contents(arg, bytes, Type);
    return data.length === 1 ? data[0] : data;
  }
  const access = arg.flags.includes('ro') ? 'read-only' : arg.flags.includes('wo') ? 'write-only' : undefined;
  const options = access ? { access } : {};
  if (arg.flags.includes('noinit') || (wants(arg) && arg.values.length === 0))
    return cl.buffer(bytes, options);
  const data = contents(arg, bytes, Type);
  return cl.buffer(new Uint8Array(data.buffer, 0, bytes), options);
}

function run(test) {
  const path = join(folder, `${test}.sim`);
  const { file, kernel: name, options, global, local: localSize, args } = readSimulation(path);
  const cl = openSync({ device: 'software', check: 'all' });
  try {
    const source = readFileSync(join(path, '..', file), 'utf8');
    const kernel = cl.buildSync(source, `-w -cl-kernel-arg-info ${options}`).createKernel(name);
    for (const [i, info] of kernel.arguments.entries()) kernel.setArg(i, argumentFor(cl, args[i], info));
    const event = cl.queue.enqueueNDRange(kernel, { global, local: localSize });
    event.waitSync();
    return event.faults;
  } finally {
    cl.close();
  }
}

/** The lines that Oclgrind names; none where it runs no kernel, or knows no line. */
function linesOfOclgrind(test) {
  const path = join(folder, `${test}.sim`);
  const { options } = readSimulation(path);
  const build = options ? ['--build-options', options] : [];
  const { stderr } = spawnSync(
    'oclgrind-kernel',
    ['--data-races', '--uninitialized', ...build, basename(path)],
    { cwd: dirname(path), encoding: 'utf8', timeout: 60_000 },
  );
  return [...(stderr ?? '').matchAll(/^\s*At line (\d+)/gm)].map(([, line]) => Number(line));
}

/** Counts the tests with a report of a line that Oclgrind names, and prints the others. */
function compareLines(test, found) {
  const named = linesOfOclgrind(test);
  if (named.length === 0) return;
  withLines++;
  const own = found.flatMap(({ place, other }) => [place?.line, other?.place?.line]);
  if (own.some((line) => named.includes(line))) atLines++;
  else console.log(`${test}: at other lines than ${named.join()}: ${found[0].text.split('\n')[0]}`);
}

let [withLines, atLines] = [0, 0];
let right = 0;
const wrong = [];
const tests = readFileSync(join(folder, 'TESTS'), 'utf8')
  .split('\n')
  .filter((line) => line.includes(flags.only) && line);
for (const test of tests) {
  const reference = join(folder, `${test}.ref`);
  const expected = existsSync(reference) && /^ERROR/m.test(readFileSync(reference, 'utf8'));
  let found;
  try {
    found = run(test);
  } catch (error) {
    wrong.push(`${test}: ${error.message.split('\n')[0]}`);
    continue;
  }
  if (flags.verbose) for (const { text } of found) console.log(`${test}: ${text}`);
  if (found.length > 0 === expected) right++;
  else wrong.push(`${test}: ${expected ? 'missed' : found[0].text.split('\n')[0]}`);
  if (flags.lines && expected && found.length > 0) compareLines(test, found);
}
for (const line of wrong) console.log(line);
const lines = flags.lines ? `; ${atLines} of ${withLines} that name lines at one of these` : '';
console.log(`${right} of ${tests.length} as Oclgrind${lines}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
