// SPDX-License-Identifier: MIT
//
// The one table of messages: a file per stage, one table here. A code is the message's stable name.

import type { Message, Placeholders } from './message';
import { checkMessages } from './messages/check';
import { commonMessages } from './messages/common';
import { optionMessages } from './messages/options';
import { parseMessages } from './messages/parse';
import { preprocessMessages } from './messages/preprocess';
import { warningMessages } from './messages/warnings';

type Messages = ReturnType<typeof commonMessages> &
  ReturnType<typeof optionMessages> &
  ReturnType<typeof preprocessMessages> &
  ReturnType<typeof parseMessages> &
  ReturnType<typeof checkMessages> &
  ReturnType<typeof warningMessages>;

export type MessageCode = keyof Messages;

/** The names that a message's text needs values for. */
export type MessagePlaceholders<C extends MessageCode> = Placeholders<Messages[C]['text']>;

/** Warnings first: whether they are enabled is queried even if there is nothing to report. */
const TABLES: readonly (() => Readonly<Record<string, Message>>)[] = [
  warningMessages,
  commonMessages,
  optionMessages,
  preprocessMessages,
  parseMessages,
  checkMessages,
];

/** A stage's table is created on first use: most compilations report nothing. */
const made: Readonly<Record<string, Message>>[] = [];

export function messageOf(code: MessageCode): Message {
  for (let i = 0; i < TABLES.length; i++) {
    made[i] ??= TABLES[i]!();
    const message = made[i]![code];
    if (message !== undefined) return message;
  }
  throw new Error(`no message is called '${code}'`);
}

/** The `-W` names of all warnings. */
export const warningFlags = (): Set<string> =>
  new Set(
    TABLES.flatMap((table) =>
      Object.values(table()).flatMap(({ flag }) => (flag === undefined ? [] : [flag])),
    ),
  );
