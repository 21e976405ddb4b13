// SPDX-License-Identifier: MIT
//
// Messages of the checker.
import { error } from '../message';

export const CHECK_MESSAGES = {
  'undeclared-identifier': error("use of undeclared identifier '{name}'"),
};
