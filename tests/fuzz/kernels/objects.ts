// SPDX-License-Identifier: MIT
//
// Random kernels of objects in memory: unions that are read as another type than they were written as, records with padding in
// records, components of vectors on the left of assignments, pointers to pointers, tables of pointers, variables of the program,
// in every address space. Each work-item has objects of its own. object-statements.ts writes what happens to them.
import { Shapes } from '../shapes';
import { condition, expression } from './expressions';
import {
  PARAMETERS,
  type Place,
  type RandomKernel,
  RESULTS,
  scalar,
  type Triple,
  type Variable,
} from './model';
import { declare, type Objects, type OwnObject, places, type Space, type ValuePlace } from './object-places';
import { objectStatement } from './object-statements';

import { hashOf } from './private-arrays';
import { declaration, statements } from './statements';
import { Writer } from './writer';

/** Work-items of the largest launch: variables of the program have as many elements. */
const MOST_ITEMS = 256;

/** Sixteen bytes without padding, of integers and of what only statements write. */
const UNION: Extract<OwnObject['shape'], { kind: 'record' }> = {
  kind: 'record',
  name: 'Overlay16',
  isUnion: true,
  isClosed: false,
  fields: [
    { name: 'w', shape: { kind: 'array', length: 2, element: { kind: 'value', base: 'ulong', count: 1 } } },
    { name: 'v', shape: { kind: 'value', base: 'uint', count: 4 } },
    { name: 'i', shape: { kind: 'array', length: 4, element: { kind: 'value', base: 'int', count: 1 } } },
    { name: 's', shape: { kind: 'value', base: 'ushort', count: 8 } },
    { name: 'h', shape: { kind: 'array', length: 8, element: { kind: 'value', base: 'short', count: 1 } } },
    { name: 'o', shape: { kind: 'array', length: 2, element: { kind: 'value', base: 'uchar', count: 8 } } },
    { name: 'b', shape: { kind: 'array', length: 16, element: { kind: 'value', base: 'uchar', count: 1 } } },
    { name: 'c', shape: { kind: 'value', base: 'char', count: 16 } },
    {
      name: 'r',
      shape: {
        kind: 'record',
        name: 'Parts16',
        isUnion: false,
        isClosed: false,
        fields: [
          { name: 'a', shape: { kind: 'value', base: 'short', count: 1 } },
          { name: 'b', shape: { kind: 'value', base: 'char', count: 1 } },
          { name: 'c', shape: { kind: 'value', base: 'uchar', count: 1 } },
          { name: 'd', shape: { kind: 'value', base: 'int', count: 1 } },
          { name: 'e', shape: { kind: 'value', base: 'long', count: 1 } },
        ],
      },
    },
  ],
};

const UNION_TEXT = `typedef struct { short a; char b; uchar c; int d; long e; } Parts16;
typedef union {
  ulong w[2]; uint4 v; int i[4]; ushort8 s; short h[8]; uchar8 o[2]; uchar b[16]; char16 c; Parts16 r; float4 f;
} Overlay16;`;

export function randomObjectKernel(seed: number, { portable = false } = {}): RandomKernel {
  const w = new Writer(seed, portable, { expression, condition, statements: mixed });
  const { chance } = w;
  const shapes = new Shapes(chance);
  const parts = ['#pragma OPENCL FP_CONTRACT OFF', Shapes.union, UNION_TEXT];
  shapes.records.push(UNION, UNION);
  for (let i = chance.integer(1, 3); i > 0; i--) parts.push(shapes.declare());
  const objects: Objects = { shapes, list: [], functions: [] };
  written.set(w, objects);
  parts.push(
    `constant uint table[8] = { ${Array.from({ length: 8 }, () => `${chance.integer(0, 0xffffffff)}u`).join(', ')} };`,
    'constant uint *constant inTable[4] = { table + 3, &table[0], table + 1, &table[4] };',
  );
  for (let i = chance.integer(1, 2); i > 0; i--) parts.push(constantTable(w, objects));
  if (!portable) for (let i = chance.integer(0, 2); i > 0; i--) parts.push(programVariable(w, objects));
  for (const shape of new Set(shapes.records)) parts.push(copyFunction(w, objects, shape.name));
  parts.push(kernel(w, objects));
  return { source: `${parts.join('\n')}\n`, ...sizes(chance) };
}

const written = new WeakMap<Writer, Objects>();

/** Statements of objects, and in between those of all random kernels. */
function mixed(w: Writer, count: number, place: Place): string {
  const { scope } = w;
  const outer = [...scope];
  let text = '';
  for (let i = 0; i < count; i++)
    text += w.chance.with(0.6) ? objectStatement(w, written.get(w)!, place) : statements(w, 1, place);
  if (place.indent !== '  ') w.scope = outer;
  return text;
}

function sizes(chance: Writer['chance']): { global: Triple; local: Triple } {
  const local = chance.pick<Triple>([[1, 1, 1], [4, 1, 1], [8, 1, 1], [16, 1, 1], [32, 1, 1], [7, 1, 1], [8, 2, 1], [5, 3, 1], [4, 4, 1]]); // biome-ignore format: a table
  return { global: [local[0] * chance.integer(1, 3), local[1] * chance.integer(1, 2), 1], local };
}

