// SPDX-License-Identifier: MIT
//
// The device as the specification has it: a kernel's work-items run one after the other, then what they have enqueued, as soon as
// that need not wait. A kernel is complete when what it has enqueued is.
import { type Place, placesOf, type Range } from './values';

/** What commands wait for. */
export class ModelEvent {
  /** 0: complete; negative: failed. */
  status: number | undefined;
}

/** What a work-item knows: numbers from which its variables are made, and events. */
export interface Env {
  readonly numbers: Record<string, number>;
  readonly events: Record<string, ModelEvent>;
}
export const copyOf = ({ numbers, events }: Env): Env => ({ numbers: { ...numbers }, events: { ...events } });

/** A work-item that runs. */
export interface Item {
  readonly place: Place;
  readonly env: Env;
  /** The work-items of its group, itself too. */
  readonly peers: readonly Item[];
  readonly memory: Uint32Array;
  enqueue(command: NewCommand): void;
}

export interface Statement {
  readonly text: string;
  run(item: Item): void;
}

export interface NewCommand {
  readonly waits: readonly ModelEvent[];
  readonly event: ModelEvent;
  /** Undefined for a marker. */
  readonly launch: Launch | undefined;
}

export interface Launch {
  readonly range: Range;
  readonly body: readonly Statement[];
  readonly env: Env;
}

interface Command extends NewCommand {
  readonly parent: Command | undefined;
  open: number;
  status: number;
}

/** Runs a kernel with all that it enqueues; false if it fails. */
export function runLaunch(launch: Launch, memory: Uint32Array): boolean {
  const waiting: Command[] = [];
  const root: Command = { waits: [], event: new ModelEvent(), launch, parent: undefined, open: 1, status: 0 };
  const settle = (command: Command | undefined) => {
    for (let next = command; next && --next.open === 0; next = next.parent) {
      next.event.status = next.status;
      if (next.parent && next.status < 0) next.parent.status = -1;
    }
  };
  const start = (command: Command) => {
    if (command.waits.some(({ status }) => status! < 0)) command.status = -1;
    else if (command.launch) {
      const enqueue = (each: NewCommand) => {
        command.open++;
        waiting.push({ ...each, parent: command, open: 1, status: 0 });
      };
      runItems(command.launch, memory, enqueue);
    }
    settle(command);
  };
  start(root);
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ waits }) => waits.every(({ status }) => status !== undefined));
    if (at < 0) throw new Error('a command waits for ever');
    start(waiting.splice(at, 1)[0]!);
  }
  return root.status === 0;
}

function runItems({ range, body, env }: Launch, memory: Uint32Array, enqueue: Item['enqueue']): void {
  const groups = new Map<string, Item[]>();
  for (const place of placesOf(range)) {
    const key = place.group.join();
    const peers = groups.get(key) ?? [];
    groups.set(key, peers);
    peers.push({ place, env: copyOf(env), peers, memory, enqueue });
  }
  for (const peers of groups.values())
    for (const statement of body) for (const item of peers) statement.run(item);
}
