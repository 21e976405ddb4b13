// SPDX-License-Identifier: MIT
// The targets of prebuilt addons. Node.js 20 itself needs glibc 2.28.

/** @type {Record<string, { platform: string, arch: string, libc?: string, system: string, zig: string }>} */
export const targets = {
  'linux-x64': {
    platform: 'linux',
    arch: 'x64',
    libc: 'glibc',
    system: 'Linux',
    zig: 'x86_64-linux-gnu.2.28',
  },
  'linux-x64-musl': {
    platform: 'linux',
    arch: 'x64',
    libc: 'musl',
    system: 'Linux',
    zig: 'x86_64-linux-musl',
  },
  'linux-arm64': {
    platform: 'linux',
    arch: 'arm64',
    libc: 'glibc',
    system: 'Linux',
    zig: 'aarch64-linux-gnu.2.28',
  },
  'win32-x64': { platform: 'win32', arch: 'x64', system: 'Windows', zig: 'x86_64-windows-gnu' },
  'darwin-arm64': { platform: 'darwin', arch: 'arm64', system: 'Darwin', zig: 'aarch64-macos.11.0' },
  'darwin-x64': { platform: 'darwin', arch: 'x64', system: 'Darwin', zig: 'x86_64-macos.11.0' },
};
