// SPDX-License-Identifier: MIT
//
// A device of another machine whose connection may be lost. PoCL's client then lets some commands wait for ever, and reports some
// that were running as complete, so the connection is looked at here: while commands are awaited, and when they seem complete.
import { DeviceInfo, ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { StopReason } from '../../cl/stop-codes';
import type { Handle } from './addon';
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
  private isLost = false;

  constructor(
    private readonly session: Session,
    private readonly device: Handle,
    /** `host:port/device` */
    readonly address: string,
  ) {}

  /** Why its commands fail, once its connection was lost: the client may connect again, but the server has forgotten everything. */
  get loss(): StopReason | undefined {
    this.isLost ||= this.session.addon.info(this.device, DeviceInfo.AVAILABLE)[0] === 0;
    return this.isLost
      ? {
          status: ErrorCode.DEVICE_NOT_AVAILABLE,
          text: `the connection to the remote device ${this.address} was lost`,
        }
      : undefined;
  }

  /** @throws OpenCLError DEVICE_NOT_AVAILABLE after the connection was lost */
  check(functionName: string): void {
    const { loss } = this;
    if (loss) throw new OpenCLError(loss.status, functionName, loss.text);
  }

  /** Until `forget`, the command hears of a loss. */
  watch(command: Awaited): void {
    this.awaited.add(command);
    // An awaited command keeps the process alive by itself.
    this.timer ??= setInterval(() => this.look(), INTERVAL_MS).unref();
  }

  forget(command: Awaited): void {
    this.awaited.delete(command);
    if (this.awaited.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
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

/** The API passes a backend only its own objects. */
export const connectionOf = (device: object): RemoteDevice | undefined =>
  (device as { readonly connection?: RemoteDevice }).connection;
