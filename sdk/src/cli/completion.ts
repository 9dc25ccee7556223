import type { Command } from 'commander';

const SHELLS = { bash, zsh, fish };

export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a completion script: `source <(sightline completion bash)`')
    .argument('<shell>', Object.keys(SHELLS).join(', '))
    .action((shell: string) => {
      const script = SHELLS[shell as keyof typeof SHELLS];
      if (!script) program.error(`The shell is one of ${Object.keys(SHELLS).join(', ')}.`);
      process.stdout.write(script(wordsOf(program)));
    });
}

/** Words that can follow a path of commands such as `mcap upload`: subcommands, then options. */
type Words = Map<string, string[]>;

function wordsOf(program: Command): Words {
  const words: Words = new Map();
  const everywhere = ['--json', '--help'];
  const visit = (command: Command, path: string) => {
    const options = command.options.flatMap(({ long }) => (long && !everywhere.includes(long) ? [long] : []));
    words.set(path, [...command.commands.map((each) => each.name()), ...options, ...everywhere]);
    for (const each of command.commands) visit(each, `${path} ${each.name()}`.trim());
  };
  visit(program, '');
  return words;
}

const cases = (words: Words) =>
  [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');

/** Builds the path from the words that are commands; arguments and options are skipped. */
function bash(words: Words): string {
  return `_sightline() {
  local word seen='' words='' current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${[...words.keys()].join(' | ')} " in *"| \${seen:+$seen }$word "*) seen="\${seen:+$seen }$word" ;; esac
  done
  case "$seen" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _sightline sightline
`;
}

function zsh(words: Words): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`;
}

function fish(words: Words): string {
  const lines = [...words].flatMap(([path, next]) => {
    const conditions = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const seen = path === '' ? '__fish_use_subcommand' : conditions.join('; and ');
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c sightline -n '${seen}' -l ${word.slice(2)}`
        : `complete -c sightline -n '${seen}' -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}
