// SPDX-License-Identifier: MIT
//
// Types of the source for a debugger: from OpenCL.DebugInfo.100, or, in a module without, from SPIR-V's types and names.
import { OpenCLDebugInfo as Debug, Op } from '../../spirv/grammar.gen';
import { readString } from '../../spirv/literal-string';
import type { Id, Instruction } from '../../spirv/module';
import type { DebugType, DebugVariable } from '../debug/types';
import { isFloat } from '../ir/types';
import type { ModuleIndex } from './module-index';
import type { TypeInfo } from './types';

/** DWARF's encodings. */
const ENCODINGS: Readonly<Record<number, 'int' | 'uint' | 'float' | 'bool'>> = {
  2: 'bool',
  3: 'float',
  4: 'int',
  5: 'int',
  6: 'uint',
  7: 'uint',
};

const SCALARS: Readonly<Record<string, readonly [size: number, as: 'int' | 'uint' | 'float']>> = {
  char: [1, 'int'],
  uchar: [1, 'uint'],
  short: [2, 'int'],
  ushort: [2, 'uint'],
  int: [4, 'int'],
  uint: [4, 'uint'],
  long: [8, 'int'],
  ulong: [8, 'uint'],
  half: [2, 'float'],
  float: [4, 'float'],
  double: [8, 'float'],
};

/** The operand of a DebugLocalVariable that only parameters have. */
const PARAMETER = 9;

export class DebugTypes {
  private readonly types = new Map<Id, DebugType>();
  private readonly variables = new Map<Id, DebugVariable>();
  /** Structs by their names: pointers to them have no more. */
  private readonly composites = new Map<string, Id>();

  constructor(private readonly index: ModuleIndex) {
    for (const i of index.module.globals)
      if (this.debugOp(i) === Debug.DebugTypeComposite)
        this.composites.set(this.text(i.operands[2]!), i.result);
  }

  /** The number of an instruction of debug information; undefined for others. */
  debugOp({ op, operands }: Instruction): Debug | undefined {
    if (op !== Op.ExtInst) return undefined;
    const set = this.index.extInstSets.get(operands[0]! as Id);
    return set === 'OpenCL.DebugInfo.100' ? (operands[1]! as Debug) : undefined;
  }

  private text(id: number): string {
    return this.index.strings.get(id as Id) ?? '';
  }

  private bytes(id: number): number {
    return (this.index.constants.tryInteger(id as Id) ?? 0) / 8;
  }

  parentOf(scope: number): number | undefined {
    const i = this.index.find(scope as Id);
    return i && this.debugOp(i) === Debug.DebugLexicalBlock ? i.operands[5] : undefined;
  }

  /** A DebugLocalVariable or DebugGlobalVariable. */
  variable(id: Id): DebugVariable | undefined {
    const known = this.variables.get(id);
    if (known) return known;
    const i = this.index.find(id);
    const op = i && this.debugOp(i);
    if (!i || (op !== Debug.DebugLocalVariable && op !== Debug.DebugGlobalVariable)) return undefined;
    const [, , name, type, , , , scope] = i.operands as [Id, Id, Id, Id, Id, Id, Id, Id];
    const variable = {
      name: this.text(name),
      type: this.type(type),
      scope: op === Debug.DebugLocalVariable ? scope : undefined,
    };
    this.variables.set(id, variable);
    return variable;
  }

  /** Whether an id is a DebugLocalVariable with the number of a parameter. */
  isParameter(id: Id): boolean {
    const i = this.index.find(id);
    return i !== undefined && this.debugOp(i) === Debug.DebugLocalVariable && i.operands.length > PARAMETER;
  }

  private type(id: Id): DebugType {
    const known = this.types.get(id);
    if (known) return known;
    const made = this.make(id);
    this.types.set(id, made);
    return made;
  }

