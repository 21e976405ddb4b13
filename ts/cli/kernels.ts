// SPDX-License-Identifier: MIT
//
// `anycl kernels`: the signatures of a file's kernels.
import pc from 'picocolors';
import type { KernelArgumentInfo } from '../api/arguments/arguments';
import type { Kernel } from '../api/objects/kernel';
import { readInput, writeOutput } from './files';
import { build, openSession } from './session';

export interface KernelsFlags {
  buildOptions?: string;
  device?: string;
  json?: boolean;
}

export async function kernels(file: string, flags: KernelsFlags): Promise<void> {
  const session = openSession(flags.device ?? 'software');
  const program = await build(session, file, readInput(file), flags.buildOptions ?? '');
  const all = program.createKernels();
  if (flags.json) {
    const described = all.map((kernel) => ({
      name: kernel.name,
      arguments: kernel.arguments.map(({ name, typeName, addressSpace, access }) => ({
        name,
        type: typeName,
        addressSpace,
        ...(access === 'none' ? {} : { access }),
      })),
      workGroupSize: requiredSize(kernel),
    }));
    writeOutput('-', `${JSON.stringify({ kernels: described }, undefined, 2)}\n`);
  } else if (all.length === 0) process.stderr.write(`anycl: '${file}' has no kernel\n`);
  else writeOutput('-', all.map((kernel) => `${signature(kernel)}\n`).join(''));
  await session[Symbol.asyncDispose]();
}

/** As in the source: `kernel void saxpy(float a, global float* x)`. */
export function signature(kernel: Kernel): string {
  const size = requiredSize(kernel);
  const attribute = size ? `__attribute__((reqd_work_group_size(${size.join(', ')}))) ` : '';
  return `${attribute}kernel void ${pc.bold(kernel.name)}(${kernel.arguments.map(parameter).join(', ')})`;
}

function parameter({ name, typeName, addressSpace, access, isPointer }: KernelArgumentInfo): string {
  const space = isPointer && addressSpace !== 'private' && addressSpace !== 'unknown' ? addressSpace : '';
  return [space, access === 'none' ? '' : access, typeName || '?', name].filter(Boolean).join(' ');
}

function requiredSize(kernel: Kernel): readonly number[] | undefined {
  const size = kernel.workGroupInfo('COMPILE_WORK_GROUP_SIZE');
  return size.some((n) => n !== 0) ? size : undefined;
}
