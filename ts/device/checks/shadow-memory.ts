// SPDX-License-Identifier: MIT
//
// The memory of one kernel's checks on one thread: state, tables and pages (shadow-layout.ts).
import { LAYOUT, STATE } from './shadow-layout';

const WASM_PAGE = 65536;
const MOST_PAGES = 65536;
/** Wasm pages by which the memory grows: 4 MiB. */
const STEP = 64;

export class ShadowMemory {
  readonly state: Int32Array;
  /** The state and the table of objects. */
  private readonly words: Int32Array;
  private end: number = LAYOUT.pages;

  /** `memory` is undefined where no check runs in WebAssembly. */
  constructor(readonly memory?: WebAssembly.Memory) {
    this.words = memory ? new Int32Array(memory.buffer) : new Int32Array(STATE.words);
    this.state = this.words.subarray(0, STATE.words);
  }

  /** With a memory that checks in WebAssembly access; without one where none can be had. */
  static shared(): ShadowMemory {
    const initial = LAYOUT.pages / WASM_PAGE;
    try {
      return new ShadowMemory(new WebAssembly.Memory({ initial, maximum: MOST_PAGES, shared: true }));
    } catch {
      return new ShadowMemory();
    }
  }

  get(address: number): number {
    return this.words[address >>> 2]!;
  }

  set(address: number, value: number): void {
    this.words[address >>> 2] = value;
  }

  /** Words for a table's page, whose address is put into the table. */
  page(table: number, number: number, words: number): Int32Array {
    const { memory } = this;
    const bytes = words * 4;
    if (!memory || !this.makeRoom(memory, bytes)) return new Int32Array(words);
    const at = this.end;
    this.end += bytes;
    new Int32Array(memory.buffer, table + number * 4, 1)[0] = at;
    return new Int32Array(memory.buffer, at, words);
  }

  private makeRoom(memory: WebAssembly.Memory, bytes: number): boolean {
    if (this.end + bytes <= memory.buffer.byteLength) return true;
    try {
      memory.grow(Math.max(STEP, Math.ceil(bytes / WASM_PAGE)));
      return true;
    } catch {
      return false;
    }
  }
}
