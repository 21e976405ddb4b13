// SPDX-License-Identifier: MIT
//
// The manual page and docs/cli.md, made of command-table.ts; manual.test.ts keeps the files up to date.
import { type CommandRow, EXIT_STATUS, VARIABLES, VISIBLE } from './command-table';

const SUMMARY = 'compile, run and inspect OpenCL C anywhere';

const usage = (row: CommandRow): string =>
  ['anycl', row.name, ...(row.arguments ?? []).map(([name]) => name), '[options]'].join(' ');

/** In roff a backslash is an escape, and a line that begins with a dot is a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

const listed = (items: readonly (readonly [term: string, text: string])[]): string =>
  items.map(([term, text]) => `.TP\n\\fB${roff(term)}\\fR\n${roff(text)}\n`).join('');
const verbatim = (text: string): string => `.PP\n.nf\n${roff(text)}\n.fi\n`;

export function manualPage(): string {
  const commands = VISIBLE.map((row) =>
    [
      `.SS ${roff(usage(row))}\n${roff(row.description[0]!.toUpperCase() + row.description.slice(1))}.\n`,
      listed(row.options.map(({ flags, description }) => [flags, description])),
      row.notes ? verbatim(row.notes) : '',
      `.PP\nExamples:\n${verbatim(row.examples.join('\n'))}`,
    ].join(''),
  ).join('');
  return [
    '.\\" Generated from ts/cli/command-table.ts. Do not edit.\n',
    '.TH ANYCL 1\n',
    `.SH NAME\nanycl \\- ${SUMMARY}\n`,
    '.SH SYNOPSIS\n\\fBanycl\\fR \\fICOMMAND\\fR [options]\n',
    `.SH COMMANDS\n${commands}`,
    `.SH ENVIRONMENT\n${listed(VARIABLES)}`,
    `.SH EXIT STATUS\n${listed(EXIT_STATUS.map(([status, meaning]) => [String(status), meaning]))}`,
  ].join('');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

export function commandLineDocs(): string {
  const sections = VISIBLE.map((row) =>
    [
      `## anycl ${row.name}\n\n${row.description[0]!.toUpperCase()}${row.description.slice(1)}.\n\n`,
      `    ${usage(row)}\n\n`,
      row.options.length > 0
        ? `| option | meaning |\n| --- | --- |\n${row.options.map(({ flags, description, byDefault }) => `| \`${cell(flags)}\` | ${cell(description)}${byDefault ? ` (default ${byDefault})` : ''} |\n`).join('')}\n`
        : '',
      row.notes ? `\`\`\`text\n${row.notes}\n\`\`\`\n\n` : '',
      `\`\`\`sh\n${row.examples.join('\n')}\n\`\`\`\n`,
    ].join(''),
  ).join('\n');
  const rows = (list: readonly (readonly [string | number, string])[]): string =>
    list.map(([name, text]) => `| \`${name}\` | ${cell(text)} |\n`).join('');
  return `<!-- Generated from ts/cli/command-table.ts (BLESS=1 npx jest ts/cli/manual.test.ts). Do not edit. -->

# The command line

\`anycl\` can ${SUMMARY}. \`anycl COMMAND --help\` shows the same for one command.

${sections}
## Environment

| variable | meaning |
| --- | --- |
${rows(VARIABLES)}
## Exit status

| status | meaning |
| --- | --- |
${rows(EXIT_STATUS)}`;
}