function constantTable(w: Writer, { shapes, list }: Objects): string {
  const element = smallShape(w, shapes, 2);
  const name = w.fresh('K');
  const shape = { kind: 'array', element, length: w.chance.pick([2, 4]) } as const;
  list.push({ name, shape, space: 'constant' });
  return `constant ${declare(shape, name)} = ${shapes.initializer(shape)};`;
}

/** One element for each work-item, most of them zero at first. */
function programVariable(w: Writer, { shapes, list }: Objects): string {
  const element = smallShape(w, shapes, 2);
  const name = w.fresh('G');
  const initializer = w.chance.with(0.7)
    ? ` = { ${shapes.initializer(element)}, ${shapes.initializer(element)} }`
    : '';
  const shape = { kind: 'array', element, length: MOST_ITEMS } as const;
  list.push({ name: `${name}[gid]`, shape: element, space: 'global' });
  return `${w.chance.with(0.3) ? 'static ' : ''}global ${declare(shape, name)}${initializer};`;
}

/** A shape with few enough values that hashing all takes little. */
function smallShape(w: Writer, shapes: Shapes, depth: number): OwnObject['shape'] {
  for (let tries = 0; tries < 20; tries++) {
    const shape = shapes.any(depth);
    if (places({ name: '', shape, space: 'private' }).length <= 40) return shape;
  }
  return w.chance.with(0.5) ? UNION : shapes.value();
}

/** Takes a record, changes it and gives it back, or one that it is given by pointer. */
function copyFunction(w: Writer, { shapes, functions }: Objects, name: string): string {
  const shape = shapes.records.find((record) => record.name === name)!;
  const changed: ValuePlace | undefined = w.chance.pick(
    places({ name: 'a', shape, space: 'private' }).filter(({ type }) => type.count === 1),
  );
  const change = changed ? `${changed.name} = (${changed.type.base})(k & 63);` : '';
  functions.push({ name: `of${name}`, shape });
  return `static ${name} of${name}(${name} a, const ${name} *b, uint k) { ${change} if (k & 1) return *b; return a; }`;
}

function kernel(w: Writer, objects: Objects): string {
  const { chance } = w;
  const { shapes, list } = objects;
  w.inKernel = true;
  // The elements that `mine` leads to.
  w.layouts.slots = 'rows';
  let text = `kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0), y = get_global_id(1), z = 0;
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = 0;
  const uint W = get_global_size(0), H = get_global_size(1), D = 1, N = W * H, LS = get_local_size(0) * get_local_size(1);
  const uint gid = y * W + x, lid = ly * get_local_size(0) + lx;
  loc[lid] = 0;
  local Overlay16 kept[64];
  global Overlay16 *mine = (global Overlay16 *)slots + gid;
`;
  const bySpace: [string, Space][] = [['kept[lid]', 'local'], ['(*mine)', 'global']]; // biome-ignore format: a table
  for (const [name, space] of bySpace) {
    text += `  ${name}.v = vload4((gid + ${chance.integer(0, 9)}) & 63, in);\n`;
    list.push({ name, shape: UNION, space });
  }
  for (let i = chance.integer(2, 4); i > 0; i--) {
    const shape =
      i === 1 ? { kind: 'array' as const, element: shapes.value(), length: 8 } : smallShape(w, shapes, 3);
    const name = w.fresh('o');
    list.push({ name, shape, space: 'private' });
    text += `  ${declare(shape, name)} = ${shapes.initializer(shape)};\n`;
  }
  w.arrays = [];
  text += '  // statements\n';
  for (const type of [scalar('uint'), scalar('uint'), scalar('ulong'), scalar('ulong')])
    text += declaration(w, '  ', type, false);
  for (let i = 0; i < 3; i++) text += declaration(w, '  ', w.type(), false);
  text += declaration(
    w,
    '  ',
    { base: chance.pick(['uint', 'uchar', 'short'] as const), count: chance.pick([4, 8, 16]) },
    false,
  );
  const kept = [...w.scope];
  for (const object of list)
    if (object.space !== 'constant')
      for (const place of places(object))
        if (chance.with(0.15)) w.scope.push({ ...place, uniform: false, writable: true });
  w.budget = 16;
  text += w.statements(chance.integer(8, 14), { indent: '  ', uniform: false, loop: 'none', staying: true });
  return `${text}${epilogue(objects, kept)}}\n`;
}

/** Writes the values of all variables and objects to `out`. */
function epilogue({ list }: Objects, kept: readonly Variable[]): string {
  let text = '  ulong h = 0;\n';
  kept.forEach(({ name, type }, i) => {
    text += `  out[gid * ${RESULTS.out} + ${i % (RESULTS.out - 1)}] ${i < RESULTS.out - 1 ? '=' : '+='} ${hashOf(name, type)};\n`;
  });
  for (const object of list)
    if (object.space !== 'constant')
      for (const { name, type } of places(object)) text += `  h = h * 31 + ${hashOf(name, type)};\n`;
  return `${text}  out[gid * ${RESULTS.out} + ${RESULTS.out - 1}] = h;\n`;
}
