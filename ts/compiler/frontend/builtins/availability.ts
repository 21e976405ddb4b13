// SPDX-License-Identifier: MIT
//
// When a built-in exists. A condition is alternatives (`|`) of conjunctions (`&`) of
//   CL2.0          the language version is at least this
//   <CL2.0         … or below it
//   cl_khr_fp16    the extension is claimed
//   __opencl_c_…   the feature is there: claimed in OpenCL C 3.0 and later; before, a matter of the version alone
import type { LanguageOptions } from '../language';

/** Features of OpenCL C 3.0 that older versions have unconditionally, and the first of these versions. */
const CORE_SINCE: ReadonlyMap<string, number> = new Map([
  ['__opencl_c_images', 100],
  ['__opencl_c_int64', 100],
  ['__opencl_c_3d_image_writes', 200],
  ['__opencl_c_atomic_order_acq_rel', 200],
  ['__opencl_c_atomic_order_seq_cst', 200],
  ['__opencl_c_atomic_scope_device', 200],
  ['__opencl_c_atomic_scope_all_devices', 200],
  ['__opencl_c_device_enqueue', 200],
  ['__opencl_c_generic_address_space', 200],
  ['__opencl_c_pipes', 200],
  ['__opencl_c_program_scope_global_variables', 200],
  ['__opencl_c_read_write_images', 200],
  ['__opencl_c_work_group_collective_functions', 200],
]);

/** Extensions that provide a feature of 3.0 in older versions. */
const EXTENSION_OF: ReadonlyMap<string, string> = new Map([
  ['__opencl_c_fp64', 'cl_khr_fp64'],
  ['__opencl_c_subgroups', 'cl_khr_subgroups'],
  ['__opencl_c_3d_image_writes', 'cl_khr_3d_image_writes'],
  ['__opencl_c_kernel_clock_scope_device', 'cl_khr_kernel_clock'],
  ['__opencl_c_kernel_clock_scope_work_group', 'cl_khr_kernel_clock'],
  ['__opencl_c_kernel_clock_scope_sub_group', 'cl_khr_kernel_clock'],
]);

function extensionOf(feature: string): string | undefined {
  if (feature.startsWith('__opencl_c_ext_')) return 'cl_ext_float_atomics';
  if (feature.startsWith('__opencl_c_integer_dot_product_')) return 'cl_khr_integer_dot_product';
  return EXTENSION_OF.get(feature);
}

/** Extensions that OpenCL C 3.1 has in its core. */
const CORE_IN_3_1: ReadonlySet<string> = new Set([
  'cl_khr_extended_bit_ops',
  'cl_khr_integer_dot_product',
  'cl_khr_subgroup_extended_types',
  'cl_khr_subgroup_rotate',
  'cl_khr_subgroup_shuffle',
  'cl_khr_subgroup_shuffle_relative',
  'cl_khr_subgroups',
]);

const versionOf = (atom: string): number => Math.round(Number(atom.slice(atom.indexOf('L') + 1)) * 100);

function holdsAtom(atom: string, language: LanguageOptions): boolean {
  if (atom.startsWith('CL')) return language.version >= versionOf(atom);
  if (atom.startsWith('<CL')) return language.version < versionOf(atom);
  if (!atom.startsWith('__opencl_c_'))
    return language.features.has(atom) || (language.version >= 310 && CORE_IN_3_1.has(atom));
  if (language.version >= 300) {
    if (language.version >= 310 && (atom === '__opencl_c_subgroups' || atom.includes('integer_dot_product')))
      return true;
    return language.features.has(atom);
  }
  const since = CORE_SINCE.get(atom);
  if (since !== undefined && language.version >= since) return true;
  const extension = extensionOf(atom);
  return extension !== undefined && language.features.has(extension);
}

/** Whether `condition` holds. There are few conditions, so the results are cached as long as `language` lives. */
export function available(condition: string | undefined, language: LanguageOptions): boolean {
  if (condition === undefined) return true;
  let answers = answersOf.get(language);
  if (answers === undefined) {
    answers = new Map();
    answersOf.set(language, answers);
  }
  let answer = answers.get(condition);
  if (answer === undefined) {
    answer = condition
      .split(' | ')
      .some((all) => all.split(' & ').every((atom) => holdsAtom(atom, language)));
    answers.set(condition, answer);
  }
  return answer;
}
const answersOf = new WeakMap<LanguageOptions, Map<string, boolean>>();

/** The requirement of a function with this condition: `OpenCL C 2.0 or cl_khr_subgroups`. */
export function describeNeeds(condition: string, language: LanguageOptions): string {
  const atom = (text: string): string => {
    if (text.startsWith('CL')) return `OpenCL C ${text.slice(2)} or later`;
    if (text.startsWith('<CL')) return `a version before OpenCL C ${text.slice(3)}`;
    if (!text.startsWith('__opencl_c_')) return `the extension ${text}`;
    const since = CORE_SINCE.get(text);
    if (language.version >= 300) return `the feature ${text}`;
    return since === undefined
      ? `OpenCL C 3.0 with the feature ${text}`
      : `OpenCL C ${(since / 100).toFixed(1)} or later`;
  };
  const alternatives = condition
    .split(' | ')
    .map((all) => [
      ...new Set(
        all
          .split(' & ')
          .filter((a) => !holdsAtom(a, language))
          .map(atom),
      ),
    ])
    .map((parts) => parts.join(' and '));
  return [...new Set(alternatives)].join(', or ');
}
