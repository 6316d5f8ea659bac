import { type Command, type Options, optionsOf } from './command.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const renderCompletion = (shell: Shell, commands: readonly Command[]): string =>
  ({ bash, zsh, fish })[shell](commands);

const fileValues = new Set(['FILE', 'JSON']);

const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0]!)),
];

const secondWords = (commands: readonly Command[], first: string): string[] =>
  commands.flatMap(({ name }) => {
    const [group, word] = name.split(' ');
    return group === first && word !== undefined ? [word] : [];
  });

const groupsOf = (commands: readonly Command[]): string[] =>
  firstWords(commands).filter((word) => secondWords(commands, word).length > 0);

/** Returns the spellings of an option. */
const spellings = (name: string, { short }: Options[string]): string[] => [
  `--${name}`,
  ...(short ? [`-${short}`] : []),
];

const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const choicesOfPositional = ({ positionals = [] }: Command): readonly string[] => positionals[0]?.choices ?? [];

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const options = Object.entries(optionsOf(command));
    const values = options.flatMap(([name, option]) => {
      if (option.value === undefined) return [];
      const action = option.choices
        ? `COMPREPLY=($(compgen -W ${singleQuoted(option.choices.join(' '))} -- "$cur"))`
        : fileValues.has(option.value)
          ? 'COMPREPLY=($(compgen -f -- "$cur"))'
          : ':';
      return [`        ${spellings(name, option).join('|')}) ${action}; return ;;`];
    });
    const words = options.map(([name]) => `--${name}`).join(' ');
    const others = choicesOfPositional(command);
    const positional =
      others.length > 0 ? `compgen -W ${singleQuoted(others.join(' '))} -- "$cur"` : 'compgen -f -- "$cur"';
    return `    ${singleQuoted(command.name)})
      case "$prev" in
${values.join('\n')}
      esac
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ${singleQuoted(words)} -- "$cur"))
      else COMPREPLY=($(${positional})); fi ;;`;
  });
  const groups = groupsOf(commands);
  return `# bash completion of signpost
_signpost() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} name=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${singleQuoted(firstWords(commands).join(' '))} -- "$cur"))
    return
  fi
  case "$name" in
${groups
  .map(
    (group) => `    ${group})
      if ((COMP_CWORD == 2)); then
        COMPREPLY=($(compgen -W ${singleQuoted(secondWords(commands, group).join(' '))} -- "$cur"))
        return
      fi
      name="$name \${COMP_WORDS[2]}" ;;`,
  )
  .join('\n')}
  esac
  case "$name" in
${cases.join('\n')}
  esac
}
complete -o filenames -F _signpost signpost
`;
}

function zsh(commands: readonly Command[]): string {
  const escaped = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');
  const described = (pairs: (readonly [string, string])[]): string =>
    pairs.map(([name, help]) => singleQuoted(`${escaped(name)}:${help}`)).join(' ');
  const summaryOf = (word: string): string =>
    commands.find(({ name }) => name === word)?.summary ?? `commands of ${word}`;
  const argumentsOf = (command: Command): string =>
    Object.entries(optionsOf(command))
      .flatMap(([name, option]) =>
        spellings(name, option).map((spelling) => {
          const { value, choices, help, many } = option;
          const action = choices
            ? `(${choices.join(' ')})`
            : value !== undefined && fileValues.has(value)
              ? '_files'
              : ' ';
          const suffix = value === undefined ? '' : `:${escaped(value)}:${action}`;
          return `      ${singleQuoted(`${many ? '*' : ''}${spelling}[${escaped(help)}]${suffix}`)}`;
        }),
      )
      .concat(
        `      ${singleQuoted(`*:argument:${choicesOfPositional(command).length > 0 ? `(${choicesOfPositional(command).join(' ')})` : '_files'}`)}`,
      )
      .join(' \\\n');
  const groups = groupsOf(commands);
  return `#compdef signpost
_signpost() {
  local name=$words[2]
  if ((CURRENT == 2)); then
    local -a names=(${described(firstWords(commands).map((word) => [word, summaryOf(word)]))})
    _describe command names
    return
  fi
${groups
  .map(
    (group) => `  if [[ $name == ${group} ]]; then
    if ((CURRENT == 3)); then
      local -a names=(${described(secondWords(commands, group).map((word) => [word, summaryOf(`${group} ${word}`)]))})
      _describe command names
      return
    fi
    name="$name $words[3]"
    shift words; ((CURRENT--))
  fi`,
  )
  .join('\n')}
  shift words; ((CURRENT--))
  case "$name" in
${commands.map((command) => `    ${singleQuoted(command.name)}) _arguments -S \\\n${argumentsOf(command)} ;;`).join('\n')}
  esac
}
if [[ $funcstack[1] == _signpost ]]; then _signpost "$@"; else compdef _signpost signpost; fi
`;
}

function fish(commands: readonly Command[]): string {
  const seen = (words: readonly string[]): string =>
    words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  const lines = firstWords(commands).map((word) => {
    const summary = commands.find(({ name }) => name === word)?.summary ?? `commands of ${word}`;
    return `complete -c signpost -f -n __fish_use_subcommand -a ${word} -d ${singleQuoted(summary)}`;
  });
  for (const command of commands) {
    const [first, second] = command.name.split(' ') as [string, string?];
    if (second !== undefined) {
      const others = secondWords(commands, first).join(' ');
      const condition = `${seen([first])}; and not __fish_seen_subcommand_from ${others}`;
      lines.push(
        `complete -c signpost -f -n ${singleQuoted(condition)} -a ${second} -d ${singleQuoted(command.summary)}`,
      );
    }
    const condition = singleQuoted(seen(second === undefined ? [first] : [first, second]));
    const choices = choicesOfPositional(command);
    if (choices.length > 0) lines.push(`complete -c signpost -f -n ${condition} -a ${singleQuoted(choices.join(' '))}`);
    for (const [name, { short, value, choices: values, help }] of Object.entries(optionsOf(command))) {
      const parts = [`complete -c signpost -n ${condition} -l ${name}`];
      if (short !== undefined) parts.push(`-s ${short}`);
      if (values) parts.push(`-x -a ${singleQuoted(values.join(' '))}`);
      else if (value !== undefined) parts.push(fileValues.has(value) ? '-r -F' : '-x');
      lines.push(`${parts.join(' ')} -d ${singleQuoted(help)}`);
    }
  }
  return `# fish completion of signpost\n${lines.join('\n')}\n`;
}
