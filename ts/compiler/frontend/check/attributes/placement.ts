// SPDX-License-Identifier: MIT
//
// Whether an attribute is known and allowed where it is.
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { type AttributeSubject, attributeRule } from './subjects';

/** Attributes that are allowed anywhere, or whose place is checked where they are read. */
export const IGNORED: ReadonlySet<string> = new Set([
  'aligned',
  'endian',
  'unused',
  'may_alias',
  'deprecated',
  'vector_size',
  'annotate',
  'enable_if',
  'unavailable',
  'max_work_group_size',
  'address_space',
  'opencl_global',
  'opencl_local',
  'opencl_constant',
  'opencl_private',
  'opencl_generic',
  'xcl_pipeline_loop',
  'reqd_pipe_depth',
  'reqd_work_group_size',
  'work_group_size_hint',
  'vec_type_hint',
  'intel_reqd_sub_group_size',
  'opencl_unroll_hint',
  'const',
  'pure',
  'fallthrough',
  'selectany',
  'availability',
  'unroll',
]);

const OF_KERNELS: ReadonlySet<string> = new Set([
  'reqd_work_group_size',
  'work_group_size_hint',
  'vec_type_hint',
  'intel_reqd_sub_group_size',
]);

/** Reports attributes that are unknown, or not allowed on the subject. */
export function checkAttributeSubjects(
  c: Checker,
  list: readonly Syntax.Attribute[],
  subject: AttributeSubject,
): void {
  for (const { name, location } of list) {
    const rule = attributeRule(name);
    const isType = subject === 'typedef' || subject === 'record' || subject === 'field' || subject === 'enum';
    if (isType && OF_KERNELS.has(name)) {
      c.reporter.report('attribute-subject', location, { name, appliesTo: 'functions' });
    } else if (rule === undefined) {
      if (!IGNORED.has(name)) c.reporter.report('unknown-attribute', location, { name });
    } else if (!rule.subjects.includes(subject)) {
      const { appliesTo, isError } = rule;
      if (appliesTo === undefined) c.reporter.report('attribute-ignored', location, { name });
      else if (isError) c.reporter.report('attribute-subject', location, { name, appliesTo });
      else c.reporter.report('attribute-off-subject', location, { name, appliesTo });
    }
  }
}

export const isOverloadable = (attributes: readonly Syntax.Attribute[]): boolean =>
  attributes.some((attribute) => attribute.name === 'overloadable');
