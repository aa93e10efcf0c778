import { Argument, Command } from 'commander';
import { builtInTasks } from '../../tasks/find-task.ts';
import type { CommandEntry, RunCommand } from '../../terminal/command.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { bashScript } from './bash-script.ts';
import type { CompletedCommand, Completions } from './completions.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof scripts;
const shells = Object.keys(scripts) as Shell[];

/** `typecase completion`: what a shell needs to complete these commands. */
export function completionOf(commands: readonly CommandEntry[]): RunCommand {
  return async (args) => {
    const parsed = parseArguments(describeCompletion(), args);
    if (!parsed) return 0;
    const [shell] = parsed.processedArgs as [Shell];
    process.stdout.write(scripts[shell](await completionsOf(commands)));
    return 0;
  };
}

export function describeCompletion(): Command {
  return addExamples(
    new Command('typecase completion')
      .description('Prints the completion script of a shell: commands, options and task names.')
      .addArgument(new Argument('<shell>', 'shell to complete in').choices(shells)),
    [
      ['bash, in ~/.bashrc', 'source <(typecase completion bash)'],
      ['zsh, in ~/.zshrc after compinit', 'source <(typecase completion zsh)'],
      ['fish', 'typecase completion fish > ~/.config/fish/completions/typecase.fish'],
    ],
  );
}

async function completionsOf(commands: readonly CommandEntry[]): Promise<Completions> {
  const described = await Promise.all(commands.map(describedCommand));
  const byName = new Map<string, CompletedCommand>();
  for (const command of described) {
    const before = byName.get(command.name);
    byName.set(command.name, before ? withBoth(before, command) : command);
  }
  return { commands: [...byName.values()], tasks: builtInTasks() };
}

/** Two commands of one name take different arguments, and both are offered. */
function withBoth(first: CompletedCommand, second: CompletedCommand): CompletedCommand {
  const options = [...first.options, ...second.options];
  return {
    ...second,
    options: [...new Map(options.map((option) => [option.flag, option])).values()],
    words: [...first.words, ...second.words],
  };
}

async function describedCommand({
  name,
  summary,
  describe,
}: CommandEntry): Promise<CompletedCommand> {
  const command = (await describe())();
  const subcommand = command.name().split(' ')[2];
  const first = command.registeredArguments[0]?.argChoices ?? [];
  return {
    name,
    summary,
    options: [
      ...command.options
        .filter(({ hidden, long }) => !hidden && long)
        .map(({ long, description, argChoices, required, optional }) => ({
          flag: long ?? '',
          summary: description,
          values: argChoices ?? [],
          takesValue: required || optional,
        })),
      { flag: '--help', summary: 'show this help', values: [], takesValue: false },
    ],
    words: subcommand && !subcommand.startsWith('-') ? [subcommand] : first,
  };
}
