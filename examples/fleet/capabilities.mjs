// SPDX-License-Identifier: MIT
// node capabilities.mjs [NAME]: what this machine can do, as JSON. It reads properties and runs nothing.
import { arch, cpus, hostname, platform, totalmem } from 'node:os';
import { platforms } from 'anycl';

/** The machine and its devices with all their properties. */
export function capabilities(name = hostname()) {
  const devices = platforms().flatMap((each) =>
    each.devices.map((device) => ({
      platform: each.name,
      version: each.version,
      name: device.name,
      type: device.type,
      extensions: [...device.extensions].sort(),
      properties: device.describe(),
    })),
  );
  return {
    format: 1,
    machine: { name, platform: platform(), arch: arch(), cores: cpus().length, memory: totalmem() },
    node: process.versions.node,
    devices,
  };
}

if (process.argv[1]?.endsWith('capabilities.mjs'))
  console.log(JSON.stringify(capabilities(process.argv[2]), undefined, 1));
