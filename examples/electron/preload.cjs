// SPDX-License-Identifier: MIT
const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('compute', {
  device: () => ipcRenderer.invoke('device'),
  brighten: (pixels, factor) => ipcRenderer.invoke('brighten', pixels, factor),
});
