// SPDX-License-Identifier: MIT
//
// WebAssembly text (flat form) of the modules that `ModuleBuilder` makes: for `anycl compile --emit=wat` and for reading.
import { InvariantError } from '../base/invariant';
import { opcodeTable } from './opcode-table';
import { Wasm } from './opcodes';

const TYPE_NAMES: Record<number, string> = {
  [0x7f]: 'i32',
  [0x7e]: 'i64',
  [0x7d]: 'f32',
  [0x7c]: 'f64',
  [0x7b]: 'v128',
};

export function disassemble(bytes: Uint8Array): string {
  return new Disassembler(bytes).module();
}

class Disassembler {
  private at = 8;
  private readonly view: DataView;
  private readonly types: { params: string[]; results: string[] }[] = [];
  private readonly lines: string[] = ['(module'];
  private functionTypes: number[] = [];
  private functionIndex = 0;
  private readonly exported = new Map<number, string>();

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  module(): string {
    while (this.at < this.bytes.length) {
      const id = this.u8();
      const end = this.u32() + this.at;
      // Custom sections have hints, but no code.
      if (id === 0) {
        this.at = end;
        continue;
      }
      const count = this.u32();
      for (let i = 0; i < count; i++) this.entry(id);
      this.at = end;
    }
    this.lines.push(')');
    return `${this.lines.join('\n')}\n`;
  }

  private entry(section: number): void {
    switch (section) {
      case 1:
        this.u8();
        this.types.push({ params: this.typeList(), results: this.typeList() });
        break;
      case 2:
        this.importEntry();
        break;
      case 3:
        this.functionTypes.push(this.u32());
        break;
      case 7: {
        const name = this.name();
        this.u8();
        this.exported.set(this.u32(), name);
        break;
      }
      case 10:
        this.functionBody();
        break;
      default:
        throw new InvariantError(`section ${section} is not one that we write`);
    }
  }

  private importEntry(): void {
    const from = `"${this.name()}" "${this.name()}"`;
    if (this.u8() === 2) {
      const index = this.u8() & 4 ? 'i64 ' : '';
      this.lines.push(`  (import ${from} (memory ${index}${this.u32()} ${this.u32()} shared))`);
      return;
    }
    const type = this.u32();
    this.lines.push(`  (import ${from} (func $${this.functionIndex++}${this.signature(type)}))`);
  }

  private signature(type: number): string {
    const { params, results } = this.types[type]!;
    const param = params.length > 0 ? ` (param ${params.join(' ')})` : '';
    return param + (results.length > 0 ? ` (result ${results.join(' ')})` : '');
  }

  private functionBody(): void {
    const index = this.functionIndex++;
    const end = this.u32() + this.at;
    const type = this.functionTypes.shift()!;
    const name = this.exported.get(index);
    this.lines.push(
      `  (func $${index}${name === undefined ? '' : ` (export "${name}")`}${this.signature(type)}`,
    );
    let local = this.types[type]!.params.length;
    const runs = this.u32();
    for (let i = 0; i < runs; i++) {
      const count = this.u32();
      const typeName = TYPE_NAMES[this.u8()]!;
      this.lines.push(`    (local ${Array(count).fill(typeName).join(' ')}) ;; ${local} ...`);
      local += count;
    }
    let depth = 2;
    while (this.at < end - 1) {
      const code = this.code();
      if (code === Wasm.end || code === Wasm.else_) depth--;
      this.lines.push('  '.repeat(depth) + this.instruction(code));
      if (code === Wasm.block || code === Wasm.loop || code === Wasm.if_ || code === Wasm.else_) depth++;
    }
    this.at = end;
    this.lines.push('  )');
  }

  private code(): number {
    const first = this.u8();
    return first < 0xfc ? first : (first << 16) | this.u32();
  }

  private instruction(code: number): string {
    const opcode = opcodeTable().get(code);
    if (!opcode) throw new InvariantError(`unknown instruction 0x${code.toString(16)}`);
    const immediate = this.immediate(opcode.immediate);
    return immediate === '' ? opcode.name : `${opcode.name} ${immediate}`;
  }

  private immediate(kind: string): string {
    switch (kind) {
      case '-':
        return '';
      case 'block':
      case 'zero':
        this.u8();
        return '';
      case 'zeros':
        this.at += 2;
        return '';
      case 'label':
      case 'func':
      case 'local':
      case 'global':
        return String(this.u32());
      case 'labels':
        return Array.from({ length: this.u32() + 1 }, () => this.u32()).join(' ');
      case 'i32':
      case 'i64':
        return String(this.signed());
      case 'f32':
        this.at += 4;
        return floatText(this.view.getFloat32(this.at - 4, true));
      case 'f64':
        this.at += 8;
        return floatText(this.view.getFloat64(this.at - 8, true));
      case 'v128': {
        const words = [0, 4, 8, 12].map((i) => this.view.getUint32(this.at + i, true));
        this.at += 16;
        return `i32x4 ${words.map((w) => `0x${w.toString(16).padStart(8, '0')}`).join(' ')}`;
      }
      case 'lane':
        return String(this.u8());
      case 'lanes16':
        return Array.from({ length: 16 }, () => this.u8()).join(' ');
      case 'mem':
        return this.memoryImmediate();
      case 'memlane':
        return `${this.memoryImmediate()} ${this.u8()}`.trim();
      default:
        throw new InvariantError(`unknown immediate ${kind}`);
    }
  }

  private memoryImmediate(): string {
    const align = 2 ** this.u32();
    const offset = this.u32();
    return `${offset === 0 ? '' : `offset=${offset} `}align=${align}`;
  }

  private u8(): number {
    return this.bytes[this.at++]!;
  }

  private u32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  private signed(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return byte & 0x40 ? value - (1n << (shift + 7n)) : value;
    }
  }

  private name(): string {
    const length = this.u32();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }

  private typeList(): string[] {
    return Array.from({ length: this.u32() }, () => TYPE_NAMES[this.u8()]!);
  }
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Object.is(value, -0) ? '-0' : String(value);
}
