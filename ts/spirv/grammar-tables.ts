// SPDX-License-Identifier: MIT
//
// What SPIR-V's grammar says of operands, for those who validate or print foreign modules. Most programs need none of it, and
// as text (grammar-rows.gen.ts) it costs a process nothing. A row is an instruction or an enumerant, its fields are separated by
// bars: number, names by commas, operands by semicolons, version, capabilities, extensions. A row `=NAME|…` begins a group.
import { extendedRows, instructionRows, operandKindRows } from './grammar-rows.gen';

/** [kind, quantifier ('' one, '?' optional, '*' any number), name] */
export type OperandSpec = readonly [kind: string, quantifier: string, name?: string];
interface Requirements {
  readonly capabilities?: readonly string[];
  readonly extensions?: readonly string[];
  /** First core version that has it: major << 8 | minor; 0 if only an extension provides it. */
  readonly version: number;
}
export interface InstructionSpec extends Requirements {
  readonly name: string;
  readonly operands: readonly OperandSpec[];
}
export interface EnumerantSpec extends Requirements {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly value: number;
  readonly parameters?: readonly OperandSpec[];
}
export interface OperandKindSpec {
  readonly category: 'BitEnum' | 'ValueEnum' | 'Id' | 'Literal' | 'Composite';
  readonly enumerants?: readonly EnumerantSpec[];
  readonly bases?: readonly string[];
}

export interface GrammarTables {
  /** By opcode. */
  readonly instructions: ReadonlyMap<number, InstructionSpec>;
  /** By import name, then by number. */
  readonly extended: Readonly<Record<string, ReadonlyMap<number, InstructionSpec>>>;
  readonly operandKinds: Readonly<Record<string, OperandKindSpec>>;
}

let tables: GrammarTables | undefined;

export function grammarTables(): GrammarTables {
  tables ??= {
    instructions: instructionsOf(rowsOf(instructionRows())),
    extended: Object.fromEntries(
      groupsOf(extendedRows()).map(({ head, rows }) => [head[0]!, instructionsOf(rows)]),
    ),
    operandKinds: Object.fromEntries(
      groupsOf(operandKindRows()).map(({ head, rows }) => [head[0]!, kindOf(head, rows)]),
    ),
  };
  return tables;
}

type Row = readonly string[];

const CORE_VERSION = 0x100;

const rowsOf = (text: string): readonly Row[] => text.split('\n').map((line) => line.split('|'));

function groupsOf(text: string): readonly { readonly head: Row; readonly rows: readonly Row[] }[] {
  const groups: { head: Row; rows: Row[] }[] = [];
  for (const row of rowsOf(text)) {
    if (row[0]!.startsWith('=')) groups.push({ head: [row[0]!.slice(1), ...row.slice(1)], rows: [] });
    else groups[groups.length - 1]!.rows.push(row);
  }
  return groups;
}

const instructionsOf = (rows: readonly Row[]): ReadonlyMap<number, InstructionSpec> =>
  new Map(
    rows.map(([opcode, name, operands, ...requirements]) => [
      Number(opcode),
      { name: name!, operands: operandsOf(operands), ...requirementsOf(requirements) },
    ]),
  );

function kindOf([, category, bases]: Row, rows: readonly Row[]): OperandKindSpec {
  return {
    category: category as OperandKindSpec['category'],
    ...(rows.length > 0 && { enumerants: rows.map(enumerantOf) }),
    ...(bases && { bases: bases.split(',') }),
  };
}

function enumerantOf([value, names, parameters, ...requirements]: Row): EnumerantSpec {
  const [name, ...aliases] = names!.split(',');
  return {
    name: name!,
    value: Number(value),
    ...(aliases.length > 0 && { aliases }),
    ...(parameters && { parameters: operandsOf(parameters) }),
    ...requirementsOf(requirements),
  };
}

function requirementsOf([version, capabilities, extensions]: Row): Requirements {
  return {
    ...(capabilities && { capabilities: capabilities.split(',') }),
    ...(extensions && { extensions: extensions.split(',') }),
    version: version ? Number(version) : CORE_VERSION,
  };
}

const OPERAND = /^(\w+)([?*]?)(?::(.*))?$/;

function operandsOf(list: string | undefined): readonly OperandSpec[] {
  if (!list) return [];
  return list.split(';').map((operand) => {
    const [, kind, quantifier, name] = OPERAND.exec(operand)!;
    return name === undefined ? [kind!, quantifier!] : [kind!, quantifier!, name];
  });
}
