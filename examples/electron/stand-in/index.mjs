// SPDX-License-Identifier: MIT
//
// A stand-in for the module `electron` with the parts that the guide and the example use, over processes of Node.js.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const app = { whenReady: async () => {}, on: () => {}, quit: () => {} };
const handlers = new Map();
export const ipcMain = { handle: (name, handler) => handlers.set(name, handler) };

/** What a renderer's `ipcRenderer.invoke` would do. */
export const invoke = async (name, ...args) => handlers.get(name)({}, ...args);

export class BrowserWindow {
  loadFile() {}
}

export const utilityProcess = {
  fork(path, args = [], { env = process.env } = {}) {
    const preload = fileURLToPath(new URL('./parent-port.mjs', import.meta.url));
    const child = fork(path, args, { env, execArgv: ['--import', preload], serialization: 'advanced' });
    // As in Electron, a message to a process that is ending is lost without an error. `exit` tells of the end.
    child.postMessage = (message) => child.send(message, () => {});
    return child;
  },
};
