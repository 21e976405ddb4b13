// SPDX-License-Identifier: MIT
//
// The part of the Debug Adapter Protocol that the adapter speaks: messages with a header, as of the Language Server Protocol.

export interface Request {
  readonly seq: number;
  readonly type: 'request';
  readonly command: string;
  readonly arguments?: unknown;
}

export interface Source {
  readonly name?: string;
  readonly path?: string;
}

export interface LaunchArguments {
  readonly program: string;
  readonly kernel?: string;
  readonly global: number | readonly number[];
  readonly local?: number | readonly number[];
  readonly offset?: number | readonly number[];
  readonly args?: readonly string[];
  readonly buildOptions?: string;
  readonly print?: readonly number[];
  readonly stopOnEntry?: boolean;
  readonly stopOnFaults?: boolean;
  readonly check?: string;
  readonly workItem?: readonly number[];
  readonly noDebug?: boolean;
}

export interface SetVariableArguments {
  readonly variablesReference: number;
  readonly name: string;
  readonly value: string;
}

export interface SetBreakpointsArguments {
  readonly source: Source;
  readonly breakpoints?: readonly {
    readonly line: number;
    readonly condition?: string;
    readonly hitCondition?: string;
    readonly logMessage?: string;
  }[];
}

export interface FrameArguments {
  readonly frameId?: number;
  readonly expression?: string;
}

const HEADER_END = '\r\n\r\n';

/** Takes messages out of the bytes that arrive. */
export class MessageReader {
  private bytes = Buffer.alloc(0);

  constructor(private readonly onMessage: (message: Request) => void) {}

  add(bytes: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, bytes]);
    for (;;) {
      const header = this.bytes.indexOf(HEADER_END);
      if (header < 0) return;
      const length = /Content-Length: *(\d+)/i.exec(this.bytes.toString('latin1', 0, header))?.[1];
      const start = header + HEADER_END.length;
      const end = start + Number(length ?? 0);
      if (this.bytes.length < end) return;
      const text = this.bytes.toString('utf8', start, end);
      this.bytes = this.bytes.subarray(end);
      const message = text === '' ? undefined : readMessage(text);
      if (message) this.onMessage(message);
    }
  }
}

/** Undefined for what is not a message: the next one may be. */
function readMessage(text: string): Request | undefined {
  try {
    return JSON.parse(text) as Request;
  } catch (error) {
    console.error(`a message is not JSON: ${(error as Error).message}`);
    return undefined;
  }
}

export function messageText(message: object): string {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}${HEADER_END}${text}`;
}
