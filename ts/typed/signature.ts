// SPDX-License-Identifier: MIT
//
// The signatures of a translation unit's kernels as data, from its checked AST: what `declarations.ts` and `module-code.ts` print.
import type { FunctionDecl, Unit, VariableDecl } from '../compiler/frontend/ast/checked';
import type { ScalarKind } from '../compiler/frontend/scalars';
import type { EnumType, Field, RecordType, Type } from '../compiler/frontend/types';

export type ScalarName = Exclude<ScalarKind, 'bool'>;

/** What an argument, or the memory that it points to, holds. */
export type Shape =
  | { readonly kind: 'scalar'; readonly scalar: ScalarName }
  | { readonly kind: 'vector'; readonly scalar: ScalarName; readonly count: number }
  | { readonly kind: 'struct'; readonly struct: Struct }
  /** Bytes whose layout is not described: it depends on the device (pointers, `size_t`). */
  | { readonly kind: 'bytes'; readonly size: number; readonly why: string };

export interface Member {
  readonly name: string;
  readonly offset: number;
  readonly element: Exclude<Shape, { kind: 'vector' }>;
  /** Of a vector or an array; undefined for one element. */
  readonly count: number | undefined;
}

export interface Struct {
  readonly name: string;
  readonly size: number;
  readonly members: readonly Member[];
}

export type Parameter = { readonly name: string; readonly typeName: string } & (
  | { readonly kind: 'value'; readonly shape: Shape }
  /** `size_t` and its like as elements are as wide as the device's pointers. */
  | { readonly kind: 'memory'; readonly element: Shape | 'unknown' | 'pointer-sized' }
  | { readonly kind: 'local' | 'image' | 'sampler' | 'pipe' | 'queue' }
);

export interface Signature {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

export interface Signatures {
  readonly kernels: readonly Signature[];
  /** All that the kernels' parameters lead to, each after those that it contains. */
  readonly structs: readonly Struct[];
}

/**
 * @param unit checked for pointers of 32 bits
 * @param wide the same for 64 bits: structs that differ have members as wide as pointers (`size_t`), and are not described
 */
export function signaturesOf(unit: Unit, wide: () => Unit | undefined): Signatures {
  const signatures = describe(unit, new Set());
  if (signatures.structs.length === 0) return signatures;
  const other = wide();
  const same = new Set((other ? describe(other, new Set()).structs : []).map((s) => JSON.stringify(s)));
  const differing = signatures.structs.filter((s) => !same.has(JSON.stringify(s))).map(({ name }) => name);
  return differing.length === 0 ? signatures : describe(unit, new Set(differing));
}

/** @param differing the names of structs whose layout depends on the device */
function describe(unit: Unit, differing: ReadonlySet<string>): Signatures {
  const structs = new Structs(differing);
  const kernels = unit.functions.filter((f) => f.isKernel && f.body !== undefined);
  return { kernels: kernels.map((f) => signatureOf(f, structs)), structs: structs.all };
}

const signatureOf = (f: FunctionDecl, structs: Structs): Signature => ({
  name: f.name,
  parameters: f.parameters.map((p, i) => parameterOf(p, i, structs)),
});

/** Typedefs of integers whose width is that of pointers. */
const POINTER_SIZED = /^(?:const |volatile |\s)*(?:size_t|ptrdiff_t|u?intptr_t)\b/;

function parameterOf(p: VariableDecl, index: number, structs: Structs): Parameter {
  const { type } = p.type;
  const described = { name: p.name || `argument${index}`, typeName: p.typeName };
  switch (type.kind) {
    case 'pointer': {
      if (type.space === 'local') return { ...described, kind: 'local' };
      const { type: pointee } = type.pointee;
      if (POINTER_SIZED.test(p.typeName)) return { ...described, kind: 'memory', element: 'pointer-sized' };
      return { ...described, kind: 'memory', element: structs.elementOf(pointee, bareName(p.typeName)) };
    }
    case 'image':
      return { ...described, kind: 'image' };
    case 'pipe':
      return { ...described, kind: 'pipe' };
    case 'opaque':
      return { ...described, kind: type.name === 'queue_t' ? 'queue' : 'sampler' };
    default:
      return { ...described, kind: 'value', shape: structs.shapeOf(type, bareName(p.typeName)) };
  }
}

/** `struct Ball`, `const Ball *` -> `Ball`: the name of a type that may have none but that of its typedef. */
const bareName = (typeName: string): string | undefined =>
  /^(?:const |volatile |struct |union |\s)*([A-Za-z_]\w*)[\s*]*$/.exec(typeName)?.[1];

/** The structs that were met, by their declaration. */
class Structs {
  readonly all: Struct[] = [];
  private readonly known = new Map<RecordType, Struct | string>();

