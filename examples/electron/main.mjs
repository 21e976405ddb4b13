// SPDX-License-Identifier: MIT
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, ipcMain, utilityProcess } from 'electron';
import { ComputeClient } from './compute-client.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

export const compute = new ComputeClient((variables) =>
  utilityProcess.fork(path('compute.mjs'), [], { env: { ...process.env, ...variables } }),
);

await app.whenReady();
ipcMain.handle('device', () => compute.call('device'));
ipcMain.handle('brighten', (_event, pixels, factor) => compute.call('brighten', pixels, factor));
const window = new BrowserWindow({ webPreferences: { preload: path('preload.cjs') } });
window.loadFile(path('index.html'));
app.on('window-all-closed', () => {
  compute.stop();
  app.quit();
});
