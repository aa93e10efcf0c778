import { type Completions, takesTasks } from './completions.ts';

/** Rules for fish, with a line of help beside each word. */
export function fishScript({ commands, tasks }: Completions): string {
  const lines = commands.flatMap(({ name, summary, options, words }) => {
    const here = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c typecase -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
      ...options.map(({ flag, summary: what, values, takesValue }) => {
        const value =
          values.length > 0 ? ` -x -a ${quote(values.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c typecase ${here} -l ${flag.replace(/^--/, '')}${value} -d ${quote(what)}`;
      }),
      ...(words.length > 0 ? [`complete -c typecase ${here} -f -a ${quote(words.join(' '))}`] : []),
    ];
  });
  const names = tasks.map((task) => `task:${task}`).join(' ');
  return `# fish completion for typecase: typecase completion fish > ~/.config/fish/completions/typecase.fish
${lines.join('\n')}
complete -c typecase -n '__fish_seen_subcommand_from ${takesTasks.join(' ')}' -a ${quote(names)} -d 'built-in task'
`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