  constructor(private readonly differing: ReadonlySet<string>) {}

  /** Elements of memory: of vectors and arrays their scalars. */
  elementOf(type: Type, name: string | undefined): Shape | 'unknown' {
    if (type.kind === 'void' || type.kind === 'function') return 'unknown';
    if (type.kind === 'array') return this.elementOf(type.element.type, name);
    return this.shapeOf(type, name);
  }

  shapeOf(type: Type, name: string | undefined): Shape {
    switch (type.kind) {
      case 'scalar':
        return { kind: 'scalar', scalar: named(type.scalar) };
      case 'vector':
        return { kind: 'vector', scalar: named(type.element.scalar), count: type.count };
      case 'enum':
        return { kind: 'scalar', scalar: underlying(type) };
      case 'atomic':
        return this.shapeOf(type.value, name);
      case 'record': {
        const struct = this.struct(type, name);
        if (typeof struct !== 'string') return { kind: 'struct', struct };
        return { kind: 'bytes', size: type.size, why: struct };
      }
      default:
        return { kind: 'bytes', size: 0, why: 'it holds addresses of the device' };
    }
  }

  /** A struct, or why its layout is not the same on all devices. */
  private struct(type: RecordType, name: string | undefined): Struct | string {
    const known = this.known.get(type);
    if (known !== undefined) return known;
    const own = type.name ?? name ?? `Struct${this.all.length}`;
    const members: Member[] = [];
    const unique = this.unique(own);
    const problem = this.differing.has(unique)
      ? `${own} has members as wide as the device's pointers`
      : this.addMembers(type, own, 0, members);
    const struct = problem ?? { name: unique, size: type.size, members };
    this.known.set(type, struct);
    if (typeof struct !== 'string') this.all.push(struct);
    return struct;
  }

  private unique(name: string): string {
    let result = name;
    for (let i = 2; this.all.some((struct) => struct.name === result); i++) result = `${name}${i}`;
    return result;
  }

  /** The members of a struct without a name are those of the struct that contains it. */
  private addMembers(type: RecordType, owner: string, base: number, out: Member[]): string | undefined {
    for (const field of type.fields ?? []) {
      const { type: inner } = field.type;
      const problem =
        field.name === undefined && inner.kind === 'record'
          ? this.addMembers(inner, owner, base + field.offset, out)
          : this.addMember(field, owner, base + field.offset, out);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private addMember(field: Field, owner: string, offset: number, out: Member[]): string | undefined {
    let { type } = field.type;
    let count: number | undefined;
    while (type.kind === 'array') {
      if (type.count === undefined) return `${owner}.${field.name} has no size`;
      count = (count ?? 1) * type.count;
      type = type.element.type;
    }
    if (type.kind === 'pointer') return `${owner}.${field.name} is an address of the device`;
    const shape = this.shapeOf(type, `${owner}_${field.name}`);
    if (shape.kind === 'bytes') return shape.why;
    if (shape.kind !== 'vector') {
      out.push({ name: field.name!, offset, element: shape, count });
      return undefined;
    }
    // A vector of three takes the place of four.
    const lanes = shape.count === 3 && count !== undefined ? 4 : shape.count;
    out.push({
      name: field.name!,
      offset,
      element: { kind: 'scalar', scalar: shape.scalar },
      count: lanes * (count ?? 1),
    });
    return undefined;
  }
}

const named = (scalar: ScalarKind): ScalarName => (scalar === 'bool' ? 'uchar' : scalar);
const underlying = (type: EnumType): ScalarName => named(type.underlying.scalar);
