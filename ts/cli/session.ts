// SPDX-License-Identifier: MIT
//
// The first step of `anycl run` and `anycl kernels`: opening a device and building a file for it.
import { basename } from 'node:path';
import type { Device } from '../api/objects/device';
import type { Program } from '../api/objects/program';
import { findDevice, type OpenOptions, openSync, type Session } from '../api/open';
import { OpenCLError } from '../cl/opencl-error';
import { CommandError, EXIT, inputError } from './exit';
import { foldersOf, isSpirv } from './files';
import { whileWaiting } from './progress';

export function openSession(
  selector: string | undefined,
  checking: Pick<OpenOptions, 'check' | 'checkBudget' | 'coverage' | 'robust'> = {},
): Session {
  return openSync({ device: chooseDevice(selector), ...checking });
}

/** The device that `--device` names. */
export function chooseDevice(selector: string | undefined): Device {
  try {
    return findDevice(selector);
  } catch (error) {
    if (error instanceof OpenCLError && error.codeName.endsWith('DEVICE_NOT_FOUND')) {
      throw new CommandError(error.message.replace(/^.*?\): /, ''), EXIT.noDevice);
    }
    throw error;
  }
}

export async function build(
  session: Session,
  file: string,
  content: Uint8Array,
  options: string,
): Promise<Program> {
  const isModule = isSpirv(content);
  if (!isModule && file.endsWith('.spv'))
    throw inputError(`'${file}' is not SPIR-V: its first word is not the magic number`);
  try {
    const built = isModule
      ? session.build(content, options)
      : session.build(new TextDecoder().decode(content), `${options} ${includeOptions(file)}`.trim());
    const program = await whileWaiting(`building ${basename(file)}`, built);
    if (program.log.trim()) process.stderr.write(`${program.log.trimEnd()}\n`);
    return program;
  } catch (error) {
    if (!(error instanceof OpenCLError) || error.buildLog === undefined) throw error;
    throw inputError(error.buildLog.trimEnd().replaceAll('<source>', basename(file)) || error.message);
  }
}

/** `#include` searches the same folders as for `anycl compile`, beginning with the file's own. */
function includeOptions(file: string): string {
  return foldersOf(file)
    .map((folder) => (/\s/.test(folder) ? `-I "${folder}"` : `-I ${folder}`))
    .join(' ');
}
