// SPDX-License-Identifier: MIT
//
// Starts `anycl lsp` for OpenCL C files, and `anycl debug-adapter` for their kernels. All answers are theirs.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { DebugAdapterExecutable, debug, workspace } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

/** The configured command, the one of the first folder that has it, or the one on the PATH. */
function commandFor(subcommand) {
  const configured = workspace.getConfiguration('anycl').get('command');
  if (configured) return { command: configured, args: [subcommand] };
  for (const { uri } of workspace.workspaceFolders ?? []) {
    const script = join(uri.fsPath, 'node_modules', 'anycl', 'dist', 'cli.cjs');
    if (existsSync(script)) return { command: 'node', args: [script, subcommand] };
  }
  return { command: 'anycl', args: [subcommand], options: { shell: process.platform === 'win32' } };
}

const adapters = {
  createDebugAdapterDescriptor() {
    const { command, args } = commandFor('debug-adapter');
    return new DebugAdapterExecutable(command, args);
  },
};

exports.activate = async (context) => {
  context.subscriptions.push(debug.registerDebugAdapterDescriptorFactory('anycl', adapters));
  client = new LanguageClient(
    'anycl',
    'anycl',
    { ...commandFor('lsp'), transport: TransportKind.stdio },
    {
      documentSelector: [{ language: 'opencl' }],
      initializationOptions: { buildOptions: workspace.getConfiguration('anycl').get('buildOptions') },
      synchronize: { configurationSection: 'anycl' },
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
