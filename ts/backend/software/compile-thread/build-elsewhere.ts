// SPDX-License-Identifier: MIT
//
// What is compiled on the compiler's thread, and what comes back from there.
import { SparseBytes } from '../../../base/sparse-bytes';
import type { BuildInput, BuiltProgram, SpirvInput } from '../build/build-program';
import type { SourceInput } from '../build/compile-cached';
import { isLong, isShortest } from '../build/input-size';
import { buildsElsewhere } from '../programs/given-spirv';
import type { ContextServices } from '../services';
import { ask } from './ask-compiler';
import type { Answers, BuildReply } from './compile-request';
import { readSignatures } from './posted-signatures';
import { RemoteProgram } from './remote-program';

/**
 * Whether a program is built on the compiler's thread. Short ones only if that is warm, and free, and if nobody wants to see
 * the steps of their compilation.
 */
export function isBuiltElsewhere(services: ContextServices, input: BuildInput): boolean {
  if (isLong(input)) return buildsElsewhere(services);
  const { compiler, host } = services;
  return !isShortest(input) && compiler.takesShort && host.trace === undefined && buildsElsewhere(services);
}

/** `buildProgram` on the compiler's thread. */
export async function buildElsewhere(
  services: ContextServices,
  input: BuildInput,
  signal: AbortSignal | undefined,
): Promise<BuiltProgram> {
  const { compiler, device } = services;
  const keepAs = compiler.newProgram();
  const data: BuildInput =
    input.kind === 'spirv' ? { kind: 'spirv', constants: input.constants, ...posted(input) } : input;
  const request = { kind: 'build', input: data, keepAs, addressBits: services.addressBits } as const;
  return built(services, (await ask(compiler, device, request, signal)) as BuildReply, keepAs);
}

/** `compileText` on the compiler's thread. */
export async function compileElsewhere(
  { compiler, device }: ContextServices,
  input: SourceInput,
  signal: AbortSignal | undefined,
): Promise<Answers['compile']> {
  return (await ask(compiler, device, { kind: 'compile', input }, signal)) as Answers['compile'];
}

/** `linkPrograms` on the compiler's thread: returns no program for a library. */
export async function linkElsewhere(
  services: ContextServices,
  inputs: readonly SpirvInput[],
  library: boolean,
  signal: AbortSignal | undefined,
): Promise<{ readonly jit: BuiltProgram['jit'] | undefined; readonly spirv: Uint8Array }> {
  const { compiler, device } = services;
  const keepAs = compiler.newProgram();
  const reply = await ask(
    compiler,
    device,
    { kind: 'link', inputs: inputs.map(posted), library, keepAs, addressBits: services.addressBits },
    signal,
  );
  if (reply.kind === 'built') return built(services, reply, keepAs);
  return { jit: undefined, spirv: (reply as Answers['compile']).spirv };
}

/** Without the decoded module, which is larger than the bytes. */
const posted = ({ bytes, unchecked }: SpirvInput): SpirvInput => ({ bytes, ...(unchecked && { unchecked }) });

function built(services: ContextServices, reply: BuildReply, id: number): BuiltProgram {
  const { spirv, log, isNew, instructions } = reply;
  const { globals, kernels } = reply.binary;
  const binary = {
    ...reply.binary,
    globals: SparseBytes.from(globals),
    kernels: readSignatures(kernels),
  };
  const jit = new RemoteProgram(services, { id, binary, instructions, spirv, isNew });
  return { jit, spirv, log, isNew };
}

/** A promise's result or error, for later use. */
export function settled<T>(promise: Promise<T>): Promise<() => T> {
  return promise.then(
    (result) => () => result,
    (error) => () => {
      throw error;
    },
  );
}
