// SPDX-License-Identifier: MIT
//
// The passes over a module that make it small, in their order.
import type { Builder } from '../builder';

export function optimize(_builder: Builder): void {}
