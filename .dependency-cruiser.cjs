// SPDX-License-Identifier: MIT
// Who may import whom: the table of docs/ARCHITECTURE.md, "Layers". Tests may import anything.
const layer = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: '^ts/', pathNot: [from, '^ts/base/', ...allowed] },
});

module.exports = {
  forbidden: [
    layer('base-imports-nothing', '^ts/base/', []),
    // OpenCL itself: constants, info keys, errors.
    layer('cl-alone', '^ts/cl/', []),
    layer('frontend-alone', '^ts/compiler/frontend/', ['^ts/compiler/diagnostics/']),
    {
      name: 'no-circles',
      comment:
        'Types included. In check and parse, what is nested goes through rules.ts (docs/adr/0019-rules-over-state.md).',
      severity: 'error',
      from: { path: '^ts/(?:base|cl|device|host|wasm|spirv|jit|backend|compiler/frontend/(?:check|parse))/' },
      to: { circular: true },
    },
    layer('diagnostics-alone', '^ts/compiler/diagnostics/', []),
    layer('lower-joins-frontend-and-spirv', '^ts/compiler/lower/', [
      '^ts/compiler/frontend/',
      '^ts/compiler/diagnostics/',
      '^ts/spirv/',
    ]),
    layer('compiler-joins-its-parts', '^ts/compiler/[^/]*\\.ts$', ['^ts/compiler/', '^ts/spirv/']),
    // What editors and the playground ask; it knows neither Node.js nor the protocol.
    layer('language-service-over-the-front-end', '^ts/language-service/', [
      '^ts/compiler/compile(?:d)?\\.ts$',
      '^ts/compiler/diagnostics/',
      '^ts/compiler/frontend/',
    ]),
    layer('spirv-alone', '^ts/spirv/', []),
    layer('wasm-alone', '^ts/wasm/', []),
    layer('jit-over-spirv-and-wasm', '^ts/jit/', ['^ts/spirv/', '^ts/wasm/']),
    {
      name: 'only-emit-knows-wasm',
      severity: 'error',
      from: {
        path: '^ts/jit/',
        pathNot: ['^ts/jit/emit/', '^ts/jit/pipeline', '^ts/jit/index', '\\.test\\.ts$'],
      },
      to: { path: '^ts/wasm/' },
    },
    // The emitter decides nothing that a plan can hold.
    {
      name: 'emit-reads-plans',
      severity: 'error',
      from: { path: '^ts/jit/emit/', pathNot: ['\\.test\\.ts$'] },
      to: { path: '^ts/jit/vectorize/', pathNot: ['^ts/jit/vectorize/(?:kernel-)?plan\\.ts$'] },
    },
    layer('device-alone', '^ts/device/', ['^ts/cl/', '^ts/wasm/']),
    // A command becomes a job, and a job knows no commands.
    layer('device-workers-below-commands', '^ts/device/workers/', [
      '^ts/cl/',
      '^ts/wasm/',
      '^ts/device/(?:memory|reads|checks)/',
    ]),
    layer('device-parts-alone', '^ts/device/(?:memory|reads|images|printf)/', [
      '^ts/cl/',
      '^ts/wasm/',
      '^ts/device/memory/',
    ]),
    // The threads' entry points hand the host to the device's worker loop, and to the compiler.
    layer('host-alone', '^ts/host/', [
      // The entry of traces joins the room with its file.
      '^ts/trace/',
      '^ts/cl/',
      '^ts/device/workers/worker\\.ts$',
      '^ts/backend/software/compile-thread/compile-server\\.ts$',
      '^ts/backend/software/build/default-toolchain\\.ts$',
    ]),
    layer('backend-interface-alone', '^ts/backend/[^/]*backend\\.ts$', ['^ts/cl/', '^ts/backend/']),
    layer('software-backend-joins', '^ts/backend/software/', [
      '^ts/backend/[^/]*\\.ts$',
      '^ts/cl/',
      '^ts/compiler/',
      '^ts/spirv/',
      '^ts/jit/',
      '^ts/device/',
      '^ts/wasm/',
      '^ts/host/',
    ]),
    layer('native-backend', '^ts/backend/native/', [
      '^ts/backend/[^/]*\\.ts$',
      '^ts/cl/',
      '^ts/compiler/',
      '^ts/spirv/',
      '^ts/host/node/(?:place|environment)\\.ts$',
    ]),
    layer('null-backend', '^ts/backend/null/', ['^ts/cl/', '^ts/backend/[^/]*\\.ts$']),
    {
      name: 'registry-knows-no-kind-of-device',
      comment: 'The entries, ts/index.ts and ts/browser.ts, say which there are.',
      severity: 'error',
      from: { path: '^ts/backend/[^/]*\\.ts$' },
      to: { path: '^ts/(?:host|backend/[^/]+)/' },
    },
    {
      name: 'no-node-in-the-entry-for-browsers',
      severity: 'error',
      from: { path: '^ts/(?:browser\\.ts$|playground/)' },
      to: { path: '^(?:node:|ts/host/node/|ts/backend/native/)', reachable: true },
    },
    {
      name: 'no-circles-below-the-objects',
      comment:
        'Types included. The public classes refer to each other, as OpenCL’s objects do: by type alone (docs/adr/0026-objects-refer-by-type.md).',
      severity: 'error',
      from: { path: '^ts/api/', pathNot: '^ts/api/objects/' },
      to: { circular: true },
    },
    {
      name: 'objects-on-top',
      comment: 'What checks, encodes and describes knows the public classes by name or by interface.',
      severity: 'error',
      from: {
        path: '^ts/api/(?:internals\\.ts|arguments/|checks/|commands/|data/|errors/|info/(?!inspect)|interop/|options/)',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^ts/api/(?:objects/|open\\.ts)' },
    },
    // Work over many chunks and many devices, made of the API alone.
    layer('flow-over-api', '^ts/flow/', ['^ts/cl/', '^ts/api/']),
    // Traces decorate backends from outside; nothing but the entries and the command line knows them.
    layer('trace-over-backend', '^ts/trace/', [
      '^ts/cl/',
      '^ts/backend/[^/]*\\.ts$',
      '^ts/backend/software/build/toolchain\\.ts$',
      '^ts/jit/compiled\\.ts$',
    ]),
    // Entries of their own, over the public API alone: scripts/build/entries.mjs takes that import from the main one (docs/adr/0031-arrays.md).
    {
      name: 'array-over-the-public-api',
      severity: 'error',
      from: { path: '^ts/array/', pathNot: '\\.test\\.ts$' },
      // And a property of contexts, which the API tells by its number, how objects are shown, names of options, halves, and waiting for signals.
      to: {
        pathNot: [
          '^ts/array/',
          '^ts/api/public\\.ts$',
          '^ts/api/options/abort\\.ts$',
          '^ts/base/(?:half|limit-properties|option-names|show-as)\\.ts$',
        ],
      },
    },
    // Kernels as modules, for bundlers and Node.js: the compiler with the software device's settings.
    layer('typed-over-compiler', '^ts/typed/', [
      '^ts/compiler/',
      '^ts/spirv/',
      '^ts/backend/software/device/capabilities\\.ts$',
      '^ts/host/node/',
    ]),
    {
      name: 'testing-over-the-public-api',
      severity: 'error',
      from: { path: '^ts/testing/', pathNot: '\\.test\\.ts$' },
      to: { path: '^ts/', pathNot: ['^ts/testing/', '^ts/api/public\\.ts$', '^ts/base/option-names\\.ts$'] },
    },
    layer('api-over-backend', '^ts/api/', ['^ts/cl/', '^ts/backend/[^/]*\\.ts$']),
    // The process behind the ICD serves the software device.
    layer('icd-over-software-backend', '^ts/icd/', [
      '^ts/cl/',
      '^ts/backend/',
      '^ts/device/memory/copies\\.ts$',
      '^ts/host/',
    ]),
    {
      name: 'no-node-outside-the-host-layer',
      severity: 'error',
      from: {
        path: '^ts/',
        pathNot: [
          '^ts/host/node/',
          '^ts/backend/native/',
          '^ts/cli/',
          '^ts/icd/',
          '^ts/typed/',
          '^ts/testing/capture',
          '\\.test\\.ts$',
        ],
      },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
