// SPDX-License-Identifier: MIT
//
// Which builds are done on the compiler's thread, and what comes back from there.
import { SparseBytes } from '../../base/sparse-bytes';
import type { JitProgram } from '../../jit/compiled';
import { BuildFailure, type BuildInput, type BuiltProgram } from './build-program';
import type { BuildReply, FailureReply } from './compile-request';
import type { ContextServices } from './services';
import type { Toolchain } from './toolchain';

/** Characters and bytes of what takes longer than to start a thread. */
const LONG_TEXT = 40_000;
const LONG_SPIRV = 200_000;

export function isLong(input: BuildInput): boolean {
  return input.kind === 'source' ? input.text.length >= LONG_TEXT : input.bytes.length >= LONG_SPIRV;
}

/** `buildProgram` on the compiler's thread. */
export async function buildElsewhere(
  { compiler, device, toolchain }: ContextServices,
  input: BuildInput,
  signal: AbortSignal | undefined,
): Promise<BuiltProgram> {
  const posted = input.kind === 'spirv' ? { ...input, module: undefined } : input;
  const reply = await compiler.run(device, { kind: 'build', input: posted as BuildInput }, signal);
  if (reply.kind === 'failure') throw errorOf(reply);
  return { ...reply, jit: new RemoteProgram(toolchain, reply) };
}

function errorOf({ message, stack, forTheUser, badOptions }: FailureReply): Error {
  if (forTheUser) return new BuildFailure(message, badOptions);
  return Object.assign(new Error(message), { name: 'InvariantError', stack });
}

/** A program that another thread has prepared. What only that thread has is made here when a kernel needs it. */
class RemoteProgram implements JitProgram {
  readonly binary: JitProgram['binary'];
  readonly instructions: number;
  private readonly spirv: Uint8Array;
  private local: JitProgram | undefined;

  constructor(
    private readonly toolchain: Toolchain,
    { binary, instructions, spirv }: BuildReply,
  ) {
    this.binary = { ...binary, globals: SparseBytes.from(binary.globals) };
    this.instructions = instructions;
    this.spirv = spirv;
  }

  compileKernel(
    ...parameters: Parameters<JitProgram['compileKernel']>
  ): ReturnType<JitProgram['compileKernel']> {
    const { toolchain } = this;
    this.local ??= toolchain.load(toolchain.decode(this.spirv));
    return this.local.compileKernel(...parameters);
  }
}
