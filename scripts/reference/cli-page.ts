import type { EventEmitter } from 'node:events';
import { Command, Help, type Option } from 'commander';
import { commands } from '../../src/cli/commands.ts';
import type { CommandEntry } from '../../src/terminal/command.ts';
import { table } from './table.ts';

const intro = `# Commands

Generated from the commands themselves (\`npm run reference\`). In a project that has Typecase installed, put \`npx\` before
each. \`typecase COMMAND --help\` prints the same.

## Environment variables

| variable | |
|---|---|
| \`CI\` | if set, \`--strict\` is the default |
| \`TYPECASE_QUEUE\` | address of Redis, for \`--queue\` and \`worker\` |
| \`TYPECASE_BASE_URL\` | endpoint for models of Python configs that name none, like \`--base-url\` |
| \`TYPECASE_DEBUG\` | \`1\` prints the stack of an error |
| \`HF_TOKEN\`, \`HF_ENDPOINT\` | token for the Hugging Face hub, and another hub |
| \`XDG_CACHE_HOME\` | folder of downloads (default: \`~/.cache\`) |
| \`NO_COLOR\`, \`FORCE_COLOR\`, \`COLUMNS\` | no colours, colours without a terminal, width without a terminal |
| \`GITHUB_ACTIONS\`, \`GITHUB_STEP_SUMMARY\` | set by GitHub: failed gates become annotations, scores go into the job summary |
| \`SYSTEM_PROMPT\` | read by the dialect \`v0.1.0\` of the [financial tasks](../suites/japanese-financial.md) |

API keys are read from the variables that \`api_key_env\` names in a config.

## Commands
`;

/** Some commands of one name are told apart by their arguments. */
const further: Readonly<Record<string, readonly (readonly string[])[]>> = {
  cache: [['explain', '--help']],
  'cache-study': [['--help'], ['CONFIG', '--help']],
  view: [['--help'], ['--task', 'chabsa', '--help']],
};

/** docs/reference/cli.md: every command with its arguments and options. */
export async function cliPage(): Promise<string> {
  const pages: string[] = [];
  for (const entry of commands) {
    for (const args of argumentsOf(entry)) {
      const { command, after } = await definitionOf(entry, args);
      pages.push(commandText(entry, { command, after, args }));
    }
  }
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]));
  const list = [...summaries].map(([name, summary]) => [
    `[\`${name}\`](#${anchorOf(name)})`,
    summary,
  ]);
  return `${intro}\n${table(['command', ''], list)}\n\n${pages.join('\n')}`;
}

/** Where the page has a command: at the first of its forms. */
function anchorOf(name: string): string {
  const told = further[name]?.[0]?.slice(0, -1) ?? [];
  return ['typecase', name, ...told].join('-');
}

export function argumentsOf(entry: CommandEntry): readonly (readonly string[])[] {
  if (entry.takes) return [['--include_path', 'tasks', '--help']];
  return further[entry.name] ?? [['--help']];
}

/** What a command gives Commander to print its help from. */
export async function definitionOf(entry: CommandEntry, args: readonly string[]) {
  const run = await entry.load();
  const { outputHelp } = Command.prototype;
  const found: Command[] = [];
  Command.prototype.outputHelp = function noteCommand(this: Command) {
    found.push(this);
  };
  try {
    await run(args);
  } finally {
    Command.prototype.outputHelp = outputHelp;
  }
  const command = found[0];
  if (!command) throw new Error(`\`typecase ${entry.name} ${args.join(' ')}\` printed no help`);
  let after = '';
  // A command is an emitter of events, which its types do not say.
  const emitter = command as unknown as EventEmitter;
  emitter.emit('afterHelp', { error: false, command, write: (text: string) => (after += text) });
  return { command, after: after.trim() };
}

interface Defined {
  readonly command: Command;
  readonly after: string;
  readonly args: readonly string[];
}

function commandText({ name }: CommandEntry, { command, after, args }: Defined): string {
  const help = new Help();
  const told = args.slice(0, -1).join(' ');
  const title = `## \`typecase ${name}${told === '' ? '' : ` ${told}`}\``;
  const positional = help
    .visibleArguments(command)
    .map((argument) => [
      `\`${argument.name()}\``,
      escapeMarkdown(help.argumentDescription(argument)),
    ]);
  const groups = help.groupItems(
    [],
    help.visibleOptions(command).filter(({ long }) => long !== '--help'),
    (option) => option.helpGroupHeading ?? 'Options',
  );
  const options = [...groups].map(([heading, inGroup]) => {
    const rows = inGroup.map((option) => [`\`${option.flags}\``, describe(help, option)]);
    return `${groups.size > 1 ? `**${heading.replace(/:$/, '')}**\n\n` : ''}${table(['option', ''], rows)}`;
  });
  return [
    title,
    escapeMarkdown(help.commandDescription(command)),
    `\`\`\`text\n${help.commandUsage(command)}\n\`\`\``,
    ...(positional.length > 0 ? [table(['argument', ''], positional)] : []),
    ...options,
    ...(after === '' ? [] : [`\`\`\`text\n${after}\n\`\`\``]),
  ]
    .join('\n\n')
    .concat('\n');
}

function describe(help: Help, option: Option): string {
  return escapeMarkdown(help.optionDescription(option));
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<>*]/g, '\\$&');
}
