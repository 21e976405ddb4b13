// SPDX-License-Identifier: MIT
//
// Serves one client: each request has a handler, in a table by its name (messages.gen.ts).
import type { BackendDevice, BackendPlatform } from '../backend/backend';
import type { BackendEvent } from '../backend/backend-objects';
import type { SharedPages } from '../backend/software/memory/shared-pages';
import { ErrorCode } from '../cl/constants.gen';
import { InternalOpenCLError, OpenCLError } from '../cl/opencl-error';
import type { Channel, Message } from './channel';
import { COMMAND_BUFFERS } from './handlers/command-buffers';
import { COMMANDS } from './handlers/commands';
import type { Handlers, Session } from './handlers/handler';
import { INFO } from './handlers/info';
import { MEMORIES } from './handlers/memories';
import { OBJECTS } from './handlers/objects';
import { PROGRAMS } from './handlers/programs';
import {
  DECODERS,
  ENCODERS,
  type Notifications,
  REQUEST_NAMES,
  type Replies,
  type RequestName,
} from './messages.gen';
import { Objects } from './objects';
import type { Sharing } from './sharing';
import type { Staging } from './staging';
import { Reader } from './wire';

const HANDLERS: Handlers = { ...INFO, ...OBJECTS, ...MEMORIES, ...PROGRAMS, ...COMMANDS, ...COMMAND_BUFFERS };

export class Server implements Session {
  readonly objects = new Objects();
  readonly slabs = new Map<number, SharedPages>();
  readonly turns = new Map<number, () => void>();
  readonly device: BackendDevice;
  /** Set before the first message. */
  channel!: Channel;

  constructor(
    readonly platform: BackendPlatform,
    readonly staging: Staging,
    readonly sharing: Sharing | undefined,
    /** Report each failing call. */
    private readonly explain: boolean,
  ) {
    this.device = platform.devices()[0]!;
  }

  receive({ opcode, sequence, body }: Message): void {
    const name = REQUEST_NAMES[opcode - 1];
    if (name === undefined) {
      this.refuse(sequence, new Error(`there is no request ${opcode}`));
      return;
    }
    this.handle(name, sequence, body);
  }

  notify<K extends keyof Notifications>(name: K, message: Notifications[K]): void {
    this.channel.notify(name, message);
  }

  deviceOf(id: number): BackendDevice {
    return id === 0 ? this.device : this.objects.get('device', id);
  }

  track(id: number, event: BackendEvent, idle = (): number => 0): void {
    this.objects.add('event', id, event);
    event.onComplete((status) => this.notify('completed', { event: id, status, idle: idle() }));
  }

  private handle<K extends RequestName>(name: K, sequence: number, body: Uint8Array): void {
    try {
      const answer = HANDLERS[name](this, DECODERS[name](new Reader(body)));
      if (answer instanceof Promise)
        answer.then(
          (reply) => this.answer(name, sequence, reply),
          (error) => this.refuse(sequence, error),
        );
      else this.answer(name, sequence, answer);
    } catch (error) {
      this.refuse(sequence, error);
    }
  }

  private answer(name: RequestName, sequence: number, reply: unknown): void {
    if (!(name in ENCODERS)) return;
    const encode = ENCODERS[name as keyof Replies] as (to: unknown, reply: unknown) => void;
    this.channel.reply(sequence, ErrorCode.SUCCESS, (to) => encode(to, reply));
  }

  private refuse(sequence: number, error: unknown): void {
    if (!(error instanceof OpenCLError)) console.error('anycl:', error);
    else if (this.explain || error instanceof InternalOpenCLError) console.error(`anycl: ${error.message}`);
    if (sequence === 0) return;
    this.channel.reply(sequence, error instanceof OpenCLError ? error.code : ErrorCode.OUT_OF_RESOURCES);
  }
}
