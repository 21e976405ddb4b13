// SPDX-License-Identifier: MIT
//
// `anycl completion`: what makes a shell complete the commands, options and values of command-table.ts.
import { type CommandRow, flagParts, VISIBLE } from './command-table';
import { usageError } from './exit';
import { writeOutput } from './files';

const words = (row: CommandRow): string[] => row.options.flatMap(({ flags }) => flagParts(flags).names);
const quoted = (text: string): string => text.replaceAll("'", '’');

/** Options whose value is one of some words, each with its names. */
const choices = (row: CommandRow): (readonly [names: readonly string[], values: readonly string[]])[] =>
  row.options.flatMap(({ flags, values }) => (values ? [[flagParts(flags).names, values] as const] : []));

function bash(): string {
  const cases = VISIBLE.map((row) => {
    const values = choices(row).map(
      ([names, list]) =>
        `        ${names.join('|')}) COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$word")); return ;;\n`,
    );
    const before = values.length > 0 ? `      case "$previous" in\n${values.join('')}      esac\n` : '';
    const own = row.name === 'completion' ? 'bash zsh fish' : words(row).concat('--help').join(' ');
    return `    ${row.name})\n${before}      options='${own}' ;;\n`;
  }).join('');
  return `# bash completion of anycl
_anycl() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" options=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${VISIBLE.map(({ name }) => name).join(' ')}' -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases}  esac
  if [[ "$word" == -* || "\${COMP_WORDS[1]}" == completion ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _anycl anycl
`;
}

function zsh(): string {
  const commands = VISIBLE.map(({ name, description }) => `    '${name}:${quoted(description)}'\n`).join('');
  const cases = VISIBLE.map((row) => {
    const specs = row.options.flatMap(({ flags, description, values, repeats }) => {
      const { names, value } = flagParts(flags);
      const after = value ? `:${value}:${values ? `(${values.join(' ')})` : '_files'}` : '';
      const text = quoted(description).replace(/[[\]:]/g, (c) => `\\${c}`);
      return names.map((name) => `      '${repeats ? '*' : ''}${name}[${text}]${after}'`);
    });
    const file = row.name === 'completion' ? "'1:shell:(bash zsh fish)'" : "'*:file:_files'";
    return `    ${row.name}) _arguments \\\n${[...specs, `      ${file}`].join(' \\\n')} ;;\n`;
  }).join('');
  return `#compdef anycl
# zsh completion of anycl
_anycl() {
  local -a commands=(
${commands}  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases}  esac
}
if [ "$funcstack[1]" = _anycl ]; then _anycl "$@"; else compdef _anycl anycl; fi
`;
}

function fish(): string {
  const lines = VISIBLE.flatMap((row) => [
    `complete -c anycl -n __fish_use_subcommand -f -a ${row.name} -d '${quoted(row.description)}'`,
    ...row.options.map(({ flags, description, values }) => {
      const { names, value } = flagParts(flags);
      const forms = names.map((name) =>
        name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      const takes = value ? ` -r${values ? ` -f -a '${values.join(' ')}'` : ''}` : '';
      return `complete -c anycl -n '__fish_seen_subcommand_from ${row.name}' ${forms.join(' ')}${takes} -d '${quoted(description)}'`;
    }),
  ]);
  const shells = "complete -c anycl -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'";
  return `# fish completion of anycl\n${lines.join('\n')}\n${shells}\n`;
}

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish };

export function printCompletion(shell: string): void {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell]! : undefined;
  if (!script)
    throw usageError(`there is completion for ${Object.keys(SHELLS).join(', ')}, not for '${shell}'`);
  writeOutput('-', script());
}
