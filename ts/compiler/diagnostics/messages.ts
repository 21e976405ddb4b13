// SPDX-License-Identifier: MIT
//
// The one table of messages: a file per stage, merged here. A code is the message's stable name.

import type { Placeholders } from './message';
import { CHECK_MESSAGES } from './messages/check';
import { COMMON_MESSAGES } from './messages/common';
import { OPTION_MESSAGES } from './messages/options';
import { PARSE_MESSAGES } from './messages/parse';
import { PREPROCESS_MESSAGES } from './messages/preprocess';
import { WARNING_MESSAGES } from './messages/warnings';

export const MESSAGES = {
  ...COMMON_MESSAGES,
  ...OPTION_MESSAGES,
  ...PREPROCESS_MESSAGES,
  ...PARSE_MESSAGES,
  ...CHECK_MESSAGES,
  ...WARNING_MESSAGES,
};

export type MessageCode = keyof typeof MESSAGES;

/** The names that a message's text needs values for. */
export type MessagePlaceholders<C extends MessageCode> = Placeholders<(typeof MESSAGES)[C]['text']>;
