// SPDX-License-Identifier: MIT
//
// `anycl exec`: runs a program of any language with the software device as its OpenCL, by way of the ICD loader that it uses; or
// installs the device for all programs of the machine.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { folder } from '../host/node/place';
import { inputError, usageError } from './exit';
import { writeOutput } from './files';

/** The folder that loaders read. */
const VENDORS = '/etc/OpenCL/vendors';
/** A shell's exit status for an unknown command. */
const NOT_FOUND = 127;
const SIGNALED = 128;

const SERVER = join(folder, 'icd-server.cjs');

interface Flags {
  /** With its option's value, a folder. */
  readonly install?: string | true;
}

/** libanycl-icd: the local build, or the package's. */
function library(): string {
  const root = join(folder, '..');
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const libc = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  const places = [
    join(root, 'build', 'Release', 'libanycl-icd.so'),
    join(root, 'prebuilds', `${process.platform}-${process.arch}`, `libanycl-icd.${libc}.so`),
  ];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  const how = process.platform === 'linux' ? 'anycl build-addon builds it' : 'there is one for Linux alone';
  throw inputError(`the package has no libanycl-icd for ${process.platform}-${process.arch}: ${how}`);
}

/** Writes the file by which loaders find the library, and beside the library the file by which it finds the server. */
function install(vendors: string): void {
  const icd = library();
  writeOutput(join(dirname(icd), 'libanycl-icd.conf'), `${process.execPath}\n${SERVER}\n`);
  if (vendors !== VENDORS) mkdirSync(vendors, { recursive: true });
  const file = join(vendors, 'anycl.icd');
  writeOutput(file, `${icd}\n`);
  console.log(`wrote ${file}: OpenCL programs find the software device there`);
  if (vendors !== VENDORS) console.log(`for programs with OCL_ICD_VENDORS=${vendors} in their environment`);
}

export async function exec(command: readonly string[], { install: vendors }: Flags): Promise<void> {
  if (vendors !== undefined) {
    if (command.length > 0) throw usageError('--install takes no program');
    install(vendors === true ? VENDORS : vendors);
    return;
  }
  const [program, ...args] = command;
  if (program === undefined) throw usageError('which program? anycl exec -- PROGRAM [ARGUMENTS]');
  const icd = library();
  process.exitCode = await run(program, args, {
    // The library itself instead of a folder with a file that names it: a killed process leaves nothing. Debian's ocl-icd accepts a
    // library in the first variable, the Khronos loader a list of libraries in the second.
    OCL_ICD_VENDORS: icd,
    OCL_ICD_FILENAMES: icd,
    ANYCL_ICD_NODE: process.execPath,
    ANYCL_ICD_SERVER: SERVER,
  });
}

/** The program's exit status, as a shell gives it. */
function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    // The terminal sends its signals to the program too, and the program decides what they do.
    const forward = (signal: NodeJS.Signals): void => {
      if (signal === 'SIGTERM') child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM'] as const) process.on(signal, forward);
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') {
        reject(inputError(`cannot run '${program}': ${error.message}`));
        return;
      }
      process.stderr.write(`anycl: there is no program '${program}'\n`);
      resolve(NOT_FOUND);
    });
    child.on('exit', (status, signal) =>
      resolve(status ?? SIGNALED + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
