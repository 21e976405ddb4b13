// SPDX-License-Identifier: MIT
//
// Properties of objects: one lookup for all clGet…Info functions. A key's name gives its type; keys that hold objects
// (a queue's context, a kernel's program) are answered with the API's own objects.

import { nearestName } from '../../base/option-names';
import { ErrorCode } from '../../cl/constants.gen';
import { decodeInfo, type InfoTable, type InfoValues } from '../../cl/info-values';
import { OpenCLError, UnknownInfoKeyError } from '../../cl/opencl-error';

/** The values of a table's keys; `Own` names the keys whose values the API provides. */
export type InfoOf<T extends InfoTable, Own = unknown> = {
  readonly [K in keyof T]: K extends keyof Own ? Own[K] : InfoValues[T[K][1]];
};

/**
 * The value of a key by name or number. For a number it is the driver's bytes.
 * @throws OpenCLError INVALID_VALUE for a name that is not in the table and for keys that the object does not know
 */
export function queryInfo(
  table: InfoTable,
  key: string | number,
  functionName: string,
  read: (param: number) => Uint8Array,
  own: Readonly<Record<string, unknown>> = {},
): unknown {
  if (typeof key === 'number') return read(key);
  if (Object.hasOwn(own, key)) return own[key];
  const entry = Object.hasOwn(table, key) ? table[key] : undefined;
  if (entry === undefined) {
    const near = nearestKey(String(key), Object.keys(table));
    const hint = near ? `; did you mean '${near}'?` : '';
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `there is no property '${String(key)}'${hint}`,
    );
  }
  const [param, type, since] = entry;
  return decodeInfo(type, asked(key, param, since, functionName, read));
}

/** In C the names begin with the object's kind: `CL_DEVICE_NAME` is `NAME` here. */
function nearestKey(key: string, names: readonly string[]): string | undefined {
  const inC = names.filter((name) => key.endsWith(`_${name}`)).sort((a, b) => b.length - a.length)[0];
  const ends = names.filter((name) => name.endsWith(`_${key}`));
  return (
    inC ??
    (ends.length === 1 ? ends[0] : undefined) ??
    nearestName(key, names) ??
    nearestName(key.replace(/^CL_[A-Z]+_/, ''), names)
  );
}

/** Drivers return only the code; an error with a reason is about something else, such as a missing argument. */
function isUnknownKey(error: unknown): error is OpenCLError {
  if (error instanceof UnknownInfoKeyError) return true;
  return (
    error instanceof OpenCLError &&
    error.code === ErrorCode.INVALID_VALUE &&
    error.message.endsWith(`(${error.code})`)
  );
}

/** The software device has OpenCL 3, and every device 1.1: there a version is not the reason. */
function reasonOf(since: string, error: OpenCLError): string {
  if (!/^\d/.test(since)) return `it needs ${since}`;
  if (error instanceof UnknownInfoKeyError || since < '1.2') return 'this object has no value for it';
  return `it needs OpenCL ${since}`;
}

/** The object's value. If it does not know the key, the error says what the key requires. */
function asked(
  key: string,
  param: number,
  since: string,
  functionName: string,
  read: (param: number) => Uint8Array,
): Uint8Array {
  try {
    return read(param);
  } catch (error) {
    if (!isUnknownKey(error)) throw error;
    throw new OpenCLError(error.code, functionName, `'${key}' is not known here: ${reasonOf(since, error)}`);
  }
}
