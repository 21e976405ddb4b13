// SPDX-License-Identifier: MIT

/** The language of a translation unit: the parsed options of clBuildProgram, and the target. */
export interface LanguageOptions {
  /** 100, 110, 120, 200, 300 or 310: the value of `-cl-std`; 120 without it. */
  readonly version: 100 | 110 | 120 | 200 | 300 | 310;
  readonly addressBits: 32 | 64;
  /** Extension names (`cl_khr_fp16`) and feature macros (`__opencl_c_images`) that are claimed. */
  readonly features: ReadonlySet<string>;
  readonly fastRelaxedMath: boolean;
  readonly madEnable: boolean;
  readonly denormsAreZero: boolean;
  readonly correctlyRoundedDivideSqrt: boolean;
  readonly noSignedZeros: boolean;
  readonly finiteMathOnly: boolean;
  readonly unsafeMathOptimizations: boolean;
  readonly singlePrecisionConstant: boolean;
  readonly optDisable: boolean;
  readonly kernelArgInfo: boolean;
  readonly uniformWorkGroupSize: boolean;
  readonly debugInfo: boolean;
  /** For a checked run: assertions are evaluated, and what the checks of arithmetic need to know is kept. */
  readonly checked: boolean;
}
