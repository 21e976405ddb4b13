// SPDX-License-Identifier: MIT
//
// Whether a server speaks PoCL's protocol. PoCL's client waits without a limit for the answer of whatever accepts its connection, and
// keeps the thread that asks for devices: so another process asks first, which can be ended.
import { basename } from 'node:path';
import { load } from '../../host/node/place';
import { addonFiles } from './addon-file';
import { interfaceNumber } from './interface.gen';

/** What the process needs of its addon. */
const SCRIPT = `
const [library, version, ...files] = process.argv.slice(1);
for (const file of files) {
  let addon;
  try { addon = require(file); } catch { continue; }
  if (String(addon.interfaceNumber) !== version) continue;
  addon.attach(() => {}, Error, true);
  if (!addon.open(library || undefined)) for (const platform of addon.platforms()) addon.devices(platform, 0xffffffff);
  break;
}
process.reallyExit(0);`;

/** Programs that take `-e`; any other could be the user's own program, with Node.js inside. */
const ENGINES = /^(node|nodejs|bun)(\.exe)?$/i;

/**
 * Asks for devices in a process of its own, whose environment differs in `variables`. Only a process that is still waiting after
 * `patience` milliseconds is a failure: what else can be wrong, the drivers of this process report.
 */
export function answersInTime(
  variables: Readonly<Record<string, string>>,
  library: string | undefined,
  patience: number,
): Promise<boolean> {
  const isEngine = 'electron' in process.versions || ENGINES.test(basename(process.execPath));
  if (!isEngine) return Promise.resolve(true);
  const { spawn } = load()('node:child_process') as typeof import('node:child_process');
  const env = { ...process.env, ...variables, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' };
  const parameters = ['-e', SCRIPT, library ?? '', String(interfaceNumber), ...addonFiles()];
  return new Promise((resolve) => {
    try {
      const child = spawn(process.execPath, parameters, { env, stdio: 'ignore' });
      const timer = setTimeout(() => {
        // Its thread is in the driver, which no other signal ends.
        child.kill('SIGKILL');
        resolve(false);
      }, patience);
      const end = () => {
        clearTimeout(timer);
        resolve(true);
      };
      child.once('exit', end).once('error', end);
    } catch {
      // Node.js's permission model refuses processes.
      resolve(true);
    }
  });
}
