// SPDX-License-Identifier: MIT
export { prototypeOf } from './prototype';
export { allBuiltinNames, isBuiltinName, resolve } from './resolve';
