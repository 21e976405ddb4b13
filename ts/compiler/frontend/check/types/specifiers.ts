// SPDX-License-Identifier: MIT
//
// From declaration specifiers to types.
import type { Location } from '../../../diagnostics/diagnostic';
import type * as Syntax from '../../ast/syntax';
import { predefinedType } from '../../predefined-types';
import { type Access, imageOf, type Type } from '../../types';
import type { Checker } from '../checker';
import { typeOfOperand } from '../expressions/unevaluated';
import { checkEnum } from './enumerations';
import { applyQualifiers } from './qualifiers';
import { checkRecord } from './records';
import { spell } from './spelling';
import { applyNumberedSpace, applyVectorAttribute } from './type-attributes';
import { checkTypeUse } from './type-names';
import { type TypeUse, unspecified } from './type-use';

export function checkSpecifiers(c: Checker, specifiers: Syntax.Specifiers): TypeUse | undefined {
  const base = specifiedType(c, specifiers);
  if (base === undefined) return undefined;
  const vector = applyVectorAttribute(c, specifiers.attributes, base);
  const use = applyQualifiers(c, vector, specifiers.qualifiers, specifiers.location);
  return use && applyNumberedSpace(c, use, specifiers.attributes);
}

function specifiedType(c: Checker, specifiers: Syntax.Specifiers): TypeUse | undefined {
  const spec = specifiers.type;
  switch (spec.kind) {
    case 'builtin':
      return isSupportedType(c, spec.type, specifiers.location) ? unspecified(spec.type) : undefined;
    case 'typedef':
      return checkTypedefAccess(c, typedefType(c, spec, specifiers), spec.access, specifiers.location);
    case 'image':
      return checkImageType(c, spec, specifiers.location);
    case 'pipe': {
      const packet = c.rules.specifiers(c, spec.packet);
      if (packet === undefined) return undefined;
      if (spec.access === 'read_write') {
        c.reporter.report('pipe-read-write', specifiers.location);
        return undefined;
      }
      return unspecified({ kind: 'pipe', packet: packet.type, access: spec.access ?? 'read_only' });
    }
    case 'record':
      return checkRecord(c, spec);
    case 'enum':
      return checkEnum(c, spec);
    case 'typeof': {
      if (spec.operand.kind === 'type-name') return checkTypeUse(c, spec.operand);
      const object = typeOfOperand(c, spec.operand);
      return object && { ...object, space: undefined };
    }
    case 'auto':
      c.reporter.report('auto-type-without-initializer', specifiers.location);
      return undefined;
    case 'error':
      return undefined;
  }
}

function typedefType(
  c: Checker,
  { name, location }: Extract<Syntax.TypeSpec, { kind: 'typedef' }>,
  specifiers: Syntax.Specifiers,
): TypeUse | undefined {
  const symbol = c.symbols.values.get(name);
  if (symbol?.kind === 'typedef') {
    c.observer?.use(name, { kind: 'typedef', identity: symbol, type: symbol.use.type }, location);
    return symbol.use;
  }
  if (symbol !== undefined) return undefined;
  const type = predefinedType(name, c.language);
  if (type === undefined || !isSupportedType(c, type, specifiers.location)) return undefined;
  return unspecified(type);
}

/** An access qualifier before a typedef's name must repeat that of the typedef. */
function checkTypedefAccess(
  c: Checker,
  use: TypeUse | undefined,
  access: Access | undefined,
  location: Location,
): TypeUse | undefined {
  if (use === undefined || access === undefined) return use;
  const { type } = use;
  if (type.kind !== 'image' && type.kind !== 'pipe') {
    c.reporter.report('access-qualifier-misplaced', location);
  } else if (type.access === access) {
    c.reporter.report('duplicate-specifier', location, { specifier: access });
  } else c.reporter.report('multiple-access-qualifiers', location);
  return use;
}

/** Whether the device claims what the type needs. */
function isSupportedType(c: Checker, type: Type, location: Location): boolean {
  const scalar = type.kind === 'vector' ? type.element : type.kind === 'atomic' ? type.value : type;
  if (scalar.kind !== 'scalar') return true;
  if (scalar.scalar === 'double' && !c.hasDouble) {
    const needs = c.language.version >= 300 ? 'cl_khr_fp64 and __opencl_c_fp64' : 'cl_khr_fp64';
    c.reporter.report('type-requires', location, { type: spell(type), needs });
    return false;
  }
  return true;
}

function checkImageType(
  c: Checker,
  spec: Syntax.TypeSpec & { kind: 'image' },
  location: Location,
): TypeUse | undefined {
  const { image, access = 'read_only' } = spec;
  if (access === 'read_write' && c.language.version < 200) {
    c.reporter.report('read-write-image', location, { type: `${image}_t` });
    return undefined;
  }
  const { version } = c.language;
  if (version >= 300 && !c.has('__opencl_c_images')) {
    c.reporter.report('type-requires', location, { type: `${image}_t`, needs: '__opencl_c_images' });
    return undefined;
  }
  const needs3d = version >= 300 ? '__opencl_c_3d_image_writes' : 'cl_khr_3d_image_writes';
  if (image === 'image3d' && access === 'write_only' && version !== 200 && !c.has(needs3d)) {
    c.reporter.report('type-requires', location, { type: 'image3d_t', needs: needs3d });
    return undefined;
  }
  if (image.includes('msaa') && !c.has('cl_khr_gl_msaa_sharing')) {
    c.reporter.report('type-requires', location, {
      type: `${image}_t`,
      needs: 'cl_khr_gl_msaa_sharing',
    });
    return undefined;
  }
  return unspecified(imageOf(image, access));
}
