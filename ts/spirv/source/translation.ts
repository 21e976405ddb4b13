// SPDX-License-Identifier: MIT
//
// What all functions of one translation share.
import { Op, StorageClass } from '../grammar.gen';
import type { Id, Instruction, Module } from '../module';
import { addressOf, elementAddressOf } from './addresses';
import { Constants } from './constants';
import { Tables } from './tables';
import { Types } from './types';

export class Translation {
  readonly tables: Tables;
  readonly types: Types;
  readonly constants: Constants;
  /** Memory is accessed with other types than it was declared with, so accesses must not be assumed distinct by type. */
  readonly reinterprets: boolean;
  /** Pointers to components of built-in variables. */
  readonly builtInComponents = new Map<Id, { variable: Id; index: Id }>();
  /** Loads of which only components are used. */
  readonly onlyExtracted = new Set<Id>();
  /** Built-in functions that the source calls. */
  readonly called = new Set<string>();
  readonly extensions = new Set<string>();
  /** Whether the source needs a version after OpenCL C 1.2. */
  version2 = false;

  constructor(module: Module) {
    this.tables = new Tables(module);
    this.types = new Types(this.tables);
    this.constants = new Constants(this.tables, this.types, (i) => this.address(i));
    this.reinterprets = module.functions.some((f) =>
      f.blocks.some((block) => block.instructions.some((i) => this.isReinterpretation(i))),
    );
  }

  private isReinterpretation(i: Instruction): boolean {
    if (i.op !== Op.Bitcast || this.types.info(i.type).kind !== 'pointer') return false;
    const from = this.tables.definition(i.operands[0]!).type;
    return (
      this.types.info(from).kind !== 'pointer' || this.types.pointee(from) !== this.types.pointee(i.type)
    );
  }

  builtin(name: string): string {
    this.called.add(name);
    return name;
  }

  extension(name: string): void {
    this.extensions.add(name);
  }

  needVersion2(): void {
    this.version2 = true;
  }

  /** Name of a variable of program scope or of a kernel's local memory. */
  variableName(id: Id): string {
    const linkage = this.tables.linkage(id);
    const shared = linkage && (linkage.imported || this.tables.module.entryPoints.length === 0);
    return shared ? linkage.name : `_m${id}`;
  }

  private address(i: Instruction): string | undefined {
    if (i.op === Op.Variable) {
      switch (i.operands[0] as StorageClass) {
        case StorageClass.UniformConstant:
        case StorageClass.CrossWorkgroup:
          return `(&${this.variableName(i.result)})`;
        case StorageClass.Workgroup:
          return `_v${i.result}`;
        default:
          return undefined;
      }
    }
    if (i.op !== Op.SpecConstantOp) return undefined;
    const [op, base, ...rest] = i.operands as [Op, number, ...number[]];
    const view = {
      types: this.types,
      tables: this.tables,
      get: (id: number) => this.constants.expression(id as Id) ?? '0',
      signed: (id: number) => `${this.tables.integer(id) ?? 0}`,
    };
    switch (op) {
      case Op.AccessChain:
      case Op.InBoundsAccessChain:
        return addressOf(view, base, rest);
      case Op.PtrAccessChain:
      case Op.InBoundsPtrAccessChain:
        return elementAddressOf(view, base, rest[0]!, rest.slice(1));
      case Op.Bitcast:
      case Op.PtrCastToGeneric:
      case Op.GenericCastToPtr:
        return `((${this.types.name(i.type)})${view.get(base)})`;
      case Op.ConvertPtrToU:
        return `((${this.types.name(i.type)})${view.get(base)})`;
      default:
        return undefined;
    }
  }
}
