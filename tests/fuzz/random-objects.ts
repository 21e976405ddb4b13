// SPDX-License-Identifier: MIT
//
// Random OpenCL C about objects in memory: records in records, unions, arrays of arrays, pointers into them in each address
// space, functions that take and give them, floating-point numbers, images. As in random-program.ts nothing that C
// leaves undefined, and no contraction, so that the results are the same for every compiler.
import {
  COMPONENTS,
  ObjectExpressions,
  type Parameter,
  type Place,
  type Variable,
} from './object-expressions';
import {
  bitsOf,
  declarator,
  isFloat,
  isUnsigned,
  type Shape,
  Shapes,
  sameShape,
  typeName,
  type Value,
  value,
} from './shapes';

/** Ulongs that each work-item writes. */
export const HASHES = 12;
/** Texels of the image that is read, and of the one that is written. */
export const IMAGE = { width: 8, height: 8 } as const;
/** Work-items of a group. */
export const GROUP = 16;

/**
 * `kernel void fuzz(global const ulong *in, global ulong *out, read_only image2d_t image, write_only image2d_t target)`: 16
 * words are read; the images are RGBA of unsigned bytes.
 */
export function randomObjects(seed: number): string {
  return new Generator(seed).program();
}

class Generator extends ObjectExpressions {
  private readonly constants: Variable[] = [];
  /** Functions that return one of two pointers. */
  private readonly choosers: { readonly name: string; readonly shape: Shape }[] = [];
  private next = 0;
  private budget = 0;
  private inKernel = false;

  program(): string {
    const { chance, shapes } = this;
    const parts = ['#pragma OPENCL EXTENSION cl_khr_fp64 : enable', '#pragma OPENCL FP_CONTRACT OFF'];
    parts.push(
      'constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;',
    );
    parts.push(Shapes.union);
    for (let i = chance.integer(1, 4); i > 0; i--) parts.push(shapes.declare());
    for (let i = chance.integer(1, 3); i > 0; i--) {
      const shape = shapes.any(2);
      const name = this.fresh('K');
      parts.push(`constant ${declarator(shape, name)} = ${shapes.initializer(shape)};\n`);
      this.constants.push({ name, shape, writable: false });
    }
    for (let i = chance.integer(0, 2); i > 0; i--) parts.push(this.chooser());
    for (let i = chance.integer(1, 3); i > 0; i--) parts.push(this.helper());
    parts.push(this.kernel());
    return parts.join('\n');
  }

  private fresh(prefix: string): string {
    return `${prefix}${this.next++}`;
  }

  // ---- functions

  private chooser(): string {
    const { chance, shapes } = this;
    const shape = chance.with(0.5) ? chance.pick(shapes.records) : shapes.value();
    const name = this.fresh('c');
    this.choosers.push({ name, shape });
    const type = `${typeName(shape)} *`;
    return `static ${type}${name}(${type}a, ${type}b, int c) { return c & 1 ? a : b; }\n`;
  }

  private helper(): string {
    const { chance, shapes } = this;
    const parameters = Array.from({ length: chance.integer(1, 3) }, (): Parameter => {
      if (chance.with(0.5)) return { shape: chance.with(0.5) ? chance.pick(shapes.records) : shapes.value() };
      const shape = chance.with(0.6) ? chance.pick(shapes.records) : shapes.value();
      return { shape, reach: chance.pick([1, 2, 4]) };
    });
    const result = chance.with(0.4) ? chance.pick(shapes.records) : shapes.value();
    const name = this.fresh('f');
    this.scope = [
      ...this.constants,
      ...parameters.map(
        ({ shape, reach }, i): Variable => ({
          name: `p${i}`,
          shape,
          writable: true,
          ...(reach === undefined ? {} : { reach }),
        }),
      ),
    ];
    this.inKernel = false;
    this.budget = 5;
    const body = this.statements(chance.integer(1, 5), '  ', false);
    const returned = this.expression(result, 2);
    this.helpers.push({ name, result, parameters });
    const list = parameters.map(({ shape, reach }, i) => `${typeName(shape)} ${reach ? '*' : ''}p${i}`);
    const how = chance.pick(['static ', 'inline static ', '__attribute__((noinline)) static ']);
    return `${how}${typeName(result)} ${name}(${list.join(', ')}) {\n${body}  return ${returned};\n}\n`;
  }

