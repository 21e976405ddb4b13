// SPDX-License-Identifier: MIT
//
// Vectors, structs and arrays of SPIR-V in OpenCL C: their parts, and how they are made of parts.
import { Op } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import type { Body, Statements } from './body';
import { isBuiltIn, workItemCall } from './memory';

/** `.s3`, `.m1.e[2]`: from a value of `type` to a part of it. */
function path(b: Body, type: Id, indices: readonly number[]): string {
  let text = '';
  let at = type;
  for (const index of indices) {
    const definition = b.t.tables.definition(at);
    if (definition.op === Op.TypeStruct) {
      text += `.m${index}`;
      at = definition.operands[index]! as Id;
    } else {
      text += definition.op === Op.TypeArray ? `.e[${index}]` : component(index);
      at = definition.operands[0]! as Id;
    }
  }
  return text;
}

const component = (index: number): string => `.s${index.toString(16)}`;

/** A component of a vector of bool is a char, its value a bool, and the other way round. */
const isBoolVector = (b: Body, type: Id): boolean => b.info(type).kind === 'bool' && b.info(type).count > 1;

function extract(b: Body, i: Instruction): void {
  const [from, ...indices] = i.operands as [Id, ...number[]];
  const definition = b.t.tables.definition(from);
  if (definition.op === Op.Load && isBuiltIn(b, definition.operands[0]!) && indices.length === 1) {
    const call = workItemCall(b, definition.operands[0]! as Id, `${indices[0]}`);
    b.define(i, `(${b.t.types.name(i.type)})${call}`);
    return;
  }
  const type = b.typeOf(from);
  b.define(i, `${b.get(from)}${path(b, type, indices)}${isBoolVector(b, type) ? ' != 0' : ''}`);
}

function insert(b: Body, i: Instruction): void {
  const [part, whole, ...indices] = i.operands as [Id, Id, ...number[]];
  const name = b.declare(i.result, i.type);
  if (b.t.tables.definition(whole).op !== Op.Undef) b.line(`${name} = ${b.get(whole)};`);
  const text = b.get(part);
  b.line(`${name}${path(b, i.type, indices)} = ${isBoolVector(b, i.type) ? `-${text}` : text};`);
}

function construct(b: Body, i: Instruction): void {
  const parts = b.gets(i.operands);
  const { kind, count } = b.info(i.type);
  if (kind === 'struct' || kind === 'array') {
    const name = b.declare(i.result, i.type);
    for (const [at, part] of parts.entries()) b.line(`${name}${path(b, i.type, [at])} = ${part};`);
    return;
  }
  const texts =
    kind === 'bool' && count > 1
      ? parts.map((part, at) => (b.info(b.typeOf(i.operands[at]!)).count > 1 ? part : `(char)-${part}`))
      : parts;
  b.define(i, `(${b.t.types.name(i.type)})(${texts.join(', ')})`);
}

const UNDEFINED = 0xffffffff;

function shuffle(b: Body, i: Instruction): void {
  const [x, y, ...indices] = i.operands as [Id, Id, ...number[]];
  const count = b.info(b.typeOf(x)).count;
  const sources = indices.map((index) => (index >>> 0 === UNDEFINED ? 0 : index));
  const isFirst = sources.every((s) => s < count);
  if (isFirst || sources.every((s) => s >= count)) {
    const swizzle = sources.map((s) => (isFirst ? s : s - count).toString(16));
    b.define(i, `${b.get(isFirst ? x : y)}.s${swizzle.join('')}`);
    return;
  }
  const [first, second] = [b.get(x), b.get(y)];
  const parts = sources.map((s) => (s < count ? first + component(s) : second + component(s - count)));
  b.define(i, `(${b.t.types.name(i.type)})(${parts.join(', ')})`);
}

/** The vector in memory, for an index that is known at run time only. */
function inMemory(b: Body, vector: Id, index: Id): { vector: string; element: string } {
  const type = b.typeOf(vector);
  const name = b.temporary(b.t.types.name(type), b.get(vector));
  const element = b.info(type).kind === 'bool' ? 'char' : b.t.types.name(b.t.types.element(type));
  return { vector: name, element: `((${element} private *)&${name})[${b.get(index)}]` };
}

function extractDynamic(b: Body, i: Instruction): void {
  const [vector, index] = i.operands as [Id, Id];
  b.set(i, inMemory(b, vector, index).element);
}

function insertDynamic(b: Body, i: Instruction): void {
  const [vector, part, index] = i.operands as [Id, Id, Id];
  const memory = inMemory(b, vector, index);
  b.line(`${memory.element} = ${isBoolVector(b, i.type) ? '-' : ''}${b.get(part)};`);
  b.set(i, memory.vector);
}

export const COMPOSITES: Statements = {
  [Op.CompositeExtract]: extract,
  [Op.CompositeInsert]: insert,
  [Op.CompositeConstruct]: construct,
  [Op.VectorShuffle]: shuffle,
  [Op.VectorExtractDynamic]: extractDynamic,
  [Op.VectorInsertDynamic]: insertDynamic,
};
