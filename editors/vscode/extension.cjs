// SPDX-License-Identifier: MIT
//
// Starts `anycl lsp` for OpenCL C files. All answers are the server's.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { workspace } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

/** The configured command, the one of the first folder that has it, or the one on the PATH. */
function serverCommand() {
  const configured = workspace.getConfiguration('anycl').get('command');
  if (configured) return { command: configured, args: ['lsp'] };
  for (const { uri } of workspace.workspaceFolders ?? []) {
    const script = join(uri.fsPath, 'node_modules', 'anycl', 'dist', 'cli.cjs');
    if (existsSync(script)) return { command: 'node', args: [script, 'lsp'] };
  }
  return { command: 'anycl', args: ['lsp'], options: { shell: process.platform === 'win32' } };
}

exports.activate = async () => {
  client = new LanguageClient(
    'anycl',
    'anycl',
    { ...serverCommand(), transport: TransportKind.stdio },
    {
      documentSelector: [{ language: 'opencl' }],
      initializationOptions: { buildOptions: workspace.getConfiguration('anycl').get('buildOptions') },
      synchronize: { configurationSection: 'anycl' },
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
