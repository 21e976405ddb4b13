// SPDX-License-Identifier: MIT
//
// Constants as expressions, and as initializers of variables of program scope. Floats are exact: hexadecimal, or by bits.
import { halfValue } from '../../base/half';
import { Op, SamplerAddressingMode, SamplerFilterMode } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import { inexpressible, type Tables } from './tables';
import type { Types } from './types';

const ADDRESSING: Readonly<Record<SamplerAddressingMode, string>> = {
  [SamplerAddressingMode.None]: 'CLK_ADDRESS_NONE',
  [SamplerAddressingMode.ClampToEdge]: 'CLK_ADDRESS_CLAMP_TO_EDGE',
  [SamplerAddressingMode.Clamp]: 'CLK_ADDRESS_CLAMP',
  [SamplerAddressingMode.Repeat]: 'CLK_ADDRESS_REPEAT',
  [SamplerAddressingMode.RepeatMirrored]: 'CLK_ADDRESS_MIRRORED_REPEAT',
};

export class Constants {
  /** Declarations of the samplers that the module has as constants. */
  readonly samplers: string[] = [];
  private readonly known = new Map<Id, string>();

  constructor(
    private readonly tables: Tables,
    private readonly types: Types,
    /** Text of variables, and of expressions on their addresses. */
    private readonly address: (i: Instruction) => string | undefined,
  ) {}

  /** Text of a constant, or of a variable's address; undefined for other ids. */
  expression(id: Id): string | undefined {
    let text = this.known.get(id);
    if (text === undefined) {
      const made = this.make(this.tables.definition(id));
      if (made === undefined) return undefined;
      text = made;
      this.known.set(id, text);
    }
    return text;
  }

  private make(i: Instruction): string | undefined {
    switch (i.op) {
      case Op.ConstantTrue:
        return 'true';
      case Op.ConstantFalse:
        return 'false';
      case Op.Constant:
        return this.scalar(i, false);
      case Op.ConstantComposite:
      case Op.ConstantNull:
      case Op.Undef:
        return this.composite(i);
      case Op.ConstantSampler: {
        const name = `_sampler${i.result}`;
        const [addressing, normalized, filter] = i.operands as [SamplerAddressingMode, number, number];
        this.samplers.push(
          `constant sampler_t ${name} = CLK_NORMALIZED_COORDS_${normalized ? 'TRUE' : 'FALSE'} | ${ADDRESSING[addressing]} | CLK_FILTER_${SamplerFilterMode[filter]!.toUpperCase()};`,
        );
        return name;
      }
      default:
        return this.address(i);
    }
  }

  private composite(i: Instruction): string {
    const info = this.types.info(i.type);
    const name = this.types.name(i.type);
    switch (info.kind) {
      case 'array':
      case 'struct':
        return `((${name})${this.initializer(i.result)})`;
      case 'bool':
        if (info.count === 1) return 'false';
        return `((${name})(${this.components(i, info.count, (c) => (c === 'true' ? '-1' : '0'))}))`;
      default:
        if (i.op !== Op.ConstantComposite) return `((${name})0)`;
        return `((${name})(${this.components(i, info.count, (c) => c)}))`;
    }
  }

  private components(i: Instruction, count: number, text: (constant: string) => string): string {
    if (i.op !== Op.ConstantComposite) return new Array<string>(count).fill(text('0')).join(', ');
    const parts = i.operands.map((part) => text(this.expression(part as Id)!));
    return parts.every((part) => part === parts[0]) ? parts[0]! : parts.join(', ');
  }

  /** In the form that an initializer has: braces for arrays and structs. */
  initializer(id: Id): string {
    const i = this.tables.definition(id);
    const { kind } = this.types.info(i.type);
    if (i.op === Op.Constant) return this.scalar(i, true);
    if (kind === 'array') {
      if (i.op === Op.ConstantComposite)
        return `{{${i.operands.map((part) => this.initializer(part as Id)).join(', ')}}}`;
      return `{{${this.zero(this.types.element(i.type))}}}`;
    }
    if (kind === 'struct') {
      if (i.op === Op.ConstantComposite)
        return `{${i.operands.map((part) => this.initializer(part as Id)).join(', ')}}`;
      const [first] = this.tables.definition(i.type).operands;
      return first === undefined ? '{}' : `{${this.zero(first as Id)}}`;
    }
    if (i.op === Op.ConstantComposite && kind === 'float')
      return `((${this.types.name(i.type)})(${i.operands.map((part) => this.initializer(part as Id)).join(', ')}))`;
    return this.expression(id) ?? inexpressible(`an initializer by Op${Op[i.op]}`);
  }

  private zero(type: Id): string {
    const definition = this.tables.definition(type);
    switch (this.types.info(type).kind) {
      case 'array':
        return `{{${this.zero(definition.operands[0]! as Id)}}}`;
      case 'struct':
        return definition.operands.length > 0 ? `{${this.zero(definition.operands[0]! as Id)}}` : '{}';
      default:
        return '0';
    }
  }

  private scalar(i: Instruction, constant: boolean): string {
    const { kind, bits } = this.types.info(i.type);
    const low = i.operands[0]! >>> 0;
    if (kind === 'float') return floatText(bits, low, (i.operands[1] ?? 0) >>> 0, constant);
    if (bits === 64) return `${(BigInt(i.operands[1]! >>> 0) << 32n) | BigInt(low)}ul`;
    if (bits === 32) return `${low}u`;
    return constant ? `${low & (2 ** bits - 1)}` : `((${this.types.name(i.type)})${low & (2 ** bits - 1)})`;
  }
}

const view = new DataView(new ArrayBuffer(8));

function floatText(bits: number, low: number, high: number, constant: boolean): string {
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  const type = bits === 16 ? 'half' : bits === 32 ? 'float' : 'double';
  const value =
    bits === 16 ? halfValue(low & 0xffff) : bits === 32 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  if (Number.isFinite(value)) {
    const text = hexFloat(value) + (bits === 64 ? '' : 'f');
    return bits === 16 || value < 0 || Object.is(value, -0)
      ? `(${bits === 16 ? '(half)' : ''}${text})`
      : text;
  }
  if (constant) {
    // as_float, which the macro NAN may use, is not a constant expression.
    if (Number.isNaN(value)) return `((${type})(0.0f / 0.0f))`;
    return `((${type})${value < 0 ? '-' : ''}INFINITY)`;
  }
  if (bits === 16) return `as_half((ushort)0x${(low & 0xffff).toString(16)})`;
  if (bits === 32) return `as_float(0x${low.toString(16)}u)`;
  return `as_double(0x${((BigInt(high) << 32n) | BigInt(low)).toString(16)}ul)`;
}

/** The exact text of a finite number: C's %a, or decimal digits for a small integer. */
export function hexFloat(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return `${Object.is(value, -0) ? '-0' : value}.0`;
  view.setFloat64(0, value);
  const high = view.getUint32(0);
  const fraction = ((BigInt(high & 0xfffff) << 32n) | BigInt(view.getUint32(4)))
    .toString(16)
    .padStart(13, '0')
    .replace(/0+$/, '');
  const exponent = (high >>> 20) & 0x7ff;
  const sign = value < 0 ? '-' : '';
  const lead = exponent === 0 ? 0 : 1;
  return `${sign}0x${lead}${fraction ? `.${fraction}` : ''}p${exponent === 0 ? -1022 : exponent - 1023}`;
}
