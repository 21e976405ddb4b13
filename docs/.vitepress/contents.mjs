// SPDX-License-Identifier: MIT
// The order of the pages: those for users, and those for who works on anycl.

const pages = (folder, list) => list.map(([text, name]) => ({ text, link: `/${folder}${name}` }));

export const GUIDES = [
  {
    text: 'First steps',
    items: pages('guides/', [
      ['Your first kernel', 'first-kernel'],
      ['How it works', 'how-it-works'],
      ['Choosing devices', 'choosing-devices'],
      ['Comparison', 'comparison'],
    ]),
  },
  {
    text: 'Programs',
    items: pages('guides/', [
      ['Memory and lifetimes', 'memory'],
      ['Events and overlap', 'events'],
      ['Images', 'images'],
      ['Errors and debugging', 'errors'],
      ['Performance', 'performance'],
      ['Benchmarks', 'benchmarks'],
    ]),
  },
  {
    text: 'Beyond kernels',
    items: pages('guides/', [
      ['Arrays', 'arrays'],
      ['Typed kernels', 'typed-kernels'],
      ['Streams', 'streams'],
      ['Several devices', 'several-devices'],
      ['Devices of other machines', 'remote'],
    ]),
  },
  {
    text: 'Where it runs',
    items: pages('guides/', [
      ['Servers', 'server'],
      ['Electron', 'electron'],
      ['Bundlers', 'bundlers'],
      ['CI without a GPU', 'ci'],
      ['Editors', 'editors'],
      ['Debug a kernel', 'debug-a-kernel'],
      ['Troubleshooting', 'troubleshooting'],
    ]),
  },
  {
    text: 'Coming from',
    items: pages('guides/', [
      ['PyOpenCL', 'from-pyopencl'],
      ['C', 'from-c'],
      ['WebGPU and gpu.js', 'from-webgpu'],
    ]),
  },
  {
    // With a link of its own, the heading is not a button around another button.
    text: 'Look up',
    link: '/cli',
    collapsed: true,
    items: pages('', [
      ['The command line', 'cli'],
      ['The language', 'language'],
      ['Built-in functions', 'builtins'],
      ['Checked runs', 'checks'],
      ['Devices and drivers', 'devices'],
      ['Functions of OpenCL', 'api-coverage'],
      ['Security', 'security'],
    ]),
  },
];

export const DEVELOPERS = [
  {
    text: 'Working on anycl',
    link: '/ARCHITECTURE',
    collapsed: true,
    items: [
      ...pages('', [
        ['Architecture', 'ARCHITECTURE'],
        ['Glossary', 'glossary'],
        ['The JIT', 'jit'],
        ['The addon', 'native'],
        ['Validation', 'validation'],
        ['Fuzzers', 'fuzzing'],
        ['Conformance', 'conformance'],
      ]),
      ...pages('performance/', [['Measurements', 'README']]),
      ...pages('guides/', [
        ['Add a built-in function', 'add-a-builtin'],
        ['Add an API call', 'add-an-api-call'],
        ['Add an opcode', 'add-an-opcode'],
        ['Add a JIT pass', 'add-a-jit-pass'],
        ['Add a validation rule', 'add-a-validation-rule'],
      ]),
    ],
  },
];
