// SPDX-License-Identifier: MIT
// The extensions and features of the software device: all that the compiler supports, without those listed here.
import type { NameVersion, Version } from '../../../cl/info-values';
import {
  EXTENSIONS as LANGUAGE_EXTENSIONS,
  FEATURES as LANGUAGE_FEATURES,
} from '../../../compiler/frontend/features';

/**
 * Features that the compiler supports and the JIT or the device does not. Programs for the device are compiled
 * without them.
 */
const MISSING: readonly string[] = [
  // Multisampled images
  'cl_khr_gl_msaa_sharing',
  // A video unit is required
  'cl_intel_device_side_avc_motion_estimation',
];

/** Extensions of the API and of SPIR-V; they do not affect the compiler. */
const API_EXTENSIONS: readonly string[] = [
  'cl_ext_buffer_device_address',
  'cl_khr_command_buffer',
  'cl_khr_command_buffer_mutable_dispatch',
  'cl_khr_create_command_queue',
  'cl_khr_device_uuid',
  'cl_khr_expect_assume',
  'cl_khr_extended_versioning',
  'cl_khr_il_program',
  'cl_khr_image2d_from_buffer',
  'cl_khr_priority_hints',
  'cl_khr_semaphore',
  'cl_khr_spirv_linkonce_odr',
  'cl_khr_spirv_no_integer_wrap_decoration',
  'cl_khr_spirv_queries',
  'cl_khr_suggested_local_work_size',
  'cl_khr_terminate_context',
  'cl_khr_throttle_hints',
  'cl_khr_unified_svm',
];

const isThere = (name: string): boolean => !MISSING.includes(name);

/** For CL_DEVICE_EXTENSIONS, in order. */
export const EXTENSIONS: readonly string[] = [
  ...LANGUAGE_EXTENSIONS.filter(isThere),
  ...API_EXTENSIONS,
].sort();

/** The extensions that are not at version 1.0.0, by cl.xml. */
const REVISIONS: Readonly<Record<string, Version>> = {
  cl_ext_buffer_device_address: { major: 1, minor: 0, patch: 2 },
  cl_khr_command_buffer: { major: 0, minor: 9, patch: 8 },
  cl_khr_command_buffer_mutable_dispatch: { major: 0, minor: 9, patch: 5 },
  cl_khr_unified_svm: { major: 0, minor: 9, patch: 0 },
};

/** For CL_DEVICE_EXTENSIONS_WITH_VERSION. */
export const versioned = (names: readonly string[]): NameVersion[] =>
  names.map((name) => ({ name, version: REVISIONS[name] ?? { major: 1, minor: 0, patch: 0 } }));

/** For CL_DEVICE_OPENCL_C_FEATURES. */
export const FEATURES: readonly string[] = LANGUAGE_FEATURES.filter(isThere);

/** `--cl-ext` for programs that run on the device. */
export const COMPILER_EXTENSIONS = MISSING.map((name) => `-${name}`).join(',');
