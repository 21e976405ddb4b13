// SPDX-License-Identifier: MIT
import { type CommandError, EXIT } from './exit';

/** Runs a command. Only this function turns an error into a message and an exit status. */
export async function finish(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** By the permission that Node.js's error names. */
const ALLOWED_BY: Readonly<Record<string, string>> = {
  ChildProcess: '--allow-child-process',
  WorkerThreads: '--allow-worker',
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
};

/** Errors are recognized by name, because another bundle has its own classes of the same names. */
function report(error: unknown): number {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'CommandError') {
    const { status } = error as CommandError;
    // Diagnostics get no prefix: editors look for `file:line:column:` at the start of a line.
    const isDiagnostic = status === EXIT.input && /(^|\s)error: /.test(message);
    const prefix = isDiagnostic || message.startsWith('anycl: ') ? '' : 'anycl: ';
    process.stderr.write(`${prefix}${message}\n`);
    return status;
  }
  if (name === 'OpenCLError') {
    process.stderr.write(`anycl: ${message}\n`);
    return (error as { isInternal?: true }).isInternal ? EXIT.bug : EXIT.input;
  }
  const { code, permission } = error as { code?: unknown; permission?: unknown };
  if (code === 'ERR_ACCESS_DENIED') {
    const flag = ALLOWED_BY[String(permission)];
    process.stderr.write(
      `anycl: the permission model of Node.js forbids what this command does${flag ? `: start node with ${flag} as well` : ` (${message})`}\n`,
    );
    return EXIT.input;
  }
  const detail = error instanceof Error ? (error.stack ?? message) : String(error);
  const what = name === 'InvariantError' ? 'a promise within anycl was broken' : 'an unexpected error';
  process.stderr.write(`anycl: ${what}; please report it with the command and its input\n${detail}\n`);
  return EXIT.bug;
}