  private kernel(): string {
    const { chance, shapes } = this;
    this.scope = [
      ...this.constants,
      { name: 'gid', shape: value('uint'), writable: false },
      { name: 'texel', shape: value('uint', 4), writable: true },
    ];
    this.inKernel = true;
    const kept: Variable[] = [];
    let text =
      'kernel void fuzz(global const ulong *in, global ulong *out, read_only image2d_t image, write_only image2d_t target) {\n' +
      '  const uint gid = get_global_id(0), lid = get_local_id(0);\n' +
      '  uint4 texel = read_imageui(image, (int2)(gid & 7, gid >> 3));\n';
    if (chance.with(0.6)) {
      const shape = shapes.any(1);
      text += `  local ${declarator({ kind: 'array', element: shape, length: GROUP }, 'shared')};\n`;
      const variable: Variable = { name: 'shared[lid]', shape, writable: true, isLocal: true };
      text += this.fill(variable.name, shape, '  ');
      this.scope.push(variable);
      kept.push(variable);
    }
    for (let i = chance.integer(4, 7); i > 0; i--) {
      const shape = shapes.any(2);
      const variable: Variable = { name: this.fresh('v'), shape, writable: true };
      text += `  ${declarator(shape, variable.name)};\n${this.fill(variable.name, shape, '  ')}`;
      this.scope.push(variable);
      kept.push(variable);
    }
    this.budget = 24;
    text += this.statements(chance.integer(7, 15), '  ', false);
    text += '  ulong h = 0;\n';
    for (let i = kept.length; i < HASHES - 1; i++) text += `  out[gid * ${HASHES} + ${i}] = 0;\n`;
    kept.forEach(({ name, shape }, i) => {
      text += this.hash(name, shape, '  ');
      text += `  out[gid * ${HASHES} + ${i % (HASHES - 1)}] = h;\n`;
    });
    text += '  write_imageui(target, (int2)(gid & 7, gid >> 3), texel & 255);\n';
    return `${text}  out[gid * ${HASHES} + ${HASHES - 1}] = h;\n}\n`;
  }

  /** Statements that give an object its first value, from the input. */
  private fill(name: string, shape: Shape, indent: string): string {
    if (shape.kind === 'array') {
      const i = this.fresh('i');
      return `${indent}for (int ${i} = 0; ${i} < ${shape.length}; ${i}++) {\n${this.fill(`${name}[${i}]`, shape.element, `${indent}  `)}${indent}}\n`;
    }
    if (shape.kind === 'record') {
      const fields = shape.isUnion ? shape.fields.slice(0, 1) : shape.fields;
      return fields.map((field) => this.fill(`${name}.${field.name}`, field.shape, indent)).join('');
    }
    const { base, count } = shape;
    const words = Array.from({ length: count }, () => {
      const word = `in[(gid + ${this.next++ % 16}) & 15]`;
      return isFloat(base) ? `(${base})((int)(${word} & 1023) - 512) * (${base})0.125` : `(${base})${word}`;
    });
    return `${indent}${name} = ${count === 1 ? words[0] : `(${typeName(shape)})(${words.join(', ')})`};\n`;
  }

