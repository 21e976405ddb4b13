// SPDX-License-Identifier: MIT
//
// What is compiled on the compiler's thread, and what comes back from there.
import { SparseBytes } from '../../base/sparse-bytes';
import { ask } from './ask-compiler';
import type { BuildInput, BuiltProgram, SpirvInput } from './build-program';
import type { SourceInput } from './compile-cached';
import type { Answers, BuildReply } from './compile-request';
import { readSignatures } from './posted-signatures';
import { RemoteProgram } from './remote-program';
import type { ContextServices } from './services';

/** Longer inputs (characters, bytes) take longer to build than a thread takes to start. */
const LONG_TEXT = 40_000;
const LONG_SPIRV = 200_000;

export function isLong(input: BuildInput): boolean {
  return input.kind === 'source' ? input.text.length >= LONG_TEXT : isLongSpirv([input.bytes]);
}

export function isLongSpirv(inputs: readonly Uint8Array[]): boolean {
  return inputs.reduce((bytes, input) => bytes + input.length, 0) >= LONG_SPIRV;
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
  const request = { kind: 'build', input: data, keepAs } as const;
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
    { kind: 'link', inputs: inputs.map(posted), library, keepAs },
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
