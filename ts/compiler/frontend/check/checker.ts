// SPDX-License-Identifier: MIT
//
// The state of all rules: the symbols, the open function, and the results for the unit so far. Rules are functions that take it
// as first parameter; a rule calls those of other folders through `rules`.
import type { Reporter } from '../../diagnostics/reporter';
import type { VariableDecl } from '../ast/checked';
import type { ResolveBuiltin } from '../builtins/builtin';
import type { LanguageOptions } from '../language';
import type { NameObserver } from '../name-observer';
import { type AddressSpace, type ScalarType, scalarOf } from '../types';
import { NodeFacts, TypeFacts } from './facts';
import type { OpenFunction } from './open-function';
import type { Rules } from './rules';
import { type FunctionEntity, Symbols } from './symbols';

export class Checker {
  readonly symbols = new Symbols();
  /** Program-scope and static variables, in order. */
  readonly variables: VariableDecl[] = [];
  readonly functions: FunctionEntity[] = [];
  /** Which functions each function calls, to find recursion. */
  readonly calls = new Map<FunctionEntity, ReadonlySet<FunctionEntity>>();
  readonly facts = new NodeFacts();
  readonly types = new TypeFacts();
  /** The function or block whose body is being checked; undefined at file scope. */
  function: OpenFunction | undefined;
  /** The state of FP_CONTRACT at the current place. */
  contract = true;
  readonly enabledExtensions = new Set<string>();
  usesGenericSpace = false;
  /** The number of blocks that have been named. */
  blockCount = 0;
  /** How many statements could not be parsed. */
  syntaxErrors = 0;

  /** The types of `sizeof` and of pointer differences. */
  readonly sizeType: ScalarType;
  readonly differenceType: ScalarType;
  readonly hasGeneric: boolean;
  readonly hasProgramScopeVariables: boolean;
  /** The default address space of pointees. */
  readonly defaultPointee: AddressSpace;

  constructor(
    readonly language: LanguageOptions,
    readonly reporter: Reporter,
    readonly resolve: ResolveBuiltin,
    readonly rules: Rules<Checker>,
    /** Only for editors. */
    readonly observer?: NameObserver,
  ) {
    const { version, addressBits } = language;
    this.sizeType = scalarOf(addressBits === 64 ? 'ulong' : 'uint');
    this.differenceType = scalarOf(addressBits === 64 ? 'long' : 'int');
    this.hasGeneric = version === 200 || (version >= 300 && this.has('__opencl_c_generic_address_space'));
    this.hasProgramScopeVariables =
      version === 200 || (version >= 300 && this.has('__opencl_c_program_scope_global_variables'));
    this.defaultPointee = this.hasGeneric ? 'generic' : 'private';
  }

  /** Whether the device claims an extension or feature. */
  has(feature: string): boolean {
    return this.language.features.has(feature);
  }

  get hasBlocks(): boolean {
    const { version } = this.language;
    return version === 200 || (version >= 300 && this.has('__opencl_c_device_enqueue'));
  }

  get hasDouble(): boolean {
    return this.has('cl_khr_fp64') || this.has('__opencl_c_fp64');
  }

  /** As in clang, `half` is only a pointee before the pragma that enables it. */
  get hasHalf(): boolean {
    return this.has('cl_khr_fp16') && this.enabledExtensions.has('cl_khr_fp16');
  }
}
