// SPDX-License-Identifier: MIT
//
// What `require('anycl')` loads. No `module.exports = require('./anycl.cjs')`: when an ES module imports a CommonJS one,
// Node.js reads the text of all that it re-exports for their names, and far slower than V8 does.
import { loadBundle } from './load-bundle';

module.exports = loadBundle('anycl', require);
