// SPDX-License-Identifier: MIT
//
// A device of another machine whose connection may be lost. PoCL's client then lets some commands wait for ever, and reports some
// that were running as complete, so the connection is looked at here: while commands are awaited, and when they seem complete.
import { DeviceInfo, ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { StopReason } from '../../cl/stop-codes';
import type { Handle, Ticket } from './addon';
import type { RemoteServer } from './remote-server';
import type { Session } from './session';

const INTERVAL_MS = 200;

/** A command that is awaited. */
export interface Awaited {
  /** The command will not complete. */
  lose(reason: StopReason): void;
}

export class RemoteDevice {
  private readonly awaited = new Set<Awaited>();
  private timer: NodeJS.Timeout | undefined;
  private known: StopReason | undefined;

  constructor(
    private readonly session: Session,
    private readonly device: Handle,
    /** `host:port/device` */
    readonly address: string,
    /** None if nothing watches it. */
    private readonly server: RemoteServer | undefined,
  ) {}

  /** Why its commands fail, once its connection was lost: the client may connect again, but the server has forgotten everything. */
  get loss(): StopReason | undefined {
    this.known ??= this.find();
    return this.known;
  }

  private find(): StopReason | undefined {
    const silence = this.server?.silence;
    const status = ErrorCode.DEVICE_NOT_AVAILABLE;
    if (silence !== undefined)
      return { status, text: `the server of the remote device ${this.address} ${silence}` };
    if (this.session.addon.info(this.device, DeviceInfo.AVAILABLE)[0] !== 0) return undefined;
    return { status, text: `the connection to the remote device ${this.address} was lost` };
  }

  /** @throws OpenCLError DEVICE_NOT_AVAILABLE after the connection was lost */
  check(functionName: string): void {
    const { loss } = this;
    if (loss) throw new OpenCLError(loss.status, functionName, loss.text);
  }

  /** Until `forget`, the command hears of a loss. */
  watch(command: Awaited): void {
    this.awaited.add(command);
    if (this.timer) return;
    this.server?.await();
    // An awaited command keeps the process alive by itself.
    this.timer = setInterval(() => this.look(), INTERVAL_MS).unref();
  }

  forget(command: Awaited): void {
    this.awaited.delete(command);
    if (this.awaited.size > 0 || !this.timer) return;
    this.server?.release();
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Waits on this thread, whose timers stand still. */
  whileBlocked(wait: () => void): void {
    this.server?.await();
    try {
      wait();
    } finally {
      this.server?.release();
    }
  }

  private look(): void {
    const { loss } = this;
    if (!loss) return;
    for (const command of [...this.awaited]) {
      this.forget(command);
      command.lose(loss);
    }
  }
}

/** Why the first of these devices that is lost is. */
export function lossOf(devices: readonly object[]): StopReason | undefined {
  for (const device of devices) {
    const loss = connectionOf(device)?.loss;
    if (loss) return loss;
  }
  return undefined;
}

/**
 * The status of a job that a driver does for these devices.
 * @throws OpenCLError DEVICE_NOT_AVAILABLE when one is lost meanwhile: the job may never end, and is left alone
 */
export async function jobStatus(
  session: Session,
  ticket: Ticket,
  devices: readonly object[],
  functionName: string,
): Promise<number> {
  const job: Awaited = { lose: ({ status }) => session.abandon(ticket, status) };
  const connections = devices.flatMap((device) => connectionOf(device) ?? []);
  for (const connection of connections) connection.watch(job);
  const status = await session.done(ticket);
  for (const connection of connections) connection.forget(job);
  const loss = lossOf(devices);
  if (loss) throw new OpenCLError(loss.status, functionName, loss.text);
  return status;
}

/** The API passes a backend only its own objects. */
export const connectionOf = (device: object): RemoteDevice | undefined =>
  (device as { readonly connection?: RemoteDevice }).connection;
