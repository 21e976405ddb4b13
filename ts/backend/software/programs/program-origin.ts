// SPDX-License-Identifier: MIT

import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Device } from '../../../device/device';
import { attempt, type Reproduction } from '../build/internal-errors';
import type { Services } from '../services';
import type { GivenSpirv } from './given-spirv';

/** The origin of a program. */
export type Origin =
  | { readonly kind: 'source'; readonly text: string }
  | { readonly kind: 'il'; readonly given: GivenSpirv }
  | { readonly kind: 'binary'; readonly given: GivenSpirv }
  | { readonly kind: 'linked' };

/** Checks that the module has a specialization constant of this id, for a value of this size. Throws OpenCLError. */
export function checkConstant(
  { host, toolchain }: Services,
  { given: spirv }: Extract<Origin, { kind: 'il' }>,
  id: number,
  value: Uint8Array,
): void {
  const functionName = 'clSetProgramSpecializationConstant';
  const code = ErrorCode.INVALID_SPEC_ID;
  const given = { constants: { [id]: [...value] } };
  const reproduction = () => ({ files: { 'program.spv': spirv.bytes }, given });
  const module = spirv.module();
  try {
    attempt({ host, code, functionName, reproduction }, () =>
      toolchain.specialize(module, new Map([[id, value]])),
    );
  } catch (error) {
    if (error instanceof OpenCLError) throw error;
    throw new OpenCLError(code, functionName, (error as Error).message);
  }
}

/** The files that reproduce a failure of the program's build. */
export function reproductionOf(
  origin: Origin,
  built: Uint8Array | undefined,
  specialized: ReadonlyMap<number, Uint8Array>,
  options: string,
): Reproduction {
  const constants = Object.fromEntries([...specialized].map(([id, bytes]) => [id, [...bytes]]));
  const given = { options, constants };
  if (origin.kind === 'source') return { files: { 'program.cl': origin.text }, given };
  const spirv = origin.kind === 'il' ? origin.given.bytes : built;
  return { files: spirv ? { 'program.spv': spirv } : {}, given };
}

/** The options of a build whose reports and counts name source lines, where the device makes such. */
export function withLines({ checked, coverage }: Device, options: string): string {
  if (checked && checked.checks.length > 0) return `-anycl-checked ${options}`;
  return coverage ? `-g ${options}` : options;
}
