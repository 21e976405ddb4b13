// SPDX-License-Identifier: MIT
//
// A program whose link failed. It only has its options and its log.
import type { BackendProgram } from '../backend/backend';
import type { SoftwareProgram } from '../backend/software/programs/program';
import { BuildStatus, ErrorCode, ProgramBinaryType } from '../cl/constants.gen';
import { answerInfo } from '../cl/encode-info';
import { programBuildInfo } from '../cl/info-keys.gen';
import { OpenCLError } from '../cl/opencl-error';

export type Program = SoftwareProgram | FailedLink;

export class FailedLink implements Pick<BackendProgram, 'buildInfo' | 'release'> {
  constructor(
    private readonly options: string,
    private readonly log: string,
  ) {}

  buildInfo(_device: unknown, param: number): Uint8Array {
    const answers = {
      BUILD_STATUS: BuildStatus.ERROR,
      BUILD_OPTIONS: this.options,
      BUILD_LOG: this.log,
      BINARY_TYPE: ProgramBinaryType.NONE,
      BUILD_GLOBAL_VARIABLE_TOTAL_SIZE: 0,
    };
    return answerInfo(programBuildInfo, answers, 'clGetProgramBuildInfo', param);
  }

  release(): void {}
}

/** @throws OpenCLError INVALID_PROGRAM_EXECUTABLE for a program whose link failed */
export function linked(program: Program): SoftwareProgram {
  if (!(program instanceof FailedLink)) return program;
  throw new OpenCLError(ErrorCode.INVALID_PROGRAM_EXECUTABLE, 'clLinkProgram', 'the link failed');
}
