// SPDX-License-Identifier: MIT
// native/src/cl/opencl.gen.h: the types, structures and constants that the addon needs, so that building it takes no
// OpenCL headers. native/src/cl/entry-points.gen.inc: the functions that it looks up, as a list to be expanded with
// ANYCL_CORE(name, version * 10, result, (parameters)) and ANYCL_EXTENSION(name, "extension", result, (parameters)).
import { banner, readRegistry } from '../cl-registry.mjs';

/** Extensions for a desktop's graphics interfaces under Windows, and the loader's own. */
const left = /d3d1|dx9|va_api/;
const wanted = (name) => /^cl_(khr|ext)_/.test(name) && !left.test(name);

const structs = [
  'cl_image_format',
  'cl_image_desc',
  'cl_buffer_region',
  'cl_name_version',
  'cl_device_pci_bus_info_khr',
  'cl_mutable_dispatch_arg_khr',
  'cl_mutable_dispatch_exec_info_khr',
  'cl_mutable_dispatch_config_khr',
];

export function commandsByProvider(registry) {
  const seen = new Set();
  const out = [];
  for (const provider of registry.providers) {
    if (provider.kind === 'extension' && (!wanted(provider.name) || provider.name === 'cl_khr_icd')) continue;
    for (const name of provider.requires.flatMap((r) => r.commands)) {
      const command = registry.commands.get(name);
      if (seen.has(name) || !command) continue;
      seen.add(name);
      out.push({ ...command, provider: provider.name, version: provider.number });
    }
  }
  return out;
}

function constants(registry) {
  const names = new Set(
    registry.providers
      .filter((p) => p.kind === 'feature' || wanted(p.name))
      .flatMap((p) => p.requires.flatMap((r) => r.constants)),
  );
  const lines = [];
  for (const name of [...names].sort()) {
    const value = registry.values.get(name);
    if (value === undefined || /_(MAX|MIN|DIG|EXP|RADIX|BIT)$/.test(name)) continue;
    lines.push(`#define ${name} ${value < 0n ? `(${value})` : value > 0x7fffffffn ? `${value}ull` : value}`);
  }
  return lines;
}

function header(registry) {
  const out = [
    banner('cl-entry-points.mjs'),
    '#pragma once\n#include <cstddef>\n#include <cstdint>\n',
    '#if defined(_WIN32)\n#define CL_API_CALL __stdcall\n#define CL_CALLBACK __stdcall\n#else\n#define CL_API_CALL\n#define CL_CALLBACK\n#endif\n',
  ];
  const pending = registry.typedefs.filter(
    ({ name }) => !/d3d|dx9|media|_intel|_arm|_img|_qcom|va_api|^CL_/.test(name),
  );
  const defines = (type) => pending.some(({ name }) => new RegExp(`\\b${name}\\b`).test(type));
  // The registry lists types in no particular order: each is written after the types that it uses.
  while (pending.length > 0) {
    const next = pending.findIndex(({ type }) => !defines(type));
    const [{ name, type }] = pending.splice(next, 1);
    out.push(`typedef ${type} ${name};`);
  }
  out.push('', ...constants(registry), '');
  for (const name of structs) {
    const { members } = registry.structs.find((s) => s.name === name);
    out.push(`typedef struct {\n${members.map((m) => `  ${m};`).join('\n')}\n} ${name};\n`);
  }
  return `${out.join('\n')}\n`;
}

function entryPoints(registry) {
  const out = [banner('cl-entry-points.mjs')];
  for (const { name, result, params, provider, version } of commandsByProvider(registry)) {
    const list = params.join(', ');
    const signature = `${result}, (${list})`;
    out.push(
      version
        ? `ANYCL_CORE(${name}, ${Number(version) * 10}, ${signature})`
        : `ANYCL_EXTENSION(${name}, "${provider}", ${signature})`,
    );
  }
  return `${out.join('\n')}\n`;
}

export function outputs(folder) {
  const registry = readRegistry(folder);
  if (!registry) return null;
  return new Map([
    ['native/src/cl/opencl.gen.h', header(registry)],
    ['native/src/cl/entry-points.gen.inc', entryPoints(registry)],
  ]);
}
