import { type Completions, takesTasks } from './completions.ts';

/** A function for bash; files are completed where nothing of ours fits. */
export function bashScript({ commands, tasks }: Completions): string {
  const cases = commands.map(({ name, options, words }) => {
    const values = options
      .filter((option) => option.values.length > 0)
      .map(
        ({ flag, values: list }) =>
          `        ${flag}) COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$current")); return ;;\n`,
      );
    const chosen =
      values.length > 0 ? `      case "$previous" in\n${values.join('')}      esac\n` : '';
    const flags = options.map(({ flag }) => flag).join(' ');
    return `    ${name})\n${chosen}      flags='${flags}'; words='${words.join(' ')}' ;;\n`;
  });
  // A colon ends a word of bash, so \`task:NAME\` is completed after it.
  return `# bash completion for typecase: source <(typecase completion bash)
_typecase() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" flags='' words=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('')}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif ((COMP_CWORD == 2)) && [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ ' ${takesTasks.join(' ')} ' == *" \${COMP_WORDS[1]} "* ]]; then
    if [[ $current == task:* ]]; then
      COMPREPLY=($(compgen -W '${tasks.map((task) => `task:${task}`).join(' ')}' -- "$current"))
    elif [[ $previous == : && \${COMP_WORDS[COMP_CWORD-2]} == task ]] || [[ $current == : && $previous == task ]]; then
      COMPREPLY=($(compgen -W '${tasks.join(' ')}' -- "\${current#:}"))
    fi
  fi
}
complete -o default -o bashdefault -F _typecase typecase
`;
}
