// SPDX-License-Identifier: MIT
//
// Writes a launch into a folder, with a program that reproduces it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TypedArray } from '../api/public';
import { type CaseArgument, type KernelCase, runReference } from './kernel-case';

/**
 * Writes a case into a folder: the kernel's source, the contents of the arguments before the launch and after the
 * reference, and the program `reproduce.mjs`, which needs only anycl: `node reproduce.mjs [DEVICE]` ends with status 1 if the results differ.
 * Returns the path of `reproduce.mjs`.
 * @throws TypeError for arguments that are objects of a context, such as images
 */
export function captureCase<const Arguments extends readonly CaseArgument[]>(
  launch: KernelCase<Arguments>,
  folder: string,
): string;
export function captureCase(launch: KernelCase, folder: string): string {
  const isText = typeof launch.source === 'string';
  const wanted = runReference(launch);
  const args = launch.args.map((value, index) => describe(value as TypedArray, index));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, isText ? 'kernel.cl' : 'kernel.spv'), launch.source);
  for (const [index, contents] of wanted) {
    writeFileSync(join(folder, `argument${index}.bin`), bytesOf(launch.args[index] as TypedArray));
    writeFileSync(join(folder, `reference${index}.bin`), bytesOf(contents));
  }
  const program = `// Reproduces a launch of the kernel '${launch.kernel}': node reproduce.mjs [DEVICE]
import { readFileSync } from 'node:fs';
import { local, open } from 'anycl';
import { compare } from 'anycl/testing';

const here = (name) => new URL(name, import.meta.url);
const array = (Type, name) => new Type(new Uint8Array(readFileSync(here(name))).buffer);
const cl = await open(process.argv[2] ? { device: process.argv[2] } : {});
const source = readFileSync(here('${isText ? 'kernel.cl' : 'kernel.spv'}')${isText ? ", 'utf8'" : ''});
const program = await cl.build(source, ${JSON.stringify(launch.options ?? '')});
const args = [${args.join(', ')}];
const values = args.map((value) => (ArrayBuffer.isView(value) ? cl.buffer(value) : value));
await program.createKernel(${JSON.stringify(launch.kernel)}).run(${JSON.stringify(launch.range)}, ...values);
for (const [index, value] of args.entries()) {
  if (!ArrayBuffer.isView(value)) continue;
  const wanted = array(value.constructor, \`reference\${index}.bin\`);
  const difference = compare(await values[index].read(), wanted, ${JSON.stringify(launch.tolerance ?? {})});
  console.log(\`argument \${index}:\`, difference ?? 'as in the reference');
  if (difference) process.exitCode = 1;
}
cl.close();
`;
  const path = join(folder, 'reproduce.mjs');
  writeFileSync(path, program);
  return path;
}

const bytesOf = (array: TypedArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** An argument as an expression of the program. */
function describe(value: unknown, index: number): string {
  if (ArrayBuffer.isView(value))
    return `array(${(value as TypedArray)[Symbol.toStringTag]}, 'argument${index}.bin')`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => describe(each, index)).join(', ')}]`;
  const { bytes } = value as { bytes?: unknown };
  if (typeof bytes === 'number') return `local(${bytes})`;
  throw new TypeError(
    `argument ${index} cannot be written to a file: give typed arrays, numbers and local memory`,
  );
}
