// SPDX-License-Identifier: MIT
import { readSettings, type Settings } from '../../ts/base/settings';

/** This process's settings, except for these variables. */
export const settingsWith = (variables: Readonly<Record<string, string>>): Settings =>
  readSettings((name) => variables[name] ?? process.env[name]);
