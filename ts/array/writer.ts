// SPDX-License-Identifier: MIT
//
// Writes a kernel: its parameters with the values that they get, and the lines of its body.
import type { KernelValue } from '../api/public';
import { DTYPES, type DType } from './dtype';
import { collapse, type Layout, type Shape } from './shape';
import type { Storage } from './space';

/** A run of axes that a kernel counts with one variable, `variable`, in the order of rows. */
export interface AxisGroup {
  readonly variable: string;
  readonly axes: readonly number[];
}

/** How a kernel's variables tell where an array's element is. */
export type Addressing = (layout: Layout) => string;

export class KernelWriter {
  readonly #parameters: string[] = [];
  readonly #functions: string[] = [];
  readonly #known = new Map<object, string>();
  readonly #steps = new Map<number, string>();
  readonly values: (Storage | KernelValue)[] = [];
  readonly lines: string[] = [];
  #doubles = false;
  #count = 0;
  #depth = 1;

  constructor(
    readonly name: string,
    /** What the kernel is for: the comment above it. */
    readonly title: string,
  ) {}

  /** A name that no other variable has. */
  fresh(prefix: string): string {
    return `${prefix}_${this.#count++}`;
  }

  line(text: string): void {
    this.lines.push('  '.repeat(this.#depth) + text);
  }

  /** Lines in braces. */
  block(head: string, body: () => void): void {
    this.line(head ? `${head} {` : '{');
    this.#depth++;
    body();
    this.#depth--;
    this.line('}');
  }

  /** Loops over the elements `r` from `from` to `to`, `width` at a time. `body` writes one of them, and is told which of the `width`. */
  unrolled(width: number, body: (turn: number) => void): void {
    this.line('uint at_row = from;');
    this.block(`for (; at_row + ${width} <= to; at_row += ${width})`, () => {
      for (let turn = 0; turn < width; turn++)
        this.block('', () => {
          this.line(`const uint r = at_row + ${turn};`);
          body(turn);
        });
    });
    this.block('for (uint r = at_row; r < to; r++)', () => body(0));
  }

  /** A function beside the kernel; the same text only once. */
  helper(text: string): void {
    if (!this.#functions.includes(text)) this.#functions.push(text);
  }

  parameter(declaration: string, value: Storage | KernelValue): void {
    this.#parameters.push(declaration);
    this.values.push(value);
  }

  /** Memory that is read. The same storage is one parameter. */
  input(storage: Storage, name?: string): string {
    const known = this.#known.get(storage);
    if (known) return known;
    const chosen = name ?? this.fresh('in');
    this.#known.set(storage, chosen);
    this.parameter(`global const ${this.type(storage.dtype, 'memory')} *restrict ${chosen}`, storage);
    return chosen;
  }

  output(storage: Storage, name: string): string {
    this.parameter(`global ${this.type(storage.dtype, 'memory')} *restrict ${name}`, storage);
    return name;
  }

  scalar(value: number | bigint, dtype: DType, name = this.fresh('s')): string {
    this.parameter(`${this.type(dtype)} ${name}`, value);
    return name;
  }

  /** A number beside the arrays. The same object is one parameter. */
  number(scalar: { readonly value: number | bigint; readonly dtype: DType }): string {
    const known = this.#known.get(scalar) ?? this.scalar(scalar.value, scalar.dtype);
    this.#known.set(scalar, known);
    return known;
  }

  /** A whole number that the kernel needs: sizes, strides. */
  int(value: number, name = this.fresh('k')): string {
    this.parameter(`int ${name}`, value);
    return name;
  }

  /** A number by which elements are found. Lines that read another element the same way, as in an unrolled loop, use it again. */
  #step(value: number): string {
    const known = this.#steps.get(value) ?? this.int(value);
    this.#steps.set(value, known);
    return known;
  }

  type(dtype: DType, which: 'memory' | 'value' = 'value'): string {
    if (dtype === 'float64') this.#doubles = true;
    return DTYPES[dtype][which];
  }

  /** The element at `index`, or as many from there on as `width` says, as a vector. */
  load(pointer: string, index: string, dtype: DType, width = 1): string {
    if (dtype === 'float16')
      return width > 1 ? `vload_half${width}(0, ${pointer} + ${index})` : `vload_half(${index}, ${pointer})`;
    return width > 1 ? `vload${width}(0, ${pointer} + ${index})` : `${pointer}[${index}]`;
  }

  store(pointer: string, index: string, value: string, dtype: DType, width = 1): void {
    const half = dtype === 'float16' ? '_half' : '';
    if (width > 1) this.line(`vstore${half}${width}(${value}, 0, ${pointer} + ${index});`);
    else if (half) this.line(`vstore_half(${value}, ${index}, ${pointer});`);
    else this.line(`${pointer}[${index}] = ${value};`);
  }

  /**
   * Prepares to find the elements of arrays that are seen with the shape `shape`. Neighbouring axes that are one run in all
   * `layouts` are counted together. A group's variable is divided into coordinates only where that is not enough.
   */
  addressing(shape: Shape, groups: readonly AxisGroup[], layouts: readonly Layout[]): Addressing {
    const terms = layouts.map((): { coordinate: string; stride: number }[] => []);
    for (const { variable, axes } of groups) {
      const { shape: sizes, strides } = collapse(
        axes.map((axis) => shape[axis]!),
        layouts.map((layout) => axes.map((axis) => layout.strides[axis]!)),
      );
      const coordinates = this.#coordinates(variable, sizes);
      strides.forEach((list, k) => {
        list.forEach((stride, axis) => {
          terms[k]!.push({ coordinate: coordinates[axis]!, stride });
        });
      });
    }
    const texts = layouts.map((layout, k) => this.#address(layout.offset, terms[k]!));
    return (layout) => texts[layouts.indexOf(layout)]!;
  }

  #coordinates(variable: string, sizes: Shape): string[] {
    if (sizes.length <= 1) return sizes.map(() => variable);
    // Other names than those of `fresh`: a parameter of the same name would be hidden.
    const names = sizes.map((_, axis) => `${variable}_axis${axis}`);
    let rest = `(uint)${variable}`;
    for (let axis = sizes.length - 1; axis > 0; axis--) {
      const size = this.#step(sizes[axis]!);
      this.line(`const uint ${names[axis]} = ${rest} % (uint)${size};`);
      rest = axis > 1 ? `(${rest} / (uint)${size})` : `${rest} / (uint)${size}`;
    }
    this.line(`const uint ${names[0]} = ${rest};`);
    return names;
  }

  #address(offset: number, terms: readonly { coordinate: string; stride: number }[]): string {
    const parts = terms
      .filter(({ stride }) => stride !== 0)
      .map(({ coordinate, stride }) =>
        stride === 1 ? coordinate : `(size_t)${coordinate} * ${this.#step(stride)}`,
      );
    if (offset !== 0) parts.unshift(this.#step(offset));
    return parts.length === 0 ? '0' : parts.join(' + ');
  }

  get source(): string {
    const extension = this.#doubles ? '#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n' : '';
    const functions = this.#functions.map((text) => `${text}\n\n`).join('');
    return `// ${this.title}\n${extension}${functions}kernel void ${this.name}(${this.#parameters.join(', ')}) {\n${this.lines.join('\n')}\n}\n`;
  }
}

/** The least multiple of `step` that is at least `n`. */
export const roundUp = (n: number, step: number): number => Math.ceil(n / step) * step;
export const allAxes = (shape: Shape): number[] => shape.map((_, axis) => axis);
