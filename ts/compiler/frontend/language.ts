// SPDX-License-Identifier: MIT

/** What a translation unit is compiled as: the options of clBuildProgram, read, and the target. */
export interface LanguageOptions {
  /** 100, 110, 120, 200, 300, 310: what `-cl-std` says; 120 where it says nothing. */
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
}
