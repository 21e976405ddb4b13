// SPDX-License-Identifier: MIT
export type {
  ArgumentType,
  Candidate,
  Lowering,
  Resolution,
  ResolveBuiltin,
  ResolvedBuiltin,
} from './builtin';
export { prototypeOf, spell } from './prototype';
export { allBuiltinNames, isBuiltinName, resolve } from './resolve';
