import { posix } from 'node:path';
import { layerOf, roomOf } from './layers.ts';
import type { Import } from './source-imports.ts';

/** Files, and what they import. */
export interface Graph {
  readonly files: ReadonlySet<string>;
  readonly imports: readonly Import[];
}

/** What is wrong with the imports of a source tree, a sentence each. */
export function importProblems(graph: Graph): string[] {
  return [
    ...filesWithoutRoom(graph),
    ...graph.imports.flatMap((one) => problemOf(one, graph) ?? []),
    ...nodeInBrowsers(graph),
    ...findCycles(graph),
  ];
}

function filesWithoutRoom({ files }: Graph): string[] {
  return [...files]
    .filter((file) => layerOf(file) < 0)
    .map((file) => `src/${file} is in no layer: add \`${roomOf(file)}\` to scripts/layers.ts`);
}

function problemOf({ from, to }: Import, { files }: Graph): string | undefined {
  const problem = files.has(to)
    ? (wrongDirection(from, to) ?? betweenCommands(from, to, files) ?? roundIndex(from, to, files))
    : to.endsWith('.ts')
      ? 'there is no such file, or it is a test'
      : undefined;
  return problem && `src/${from} imports ${to}: ${problem}`;
}

function wrongDirection(from: string, to: string): string | undefined {
  if (roomOf(from) === roomOf(to) || layerOf(to) < layerOf(from)) return undefined;
  return `\`${roomOf(to)}\` is not below \`${roomOf(from)}\``;
}

function betweenCommands(from: string, to: string, files: ReadonlySet<string>): string | undefined {
  const [suite, otherSuite] = [suiteOf(from), suiteOf(to)];
  if (suite && otherSuite && suite !== otherSuite) return 'suites do not import suites';
  const [command, other] = [commandOf(from, files), commandOf(to, files)];
  if (command && other && command !== other) return 'commands do not import commands';
  return undefined;
}

function suiteOf(file: string): string | undefined {
  return /^suites\/([^/]+)\//.exec(file)?.[1];
}

/** The command that a file belongs to: a folder of `cli`, or one of a suite that has a command in it. */
function commandOf(file: string, files: ReadonlySet<string>): string | undefined {
  const folder = /^cli\/[^/]+\/|^suites\/[^/]+\/[^/]+\//.exec(file)?.[0];
  if (folder?.startsWith('cli/')) return folder;
  if (folder && [...files].some((one) => one.startsWith(folder) && isCommand(one))) return folder;
  return file.startsWith('cli/') && isCommand(file) ? file : undefined;
}

function isCommand(file: string): boolean {
  return file.endsWith('-command.ts');
}

/** Folders with an `index.ts` are imported through it, except by themselves. */
function roundIndex(from: string, to: string, files: ReadonlySet<string>): string | undefined {
  for (let folder = posix.dirname(to); folder !== '.'; folder = posix.dirname(folder)) {
    const index = `${folder}/index.ts`;
    if (files.has(index) && to !== index && !from.startsWith(`${folder}/`)) {
      return `goes round src/${index}`;
    }
  }
  return undefined;
}

/** What browsers run as well, with all that it loads. */
const browserFiles =
  /^(?:errors\.ts|prompt\/|python\/|chat-template\/|compat\/prompt\/|evaluation\/(?:task-prompts|inference-of)\.ts|server\/viewer\/workbench\/(?:make-prompts|template-text)\.ts|exports\/(?:prompt|report|stats)\.ts)/;

function nodeInBrowsers({ files, imports }: Graph): string[] {
  const loaded = byFile(imports.filter(({ isType }) => !isType));
  const done = new Set<string>();
  const waiting = [...files].filter((file) => browserFiles.test(file)).map((file) => [file]);
  const problems: string[] = [];
  for (const trail of waiting) {
    const file = trail.at(-1) ?? '';
    if (done.has(file)) continue;
    done.add(file);
    for (const { to } of loaded.get(file) ?? []) {
      if (files.has(to)) waiting.push([...trail, to]);
      else if (to.startsWith('node:')) {
        problems.push(`src/${trail.join(' → ')} imports ${to}: runs in browsers too`);
      }
    }
  }
  return problems;
}

function byFile(imports: readonly Import[]): ReadonlyMap<string, readonly Import[]> {
  const groups = new Map<string, Import[]>();
  for (const one of imports) {
    const group = groups.get(one.from);
    if (group) group.push(one);
    else groups.set(one.from, [one]);
  }
  return groups;
}

/** Ways from a file back to itself; types count, what is loaded later does not. */
function findCycles({ files, imports }: Graph): string[] {
  const next = byFile(imports.filter(({ to, isLazy }) => !isLazy && files.has(to)));
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] => {
    const start = trail.indexOf(file);
    if (start >= 0) return [`import cycle: ${[...trail.slice(start), file].join(' → ')}`];
    if (done.has(file)) return [];
    const cycles = (next.get(file) ?? []).flatMap(({ to }) => visit(to, [...trail, file]));
    done.add(file);
    return cycles;
  };
  return [...files].flatMap((file) => visit(file, []));
}