  private make(id: Id): DebugType {
    const i = this.index.find(id);
    const [, , first, second, third] = (i?.operands ?? []) as [Id, Id, Id, Id, Id];
    switch (i && this.debugOp(i)) {
      case Debug.DebugTypeBasic: {
        const as = ENCODINGS[third];
        const [name, size] = [this.text(first), this.bytes(second)];
        return as ? { kind: 'scalar', name, size, as } : this.named(name, size);
      }
      case Debug.DebugTypePointer: {
        const to = this.type(first);
        // A struct may refer to itself: what a pointer leads to is looked up by its name.
        return { kind: 'pointer', name: `${to.name} *`, size: 8, to };
      }
      case Debug.DebugTypeVector:
        return vectorOf(this.type(first), second);
      case Debug.DebugTypeArray:
        return arrayOf(this.type(first), this.index.constants.tryInteger(second) ?? 0);
      case Debug.DebugTypeQualifier:
        return this.type(first);
      case Debug.DebugTypedef:
        return this.type(second);
      case Debug.DebugTypeComposite:
        return this.struct(i!);
      default:
        return { kind: 'opaque', name: 'opaque', size: 0 };
    }
  }

  /** Of a type that is only named: a long vector, a struct. */
  private named(name: string, size: number): DebugType {
    const [, scalar, count] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
    const known = scalar === undefined ? undefined : SCALARS[scalar];
    if (known)
      return vectorOf({ kind: 'scalar', name: scalar!, size: known[0], as: known[1] }, Number(count));
    const composite = this.composites.get(name);
    return composite === undefined ? { kind: 'opaque', name, size } : this.type(composite);
  }

  private struct({ operands, result }: Instruction): DebugType {
    const members: { name: string; offset: number; type: DebugType }[] = [];
    const [name, size] = [this.text(operands[2]!), this.bytes(operands[9]!)];
    const struct: DebugType = { kind: 'struct', name: `struct ${name}`.trim(), size, members };
    // Before its members, which may point to it.
    this.types.set(result, struct);
    for (const id of operands.slice(11)) {
      const member = this.index.find(id as Id);
      if (!member || this.debugOp(member) !== Debug.DebugTypeMember) continue;
      const [, , memberName, type, , , , , offset] = member.operands as Id[];
      members.push({ name: this.text(memberName!), offset: this.bytes(offset!), type: this.type(type!) });
    }
    return struct;
  }

  /** Of SPIR-V's type alone, where integers have no sign. */
  plain(info: TypeInfo): DebugType {
    const { size } = info;
    switch (info.kind) {
      case 'scalar': {
        const as = isFloat(info.scalar) ? 'float' : size === 0 ? 'bool' : 'int';
        const name = Object.entries(SCALARS).find(([, known]) => known[0] === size && known[1] === as)?.[0];
        return { kind: 'scalar', name: name ?? 'bool', size: size || 1, as };
      }
      case 'vector':
        return vectorOf(this.plain(info.element!), info.count);
      case 'array':
        return arrayOf(this.plain(info.element!), info.count);
      case 'struct': {
        const members = info.members!.map((member, at) => ({
          name: this.memberName(info.id, at),
          offset: info.offsets![at]!,
          type: this.plain(member),
        }));
        return { kind: 'struct', name: this.index.names.get(info.id) ?? 'struct', size, members };
      }
      case 'pointer': {
        const pointee = this.index.types.pointee(info);
        // What it leads to may contain it.
        const to = pointee.kind === 'scalar' || pointee.kind === 'vector' ? this.plain(pointee) : undefined;
        return { kind: 'pointer', name: `${to?.name ?? 'void'} *`, size, to };
      }
      default:
        return { kind: 'opaque', name: info.kind, size };
    }
  }

  private memberName(struct: Id, at: number): string {
    const found = this.index.module.debug.find(
      ({ op, operands }) => op === Op.MemberName && operands[0] === struct && operands[1] === at,
    );
    return (found && readString(found.operands, 2)?.text) ?? `member${at}`;
  }
}

function vectorOf(element: DebugType, count: number): DebugType {
  const size = element.size * (count === 3 ? 4 : count);
  return { kind: 'vector', name: `${element.name}${count}`, size, element, count };
}

const arrayOf = (element: DebugType, count: number): DebugType => ({
  kind: 'array',
  name: `${element.name}[${count}]`,
  size: element.size * count,
  element,
  count,
});
