import { type Completions, takesTasks } from './completions.ts';

/** A function for zsh, with a line of help beside each word. */
export function zshScript({ commands, tasks }: Completions): string {
  const names = commands.map(({ name, summary }) => quote(`${escapeColons(name)}:${summary}`));
  const cases = commands.map(({ name, options, words }) => {
    const flags = options.map(({ flag, summary }) => quote(`${escapeColons(flag)}:${summary}`));
    const values = options
      .filter((option) => option.values.length > 0)
      .map(
        ({ flag, values: list }) => `        ${flag}) compadd -- ${list.join(' ')}; return ;;\n`,
      );
    const chosen =
      values.length > 0 ? `      case $previous in\n${values.join('')}      esac\n` : '';
    return `    ${name})\n${chosen}      flags=(${flags.join(' ')}); first=(${words.join(' ')}) ;;\n`;
  });
  return `#compdef typecase
# zsh completion for typecase: source <(typecase completion zsh)
_typecase() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]}
  local -a flags first
  if ((CURRENT == 2)); then
    local -a commands=(${names.join(' ')})
    _describe command commands
    return
  fi
  case \${words[2]} in
${cases.join('')}  esac
  if [[ $current == -* ]]; then
    _describe option flags
  elif ((CURRENT == 3)) && (($#first)); then
    compadd -- $first
  elif [[ $current == task:* && ' ${takesTasks.join(' ')} ' == *" \${words[2]} "* ]]; then
    compadd -- ${tasks.map((task) => `task:${task}`).join(' ')}
  else
    _files
  fi
}
compdef _typecase typecase
`;
}

function escapeColons(text: string): string {
  return text.replaceAll(':', '\\:');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
