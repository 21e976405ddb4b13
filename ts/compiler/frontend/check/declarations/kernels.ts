// SPDX-License-Identifier: MIT
//
// The restrictions on kernels (6.9, 6.11).
import type { VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Type } from '../../types';
import type { Checker } from '../checker';
import type { FunctionEntity } from '../symbols';
import { contains } from '../types/predicates';
import { spell } from '../types/spelling';
import type { FunctionHead } from './function-heads';

export function checkKernel(c: Checker, head: FunctionHead, entity: FunctionEntity): void {
  const { specifiers, declarator, type } = head;
  if (type.result.kind !== 'void') c.reporter.report('kernel-result', declarator.location);
  if (declarator.name === 'main') c.reporter.report('kernel-main', declarator.location);
  if (specifiers.storage === 'static') c.reporter.report('static-kernel', declarator.location);
  for (let i = 0; i < entity.parameters.length; i++) {
    checkKernelParameter(c, entity.parameters[i]!, head.parameters[i]!);
  }
}

function checkKernelParameter(c: Checker, variable: VariableDecl, syntax: Syntax.Parameter): void {
  const { location } = variable;
  const { type } = variable.type;
  const invalid = (what: string) => c.reporter.report('kernel-parameter-type', location, { type: what });
  if (type.kind === 'pointer') {
    const { pointee, space } = type;
    if (space === 'private' || space === 'generic') {
      c.reporter.report('kernel-parameter-space', location);
      return;
    }
    if (pointee.type.kind === 'pointer' && c.language.version < 200) {
      c.reporter.report('kernel-parameter-pointer-pointer', location);
    } else if (
      pointee.type.kind === 'pointer' &&
      (pointee.type.space === 'private' || pointee.type.space === 'generic')
    ) {
      c.reporter.report('kernel-parameter-space', location);
    }
    return;
  }
  if (syntax.declarator.parts.length === 0 && c.types.deviceSizedNames.has(syntax.specifiers.spelling)) {
    invalid(syntax.specifiers.spelling);
    return;
  }
  if (contains(type, isForbiddenInKernel)) {
    if (type.kind === 'record') c.reporter.report('kernel-parameter-record', location, { type: spell(type) });
    else invalid(spell(type));
    return;
  }
  if (type.kind === 'scalar' && type.scalar === 'half' && !c.has('cl_khr_fp16')) invalid('half');
  const notForHost = (each: Type) =>
    each.kind === 'pointer' ||
    (each.kind === 'scalar' && each.scalar === 'half' && !c.hasHalf) ||
    (each.kind === 'record' && c.types.deviceSized.has(each));
  if (type.kind === 'record' && contains(type, notForHost)) {
    c.reporter.report('kernel-parameter-record', location, { type: spell(type) });
  }
}

function isForbiddenInKernel(type: Type): boolean {
  if (type.kind === 'scalar') return type.scalar === 'bool';
  if (type.kind === 'block') return true;
  return (
    type.kind === 'opaque' &&
    (type.name === 'event_t' || type.name === 'reserve_id_t' || type.name === 'ndrange_t')
  );
}
