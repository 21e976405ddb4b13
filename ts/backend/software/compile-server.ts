// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { BuildFailure, type BuildInput, buildProgram } from './build-program';
import type { BuildReply, CompileReply, CompileRequest, FailureReply } from './compile-request';
import { defaultToolchain } from './default-toolchain';
import { isForTheUser } from './own-fault';
import type { Toolchain } from './toolchain';

/** The compiler on a thread of its own: answers one request after the other. */
export class CompileServer {
  readonly toolchain: Toolchain;

  constructor(readonly host: Host) {
    this.toolchain = defaultToolchain(host);
  }

  answer({ input }: CompileRequest): CompileReply {
    try {
      return this.build(input);
    } catch (error) {
      return failure(error);
    }
  }

  private build(input: BuildInput): BuildReply {
    const { jit, spirv, log, isNew } = buildProgram(this, input);
    const binary = { ...jit.binary, globals: jit.binary.globals.parts };
    return { kind: 'built', binary, instructions: jit.instructions, spirv, log, isNew };
  }
}

function failure(thrown: unknown): FailureReply {
  const { message, stack = message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const badOptions = thrown instanceof BuildFailure && thrown.badOptions;
  return { kind: 'failure', message, stack, forTheUser: isForTheUser(thrown), badOptions };
}
