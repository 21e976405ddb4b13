// SPDX-License-Identifier: MIT

import { handleFor } from '../internals';

/** Whether a value can be an object of options: no array, no view, no object of the API. */
export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value) &&
  !(handleFor in value);