  private hash(name: string, shape: Shape, indent: string): string {
    if (shape.kind === 'array') {
      const i = this.fresh('i');
      return `${indent}for (int ${i} = 0; ${i} < ${shape.length}; ${i}++) {\n${this.hash(`${name}[${i}]`, shape.element, `${indent}  `)}${indent}}\n`;
    }
    if (shape.kind === 'record') {
      const fields = shape.isUnion ? shape.fields.slice(0, 1) : shape.fields;
      return fields.map((field) => this.hash(`${name}.${field.name}`, field.shape, indent)).join('');
    }
    const { base, count } = shape;
    const parts = Array.from({ length: count }, (_, i) => (count === 1 ? name : `${name}.s${i}`));
    return parts
      .map((part) => {
        const bits =
          base === 'float' ? `as_uint(${part})` : base === 'double' ? `as_ulong(${part})` : `(ulong)${part}`;
        return `${indent}h = h * 31 + ${isFloat(base) ? `(${part} != ${part} ? 7ul : ${bits})` : bits};\n`;
      })
      .join('');
  }

  // ---- statements

  private statements(count: number, indent: string, inLoop: boolean): string {
    const outer = this.scope.length;
    let text = '';
    for (let i = 0; i < count; i++) text += this.statement(indent, inLoop);
    if (indent !== '  ') this.scope.length = outer;
    return text;
  }

  private statement(indent: string, inLoop: boolean): string {
    const { chance } = this;
    this.budget--;
    const kind = this.budget < 0 ? 0 : chance.integer(0, 19);
    const inner = `${indent}  `;
    const block = (loop = inLoop) => `{\n${this.statements(chance.integer(1, 3), inner, loop)}${indent}}`;
    switch (kind) {
      case 1:
      case 2:
        return this.copy(indent);
      case 3:
      case 4:
        return this.pointer(indent);
      case 5: {
        const shape = this.shapes.any(1);
        const name = this.fresh('t');
        const init = shape.kind === 'array' ? this.shapes.initializer(shape) : this.expression(shape, 2);
        this.scope.push({ name, shape, writable: true });
        return `${indent}${declarator(shape, name)} = ${init};\n`;
      }
      case 6:
        return `${indent}if (${this.condition(2)}) ${block()}\n`;
      case 7:
        return `${indent}if (${this.condition(1)}) ${block()} else ${block()}\n`;
      case 8: {
        const name = this.fresh('n');
        this.scope.push({ name, shape: value('int'), writable: false });
        const body = block(true);
        this.scope.pop();
        return `${indent}for (int ${name} = 0; ${name} < ${chance.integer(1, 4)}; ${name}++) ${body}\n`;
      }
      case 9:
        return this.walk(indent);
      case 10: {
        let text = `${indent}switch (${this.expression(value(chance.pick(['int', 'uchar', 'long'])), 1)} & 3) {\n`;
        for (const label of ['case 0:', 'case 2:', 'default:']) {
          text += `${inner}${label} {\n${this.statements(1, `${inner}  `, inLoop)}${inner}}\n`;
          if (chance.with(0.6)) text += `${inner}break;\n`;
        }
        return `${text}${indent}}\n`;
      }
      case 11:
        if (!inLoop) return this.assignment(indent);
        return `${indent}if (${this.condition(1)}) ${chance.pick(['break', 'continue'])};\n`;
      case 12:
        return this.bytes(indent);
      case 13:
        return this.vectors(indent);
      case 14:
        if (!this.inKernel) return this.assignment(indent);
        return `${indent}texel ${chance.pick(['=', '+=', '^='])} read_imageui(image, ${chance.pick(['', 'nearest, '])}(int2)(${this.index(8)}, ${this.index(8)}));\n`;
      case 15:
      case 16:
        return this.callAlone(indent);
      default:
        return this.assignment(indent);
    }
  }

