// SPDX-License-Identifier: MIT
import { ErrorCode } from '../../../cl/constants.gen';

/** The build options that the backend reads; the compiler reads all others. */
export interface BuildOptions {
  /** All local sizes must divide the global ones. */
  readonly uniformWorkGroups: boolean;
  readonly createLibrary: boolean;
}

function splitOptions(options: string): string[] {
  return options.split(/\s+/).filter(Boolean);
}

/** Non-uniform work-groups exist since OpenCL C 2.0, and programs are OpenCL C 1.2 by default. */
export function readBuildOptions(options: string, fromSource: boolean): BuildOptions {
  const words = splitOptions(options);
  const standard = words.find((word) => word.startsWith('-cl-std='))?.slice('-cl-std=CL'.length);
  const old = standard === undefined ? fromSource : standard.startsWith('1.');
  return {
    uniformWorkGroups: old || words.includes('-cl-uniform-work-group-size'),
    createLibrary: words.includes('-create-library'),
  };
}

const LINK_OPTIONS = new Set([
  '-create-library',
  '-enable-link-options',
  '-cl-denorms-are-zero',
  '-cl-no-signed-zeros',
  '-cl-unsafe-math-optimizations',
  '-cl-finite-math-only',
  '-cl-fast-relaxed-math',
  '-cl-no-subgroup-ifp',
]);

/** The first word that clLinkProgram does not accept; undefined if it accepts all. */
export function unknownLinkOption(options: string): string | undefined {
  return splitOptions(options).find((word) => !LINK_OPTIONS.has(word));
}

/** The error code of wrong options, by the code of other failures of the step. */
export const WRONG_OPTIONS: Partial<Record<ErrorCode, ErrorCode>> = {
  [ErrorCode.BUILD_PROGRAM_FAILURE]: ErrorCode.INVALID_BUILD_OPTIONS,
  [ErrorCode.COMPILE_PROGRAM_FAILURE]: ErrorCode.INVALID_COMPILER_OPTIONS,
};
