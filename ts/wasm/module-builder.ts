// SPDX-License-Identifier: MIT
import { invariant } from '../base/invariant';
import { ByteBuffer } from './byte-buffer';
import type { FunctionBuilder, ValType } from './function-builder';
import type { Signature } from './widen-addresses';

/** Whether addresses in the memory have 32 bits or 64. */
type AddressBits = 32 | 64;

/** Pages of the largest memory: what 32-bit addresses can access, and V8's limit of memories with 64-bit ones. */
export const MAX_PAGES: Readonly<Record<AddressBits, number>> = { 32: 65536, 64: 262144 };

/** The flags of a memory's limits: it is shared and has a maximum; its addresses have 64 bits. */
const SHARED = 3;
const ADDRESSES_64 = 4;

enum Section {
  Custom = 0,
  Type = 1,
  Import = 2,
  Function = 3,
  Export = 7,
  Code = 10,
}

interface FunctionImport {
  readonly module: string;
  readonly name: string;
  readonly type: number;
}

/**
 * A module with one imported shared memory, `env.memory`. Function imports come before the first function. In a module for a memory
 * with 64-bit addresses, functions may use addresses of 32 bits too: `encode` extends them.
 */
export class ModuleBuilder {
  private readonly types: string[] = [];
  private readonly signatures: Signature[] = [];
  private readonly typeBytes = new ByteBuffer(64);
  private readonly imports: FunctionImport[] = [];
  private readonly functions: { readonly type: number; body?: FunctionBuilder }[] = [];
  private readonly exports: { readonly name: string; readonly index: number }[] = [];

  constructor(private readonly addressBits: AddressBits = 32) {}

  private typeOf(params: readonly ValType[], results: readonly ValType[]): number {
    const key = `${params.join()}:${results.join()}`;
    const known = this.types.indexOf(key);
    if (known >= 0) return known;
    this.typeBytes.u8(0x60);
    for (const list of [params, results]) {
      this.typeBytes.u32(list.length);
      for (const type of list) this.typeBytes.u8(type);
    }
    this.signatures.push({ params, results });
    return this.types.push(key) - 1;
  }

  importFunction(
    module: string,
    name: string,
    params: readonly ValType[],
    results: readonly ValType[],
  ): number {
    invariant(this.functions.length === 0, 'imports come before functions');
    return this.imports.push({ module, name, type: this.typeOf(params, results) }) - 1;
  }

  /** The index for calls of a function whose body may follow later. */
  declare(params: readonly ValType[], results: readonly ValType[]): number {
    return this.imports.length + this.functions.push({ type: this.typeOf(params, results) }) - 1;
  }

  define(index: number, body: FunctionBuilder): void {
    this.functions[index - this.imports.length]!.body = body;
  }

  export(name: string, index: number): void {
    this.exports.push({ name, index });
  }

  encode(): Uint8Array {
    if (this.addressBits === 64) for (const { body } of this.functions) body?.extendAddresses(this.callee);
    const out = new ByteBuffer(8192);
    for (const byte of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) out.u8(byte);
    section(out, Section.Type, this.types.length, (b) => b.append(this.typeBytes.view()));
    section(out, Section.Import, this.imports.length + 1, (b) => this.encodeImports(b));
    section(out, Section.Function, this.functions.length, (b) => {
      for (const f of this.functions) b.u32(f.type);
    });
    section(out, Section.Export, this.exports.length, (b) => {
      for (const e of this.exports) {
        b.name(e.name);
        b.u8(0);
        b.u32(e.index);
      }
    });
    this.encodeHints(out);
    section(out, Section.Code, this.functions.length, (b) => {
      for (const f of this.functions) {
        invariant(f.body, 'a declared function without a body');
        f.body.finish(b);
      }
    });
    return out.take();
  }

  private readonly callee = (index: number): Signature =>
    this.signatures[(this.imports[index] ?? this.functions[index - this.imports.length]!).type]!;

  /** Which branches are usually taken: V8 places the other side's code and its spills out of line. */
  private encodeHints(out: ByteBuffer): void {
    const hinted = this.functions.flatMap(({ body }, i) => (body?.hasHints ? [{ index: i, body }] : []));
    if (hinted.length === 0) return;
    out.u8(Section.Custom);
    const start = out.length;
    out.name('metadata.code.branch_hint');
    out.u32(hinted.length);
    for (const { index, body } of hinted) {
      out.u32(this.imports.length + index);
      body.encodeHints(out);
    }
    out.insertLength(start);
  }

  private encodeImports(b: ByteBuffer): void {
    b.name('env');
    b.name('memory');
    b.u8(2);
    b.u8(this.addressBits === 64 ? SHARED | ADDRESSES_64 : SHARED);
    b.u32(1);
    b.u32(MAX_PAGES[this.addressBits]);
    for (const f of this.imports) {
      b.name(f.module);
      b.name(f.name);
      b.u8(0);
      b.u32(f.type);
    }
  }
}

function section(out: ByteBuffer, id: Section, count: number, write: (b: ByteBuffer) => void): void {
  out.u8(id);
  const start = out.length;
  out.u32(count);
  write(out);
  out.insertLength(start);
}
