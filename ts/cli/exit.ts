// SPDX-License-Identifier: MIT

/** The exit statuses of the command line. Other tools rely on these numbers. */
export const EXIT = { done: 0, input: 1, usage: 2, noDevice: 3, bug: 70 } as const;

/** Ends the command with a message for the user and an exit status. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export const usageError = (message: string): CommandError => new CommandError(message, EXIT.usage);
export const inputError = (message: string): CommandError => new CommandError(message, EXIT.input);
