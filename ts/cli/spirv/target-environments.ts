// SPDX-License-Identifier: MIT
//
// The environments of `anycl validate --target-env`: the newest SPIR-V that each takes, and the capabilities that came with later
// versions of OpenCL (OpenCL SPIR-V environment specification, 3 "Required Capabilities").
import { Capability } from '../../spirv/grammar.gen';
import type { Module } from '../../spirv/module';

interface Environment {
  /** The newest SPIR-V, as its minor version. */
  readonly spirv: number;
  /** The version of OpenCL; undefined where any will do. */
  readonly opencl?: number;
}

const ENVIRONMENTS: Readonly<Record<string, Environment>> = {
  'opencl1.2': { spirv: 0, opencl: 1.2 },
  'opencl2.0': { spirv: 0, opencl: 2.0 },
  'opencl2.1': { spirv: 0, opencl: 2.1 },
  'opencl2.2': { spirv: 2, opencl: 2.2 },
  'opencl3.0': { spirv: 6, opencl: 3.0 },
  ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((minor) => [`spv1.${minor}`, { spirv: minor }])),
};

export const ENVIRONMENT_NAMES: readonly string[] = Object.keys(ENVIRONMENTS);

/**
 * The first version of OpenCL whose devices take a capability. Every version takes those that are not here: they are core, a
 * device's option (Float64, images), or an extension's (Float16 of cl_khr_fp16).
 */
const SINCE: ReadonlyMap<Capability, number> = new Map([
  [Capability.DeviceEnqueue, 2.0],
  [Capability.GenericPointer, 2.0],
  [Capability.Groups, 2.0],
  [Capability.ImageReadWrite, 2.0],
  [Capability.Pipes, 2.0],
  [Capability.PipeStorage, 2.2],
  [Capability.SubgroupDispatch, 2.2],
]);

/** Why the environment does not take a module, or undefined where it does. @param name one of ENVIRONMENT_NAMES */
export function environmentProblem(module: Module, name: string): string | undefined {
  const { spirv, opencl } = ENVIRONMENTS[name]!;
  const minor = (module.version >> 8) & 0xff;
  if (minor > spirv) return `the module is SPIR-V 1.${minor}, and ${name} takes versions up to 1.${spirv}`;
  if (opencl === undefined) return undefined;
  for (const capability of module.capabilities) {
    const since = SINCE.get(capability) ?? 0;
    if (since > opencl)
      return `OpCapability ${Capability[capability]}: ${name} does not take it; OpenCL ${since.toFixed(1)} and later do`;
  }
  return undefined;
}
