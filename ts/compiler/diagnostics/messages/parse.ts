// SPDX-License-Identifier: MIT
//
// Messages of the parser.
import { error } from '../message';

export const PARSE_MESSAGES = {
  'expected-token': error("expected '{token}'"),
  'expected-expression': error('expected expression'),
};
