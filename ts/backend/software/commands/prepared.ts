// SPDX-License-Identifier: MIT
import type { Command as DeviceCommand, HostWork } from '../../../device/commands/command';
import type { Command, CommandOp } from '../../command';
import type { RefCounted } from '../ref-counted';

/** A command that is ready to be enqueued. */
export interface Prepared {
  readonly work: HostWork;
  /** The objects that it uses, kept until it has completed. */
  readonly uses: readonly RefCounted[];
  /** Creates the commands that it waits for besides its wait list; called once, when it is enqueued. */
  readonly waits?: () => readonly DeviceCommand[];
}

/** How commands are prepared, one function for each operation. */
export type Preparations<Op extends CommandOp> = {
  readonly [K in Op]: (command: Command<K>) => Prepared;
};
