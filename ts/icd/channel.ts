// SPDX-License-Identifier: MIT
//
// The socket to the client: splits the input into messages, and sends replies and notices in order.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { NOTIFICATION_ENCODERS, type Notifications } from './messages.gen';
import { Writer } from './wire';

/** Size, opcode and sequence number. */
const HEADER_BYTES = 12;
const REPLY = 0;

export interface Message {
  readonly opcode: number;
  readonly sequence: number;
  readonly body: Uint8Array;
}

export class Channel {
  private readonly socket: Socket;
  private readonly out = new Writer();
  private rest: Buffer | undefined;
  /** Set while messages are handled: their replies are sent together. */
  private handling = false;
  /** Set while the socket is full: output goes through Node.js's own queue until that is empty. */
  private full = false;

  constructor(
    private readonly file: number,
    private readonly receive: (message: Message) => void,
    end: () => void,
  ) {
    this.socket = new Socket({ fd: file, readable: true, writable: true });
    this.socket.on('data', (chunk: Buffer) => this.take(chunk));
    this.socket.on('end', end);
    this.socket.on('error', end);
    this.socket.on('drain', () => {
      this.full = false;
    });
  }

  reply(sequence: number, status: number, write?: (to: Writer) => void): void {
    this.message(REPLY, sequence, (to) => {
      to.i32(status);
      write?.(to);
    });
  }

  notify<K extends keyof Notifications>(name: K, message: Notifications[K]): void {
    const { opcode, write } = NOTIFICATION_ENCODERS[name];
    this.message(opcode, 0, (to) => write(to, message));
  }

  private message(opcode: number, sequence: number, write: (to: Writer) => void): void {
    const { out } = this;
    const start = out.size;
    out.u32(0);
    out.u32(opcode);
    out.u32(sequence);
    write(out);
    out.patch(start, out.size - start);
    if (!this.handling) this.flush();
  }

  private take(chunk: Buffer): void {
    let all = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    this.handling = true;
    while (all.length >= HEADER_BYTES) {
      const size = all.readUInt32LE(0);
      if (all.length < size) break;
      const opcode = all.readUInt32LE(4);
      const sequence = all.readUInt32LE(8);
      // A Uint8Array: `slice` of a Buffer does not copy.
      const body = new Uint8Array(all.buffer, all.byteOffset + HEADER_BYTES, size - HEADER_BYTES);
      this.receive({ opcode, sequence, body });
      all = all.subarray(size);
    }
    this.rest = all.length > 0 ? all : undefined;
    this.handling = false;
    this.flush();
  }

  private flush(): void {
    if (this.out.size === 0) return;
    let bytes = this.out.take();
    if (!this.full) {
      try {
        bytes = bytes.subarray(writeSync(this.file, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      }
    }
    if (bytes.length > 0 && !this.socket.write(bytes)) this.full = true;
    else if (bytes.length > 0) this.full = this.socket.writableLength > 0;
  }
}
