// SPDX-License-Identifier: MIT
//
// The checked AST as indented text, for `--emit=ast`: one node a line, its kind first, then what it says, then its type.
import type { Expr, FunctionDecl, Stmt, Unit, VariableDecl } from '../../compiler/frontend/ast/checked';
import { spell, spellObject } from '../../compiler/frontend/check/types/spelling';
import type { QualType, Type } from '../../compiler/frontend/types';

type Node = Unit | FunctionDecl | VariableDecl | Stmt | Expr;

/** The members that describe a node; all other objects within it are its children. */
const WORDS = [
  'name',
  'op',
  'cast',
  'value',
  'indices',
  'delta',
  'prefix',
  'target',
  'storage',
  'isKernel',
] as const;
const LEAVES = new Set<string>([
  ...WORDS,
  'kind',
  'type',
  'object',
  'location',
  'end',
  'attributes',
  'field',
  'computeType',
  'typeName',
]);

export function astText(unit: Unit): string {
  const lines: string[] = [];
  for (const variable of unit.variables) print(variable, 0, lines);
  for (const fn of unit.functions) print(fn, 0, lines);
  return `${lines.join('\n')}\n`;
}

function print(node: Node, depth: number, lines: string[]): void {
  const record = node as unknown as Record<string, unknown>;
  const words = WORDS.filter((key) => isWord(record[key])).map((key) => wordText(key, record[key]));
  const type = record['type'] as Type | QualType | undefined;
  lines.push(
    `${'  '.repeat(depth)}${[record['kind'] ?? 'unit', ...words].join(' ')}${type ? ` : ${spelled(type)}` : ''}`,
  );
  for (const [key, child] of Object.entries(record)) {
    if (LEAVES.has(key) && isWord(child)) continue;
    if (key === 'type' || key === 'object' || key === 'attributes' || key === 'computeType') continue;
    // References to declarations are printed by name: following them would not terminate.
    if (key === 'variable' || key === 'callee' || key === 'builtin') {
      const target = child as { name: string; init?: Expr };
      lines.push(`${'  '.repeat(depth + 1)}${key} ${target.name}`);
    } else if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) print(item, depth + 1, lines);
    } else if (isNode(child)) {
      print(child, depth + 1, lines);
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'kind' in value && 'location' in value;

const isWord = (value: unknown): boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'number'));

const wordText = (key: string, value: unknown): string =>
  typeof value === 'boolean'
    ? value
      ? key
      : ''
    : Array.isArray(value)
      ? `[${value.join(' ')}]`
      : String(value);

const spelled = (type: Type | QualType): string => ('kind' in type ? spell(type) : spellObject(type));
