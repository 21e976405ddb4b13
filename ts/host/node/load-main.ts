// SPDX-License-Identifier: MIT
//
// What `require('anycl')` loads. No `module.exports = require('./anycl.cjs')`: when an ES module imports a CommonJS one,
// Node.js reads the text of all that it re-exports for their names, and far slower than V8 does.
import 'node:os';
import { loadBundle } from './load-bundle';
import { withLargeYoungGeneration } from './young-generation';

// What the bundle loads of Node.js is loaded by now, from stored code.
module.exports = loadBundle('anycl', require, withLargeYoungGeneration);
