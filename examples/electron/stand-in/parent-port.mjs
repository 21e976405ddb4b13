// SPDX-License-Identifier: MIT
//
// `process.parentPort` as a utility process of Electron has it.
process.parentPort = {
  on: (name, listener) => process.on(name, (data) => listener({ data })),
  postMessage: (message) => process.send(message),
};