  private assignment(indent: string): string {
    const { chance } = this;
    const target = this.place(({ shape, writable }) => writable && shape.kind === 'value');
    if (target === undefined) return `${indent};\n`;
    const { base, count } = target.shape as Value;
    if (count > 1 && chance.with(0.4)) {
      const at = chance.integer(0, count - 1);
      return `${indent}${target.text}.s${COMPONENTS[at]} = ${this.expression(value(base), 2)};\n`;
    }
    if (count === 1 && isUnsigned(base) && chance.with(0.15))
      return `${indent}${chance.pick([`${target.text}++`, `--${target.text}`])};\n`;
    const compound = (isUnsigned(base) && bitsOf(base) !== 16) || isFloat(base);
    const op = compound && chance.with(0.3) ? chance.pick(['+=', '-=', '*=']) : '=';
    return `${indent}${target.text} ${op} ${this.expression(target.shape, 3)};\n`;
  }

  /** A record as a whole. */
  private copy(indent: string): string {
    const target = this.place(({ shape, writable }) => writable && shape.kind === 'record');
    if (target === undefined) return this.assignment(indent);
    return `${indent}${target.text} = ${this.expression(target.shape, 2)};\n`;
  }

  /** A new pointer into an object, or a new value of an existing one. */
  private pointer(indent: string): string {
    const { chance } = this;
    const isTarget = ({ shape, isClosed, writable }: Place) =>
      !isClosed && writable && shape.kind !== 'array';
    const old = this.scope.filter((v) => v.reach !== undefined && v.writable && !v.isAlias);
    if (old.length > 0 && chance.with(0.3)) {
      const pointer = chance.pick(old);
      const { name, shape, reach } = pointer;
      const before = this.scope.indexOf(pointer);
      const isLocal = pointer.isLocal ?? false;
      const [a, b] = [0, 1].map(() => this.address(shape, reach!, isLocal, before));
      if (a !== undefined && b !== undefined) {
        return `${indent}${name} = ${this.condition(1)} ? ${a} : ${b};\n`;
      }
    }
    if (chance.with(0.15)) return this.constantPointer(indent);
    if (old.length > 0 && chance.with(0.15)) return this.pointerToPointer(indent, chance.pick(old));
    const target = this.place(isTarget);
    if (target === undefined) return this.assignment(indent);
    const reach = chance.pick([1, 1, 2, 4]);
    const { isLocal } = target;
    const from = this.address(target.shape, reach, isLocal) ?? `&${target.text}`;
    const reached = from === `&${target.text}` ? 1 : reach;
    const type = `${isLocal ? 'local ' : ''}${typeName(target.shape)} *`;
    const { name, declared } = this.pointerVariable(type, this.chosen(target, reached, from, type));
    this.scope.push({ name, shape: target.shape, writable: true, reach: reached, isLocal });
    return `${indent}${declared}\n`;
  }

  /** A pointer by itself, in a record, or in an array. */
  private pointerVariable(type: string, from: string): { name: string; declared: string } {
    const name = this.fresh('q');
    switch (this.chance.integer(0, 5)) {
      case 0:
        return { name: `${name}.p`, declared: `struct { int n; ${type}p; } ${name} = { 1, ${from} };` };
      case 1:
        return {
          name: `${name}[${this.inKernel ? 'gid & 1' : '1'}]`,
          declared: `${type}${name}[2] = { ${from}, ${from} };`,
        };
      default:
        return { name, declared: `${type}${name} = ${from};` };
    }
  }

  /** The pointer `from`, perhaps through a function or an integer. */
  private chosen({ shape, isLocal }: Place, reach: number, from: string, type: string): string {
    const { chance } = this;
    if (chance.with(0.15)) return `(${type})(size_t)(${from})`;
    const chooser = this.choosers.find((each) => sameShape(each.shape, shape));
    const other = chooser && !isLocal ? this.address(shape, reach) : undefined;
    if (other === undefined) return from;
    return `${chooser!.name}(${from}, ${other}, (int)${this.expression(value('int'), 1)})`;
  }

