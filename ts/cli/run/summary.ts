// SPDX-License-Identifier: MIT
//
// The summary of `anycl run --profile`; loaded when it is asked for.
import { modelOf } from '../../trace/parse';
import { type Summary, summarize } from '../../trace/summary';

export { summaryText } from '../../trace/summary-text';
export type { Summary };

export const summaryOf = (events: readonly object[]): Summary => summarize(modelOf(events));
