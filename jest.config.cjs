// SPDX-License-Identifier: MIT
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/ts', '<rootDir>/tests', '<rootDir>/scripts'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: false },
          // As in tsconfig.json.
          transform: { useDefineForClassFields: false },
        },
      },
    ],
  },
  setupFiles: process.env.ANYCL_TEST_ADDRESS_BITS ? ['<rootDir>/tests/helpers/address-bits.ts'] : [],
  globalSetup: '<rootDir>/scripts/jest-setup.cjs',
  reporters: [
    'default',
    '<rootDir>/scripts/skipped-reporter.cjs',
    '<rootDir>/scripts/running-tests-reporter.cjs',
  ],
  // Many suites wait for processes and threads of their own.
  maxWorkers: 2,
  testTimeout: 240000,
};