  private constantPointer(indent: string): string {
    const isTarget = (p: Place) => p.root < this.constants.length && !p.isClosed && p.shape.kind !== 'array';
    const target = this.place(isTarget);
    if (target === undefined) return this.assignment(indent);
    const name = this.fresh('q');
    this.scope.push({ name, shape: target.shape, writable: false, reach: 1 });
    return `${indent}constant ${typeName(target.shape)} *${name} = &${target.text};\n`;
  }

  private pointerToPointer(indent: string, { name, shape, reach, isLocal }: Variable): string {
    const pointer = this.fresh('q');
    this.scope.push({
      name: `(*${pointer})`,
      shape,
      writable: true,
      reach: reach!,
      isLocal: isLocal ?? false,
      isAlias: true,
    });
    return `${indent}${isLocal ? 'local ' : ''}${typeName(shape)} **${pointer} = &${name};\n`;
  }

  /** A pointer goes over an array. */
  private walk(indent: string): string {
    const { chance } = this;
    const isTarget = ({ shape, writable, isClosed }: Place) =>
      writable && !isClosed && shape.kind === 'array' && shape.element.kind === 'value';
    const found = this.place(isTarget);
    if (found?.shape.kind !== 'array') return this.assignment(indent);
    const { element, length } = found.shape;
    const [q, base] = [this.fresh('q'), this.fresh('b')];
    const next = this.expression(element, 2);
    const type = `${found.isLocal ? 'local ' : ''}${typeName(element)}`;
    const loop = chance.pick([
      `for (; ${q} < ${base} + ${length}; ${q}++) *${q} = ${next};`,
      `while (${q} != ${base} + ${length}) *${q}++ = ${next};`,
      `for (; ${q} - ${base} < ${length}; ++${q}) { ${q}[0] = ${next}; }`,
    ]);
    return `${indent}{ ${type} *${base} = ${found.text}, *${q} = ${base}; ${loop} }\n`;
  }

  /** The bytes of integers: any object may be accessed as bytes. */
  private bytes(indent: string): string {
    const isTarget = ({ shape, writable, isClosed }: Place) =>
      writable && !isClosed && shape.kind === 'value' && !isFloat(shape.base) && shape.count !== 3;
    const found = this.place(isTarget);
    if (found === undefined) return this.assignment(indent);
    const { base, count } = found.shape as Value;
    const bytes = (bitsOf(base) / 8) * count;
    const target = `((${found.isLocal ? 'local ' : ''}uchar *)&${found.text})[${this.index(bytes)}]`;
    return `${indent}${target} ${this.chance.pick(['=', '^=', '+='])} ${this.expression(value('uchar'), 2)};\n`;
  }

  /** vload and vstore on arrays of scalars. */
  private vectors(indent: string): string {
    const isArray = ({ shape, isClosed }: Place) =>
      !isClosed && shape.kind === 'array' && shape.element.kind === 'value' && shape.element.count === 1;
    const found = this.place((p) => p.writable && isArray(p));
    if (found?.shape.kind !== 'array') return this.assignment(indent);
    const { base } = found.shape.element as Value;
    const { length } = found.shape;
    const count = length === 2 ? 2 : 4;
    const at = this.index(length / count);
    if (this.chance.with(0.5))
      return `${indent}vstore${count}(${this.expression(value(base, count), 2)}, ${at}, ${found.text});\n`;
    const name = this.fresh('t');
    this.scope.push({ name, shape: value(base, count), writable: true });
    return `${indent}${base}${count} ${name} = vload${count}(${at}, ${found.text});\n`;
  }

  /** A function may change its pointers' pointees; its result goes into a new variable. */
  private callAlone(indent: string): string {
    const { chance } = this;
    const helper = this.helpers.length > 0 ? chance.pick(this.helpers) : undefined;
    const call = helper && this.callOf(helper, 2);
    if (call === undefined) return this.assignment(indent);
    const name = this.fresh('t');
    this.scope.push({ name, shape: helper!.result, writable: true });
    return `${indent}${typeName(helper!.result)} ${name} = ${call};\n`;
  }
}
