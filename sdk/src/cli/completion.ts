import type { Command } from 'commander';

const SHELLS = { bash, zsh, fish };

export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('a script that completes this command line: `source <(sightline completion bash)`')
    .argument('<shell>', Object.keys(SHELLS).join(', '))
    .action((shell: string) => {
      const script = SHELLS[shell as keyof typeof SHELLS];
      if (!script) program.error(`The shell is one of ${Object.keys(SHELLS).join(', ')}.`);
      process.stdout.write(script(wordsOf(program)));
    });
}

/** What can follow a path of commands such as `mcap upload`: further commands, then options. */
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

/** Words that are commands lead on; what is said to them, and options, does not. */
function bash(words: Words): string {
  return `_sightline() {
  local word said='' words='' current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${[...words.keys()].join(' | ')} " in *"| \${said:+$said }$word "*) said="\${said:+$said }$word" ;; esac
  done
  case "$said" in
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
    const said = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const seen = path === '' ? '__fish_use_subcommand' : said.join('; and ');
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c sightline -n '${seen}' -l ${word.slice(2)}`
        : `complete -c sightline -n '${seen}' -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}
