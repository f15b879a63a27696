import { Argument, type Command, type Option } from 'commander';
import { examples } from './examples.ts';

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof shells;

export function registerCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a shell completion script for commands, options and values')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      '\nIt completes paylatch, and in bash and fish also npx paylatch. Regenerate it after an upgrade.',
    )
    .addHelpText(
      'after',
      examples(
        'source <(npx paylatch completion bash)',
        'npx paylatch completion zsh > "${fpath[1]}/_paylatch"',
        'npx paylatch completion fish > ~/.config/fish/completions/paylatch.fish',
      ),
    )
    .action((shell: Shell) => {
      process.stdout.write(shells[shell](listEntries(program)));
    });
}

/** Completions of a command: subcommands, values of its arguments, and options. */
interface Entry {
  /** Names of the command and its parents, without the program name, such as `token create`. */
  path: string;
  words: readonly Word[];
  options: readonly (Word & { takesValue: boolean; values: readonly string[] })[];
}

interface Word {
  name: string;
  description: string;
}

/** Entries of all commands, from their declarations. */
function listEntries(command: Command, path = ''): Entry[] {
  const { commands, registeredArguments } = command;
  const values = registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((name) => ({ name, description })),
  );
  const entry = {
    path,
    words: [...commands.map((each) => ({ name: each.name(), description: each.description() })), ...values],
    options: [...command.options.map(describeOption), { ...help, takesValue: false, values: [] }],
  };
  return [entry, ...commands.flatMap((each) => listEntries(each, `${path} ${each.name()}`.trim()))];
}

const help = { name: '--help', description: 'display help for command' };

function describeOption({ long, description, required, optional, argChoices }: Option): Entry['options'][number] {
  return { name: long ?? '', description, takesValue: required || optional, values: argChoices ?? [] };
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const pathsOf = (entries: readonly Entry[]) => entries.map(({ path }) => path).filter((path) => path !== '');

/** Options that take a value, with their fixed values if any. */
const valueOptions = (entries: readonly Entry[]) =>
  entries.flatMap(({ path, options }) => options.filter((each) => each.takesValue).map((each) => ({ path, ...each })));

function bashScript(entries: readonly Entry[]): string {
  const fixed = valueOptions(entries).filter(({ values }) => values.length > 0);
  return `# Completes paylatch in bash: source <(npx paylatch completion bash)
_paylatch() {
  local current=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} command= words= prefix= index=1
  COMPREPLY=()
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    [[ $COMP_CWORD -gt 1 && \${COMP_WORDS[1]} == paylatch ]] || return 0
    index=2
  fi
  # bash splits --option=value into three words.
  if [[ $current == '=' ]]; then current=
  elif [[ $option == '=' ]]; then option=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((; index < COMP_CWORD; index++)); do
    case "\${command:+$command }\${COMP_WORDS[index]}" in
      ${pathsOf(entries).map(quote).join('|')})
        command="\${command:+$command }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$command $option" in
${fixed.map(({ path, name, values }) => `    ${quote(`${path} ${name}`)}) words=${quote(values.join(' '))} ;;`).join('\n')}
    ${valueOptions(entries)
      .filter(({ values }) => values.length === 0)
      .map(({ path, name }) => quote(`${path} ${name}`))
      .join('|')}) return 0 ;;
  esac
  if [[ -n $words ]]; then
    # Values after a comma.
    if [[ $current == *,* ]]; then prefix=\${current%,*},; fi
    COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "\${current##*,}"))
    return 0
  fi
  case "$command" in
${entries
  .map(({ path, words, options }) => {
    const names = [...words, ...options].map(({ name }) => name);
    return `    ${quote(path)}) words=${quote(names.join(' '))} ;;`;
  })
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Falls back to files.
complete -o default -F _paylatch paylatch npx
`;
}

function zshScript(entries: readonly Entry[]): string {
  const list = (words: readonly Word[]) =>
    words.map(({ name, description }) => quote(`${name.replaceAll(':', String.raw`\:`)}:${description}`)).join(' ');
  const fixed = valueOptions(entries).filter(({ values }) => values.length > 0);
  return `#compdef paylatch
# Completes paylatch in zsh: npx paylatch completion zsh > "\${fpath[1]}/_paylatch"
_paylatch() {
  local command= word option=$words[CURRENT-1]
  local -a commands options
  for word in \${words[2,CURRENT-1]}; do
    case "\${command:+$command }$word" in
      ${pathsOf(entries).map(quote).join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command $option" in
${fixed.map(({ path, name, values }) => `    ${quote(`${path} ${name}`)}) compset -P '*,'; compadd -- ${values.map(quote).join(' ')}; return ;;`).join('\n')}
    ${valueOptions(entries)
      .filter(({ values }) => values.length === 0)
      .map(({ path, name }) => quote(`${path} ${name}`))
      .join('|')}) _files; return ;;
  esac
  case "$command" in
${entries
  .map(({ path, words, options }) => `    ${quote(path)}) commands=(${list(words)}); options=(${list(options)}) ;;`)
  .join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe -o option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
# Also works when sourced: source <(npx paylatch completion zsh)
if [[ $funcstack[1] == _paylatch ]]; then _paylatch "$@"; else compdef _paylatch paylatch; fi
`;
}

function fishScript(entries: readonly Entry[]): string {
  // Only these two characters are special inside single quotes.
  const fish = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const rules = entries.flatMap(({ path, words, options }) => {
    const at = `complete -c $program -n ${fish(`__paylatch_at ${fish(path)}`)}`;
    return [
      ...words.map(({ name, description }) => `${at} -f -a ${fish(name)} -d ${fish(description)}`),
      ...options.map(({ name, description, takesValue, values }) =>
        [
          ...[at, '-l', name.slice(2), '-d', fish(description)],
          ...(values.length > 0 ? ['-x', '-a', fish(values.join(' '))] : takesValue ? ['-r'] : []),
        ].join(' '),
      ),
    ];
  });
  return `# Completes paylatch in fish: npx paylatch completion fish > ~/.config/fish/completions/paylatch.fish
function __paylatch_at --description 'True if the command line is at this paylatch command'
    set -l words (commandline -opc)
    if test "$words[1]" = npx
        test "$words[2]" = paylatch; or return 1
        set -e words[1]
    end
    set -l command
    for word in $words[2..-1]
        if contains -- (string trim -- "$command $word") ${pathsOf(entries).map(fish).join(' ')}
            set -a command $word
        end
    end
    test "$command" = "$argv"
end
for program in paylatch npx
${rules.map((rule) => `    ${rule}`).join('\n')}
end
`;
}
