// SPDX-License-Identifier: MIT
//
// The lowering of calls to built-in functions.
import { invariant } from '../../../base/invariant';
import { BuiltIn, Op, OpenCLStd } from '../../../spirv/grammar.gen';
import type { BuiltinCall } from '../../frontend/ast/checked';
import type { Lowering } from '../../frontend/builtins/builtin';
import { asyncCopyEmitters } from './async-copy';
import { atomicEmitters } from './atomics';
import { compilerFunctionEmitters } from './compiler-functions';
import { conversionEmitters } from './conversions';
import { deviceSideEmitters } from './device-side';
import { groupEmitters } from './groups';
import { imageEmitters } from './images';
import { mathEmitters } from './math';
import { memoryEmitters } from './memory';
import { memoryFunctionEmitters } from './memory-functions';
import { miscellaneousEmitters } from './miscellaneous';
import { motionEstimationEmitters } from './motion-estimation';
import { relationalEmitters } from './relational';
import {
  type BuiltinHost,
  constantOf,
  type Emitter,
  fromBool,
  type Id,
  isFloating,
  NO_ID,
  opcodeOf,
  type Site,
} from './site';
import { synchronizationEmitters } from './synchronization';
import { vendorEmitters } from './vendor';

/** The functions that the table names as `custom`. */
export const EMITTERS: ReadonlyMap<string, Emitter> = new Map<string, Emitter>(
  [
    asyncCopyEmitters,
    atomicEmitters,
    compilerFunctionEmitters,
    conversionEmitters,
    deviceSideEmitters,
    groupEmitters,
    imageEmitters,
    mathEmitters,
    memoryEmitters,
    memoryFunctionEmitters,
    miscellaneousEmitters,
    motionEstimationEmitters,
    relationalEmitters,
    synchronizationEmitters,
    vendorEmitters,
  ].flatMap((family) => Object.entries(family)),
);

/** A built-in variable: a scalar, or the component that the argument chooses, `absent` beyond the third. */
function variable({ host, builder: b, args, type }: Site, name: string, absent: number | undefined): Id {
  const builtIn = BuiltIn[name as keyof typeof BuiltIn];
  const index = args[0];
  if (index === undefined || absent === undefined) return host.builtInValue(builtIn, type);
  const beyond = b.constantInt(type, absent);
  const known = constantOf(b, index);
  if (known !== undefined && known > 2) return beyond;
  const vector = host.builtInValue(builtIn, b.vector(type, 3));
  if (known !== undefined) return b.emit(Op.CompositeExtract, type, [vector, known]);
  const component = b.emit(Op.VectorExtractDynamic, type, [vector, index]);
  const isThere = b.emit(Op.ULessThan, b.bool(), [index, b.constantInt(b.typeOf(index), 3)]);
  return b.emit(Op.Select, type, [isThere, component, beyond]);
}

function core({ builder: b, args, type }: Site, opcode: string): Id {
  const op = opcodeOf(opcode);
  if (b.definitionOf(type)?.op === Op.TypeVoid) {
    b.emitVoid(op, [...args]);
    return NO_ID;
  }
  if (op !== Op.IsValidEvent && op !== Op.IsValidReserveId) return b.emit(op, type, [...args]);
  return fromBool(b, b.emit(op, b.bool(), [...args]), type);
}

/**
 * Emits the call of a built-in; returns its value, NO_ID for void. `args` are the values of the call's
 * arguments, printf's further ones included, NO_ID for a block.
 */
export function lowerBuiltin(host: BuiltinHost, call: BuiltinCall, args: readonly Id[]): Id {
  const { builtin } = call;
  const lowering: Lowering = builtin.lowering;
  const b = host.builder;
  const data = lowering.kind === 'custom' && lowering.data ? lowering.data.split(' ') : [];
  const site: Site = { host, builder: b, call, builtin, args, type: host.typeOf(builtin.result), data };
  switch (lowering.kind) {
    case 'extended': {
      const instruction = OpenCLStd[lowering.instruction as keyof typeof OpenCLStd];
      const value = b.openClStd(instruction, site.type, [...args]);
      if (instruction < OpenCLStd.s_abs && isFloating(b, site.type)) host.allowFastMath(value);
      return builtin.result.kind === 'void' ? NO_ID : value;
    }
    case 'core':
      return core(site, lowering.opcode);
    case 'variable':
      return variable(site, lowering.builtIn, lowering.absent);
    case 'custom': {
      const emit = EMITTERS.get(lowering.name);
      invariant(emit !== undefined, `no lowering named ${lowering.name}`);
      return emit(site);
    }
  }
}

export type { BlockParts, BuiltinHost } from './site';
