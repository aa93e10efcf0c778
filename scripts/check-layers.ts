import { dirname } from 'node:path';
import { layerOf, roomOf } from './layers.ts';
import { type Import, importsOf, isTest, sourceFiles } from './source-imports.ts';

/** What browsers run as well. */
const browserRooms = /^(?:errors\.ts|prompt\/|python\/|chat-template\/|compat\/prompt\/)/;

const files = sourceFiles();
const known = new Set(files);

function problemOf({ from, to }: Import): string | undefined {
  if (!known.has(to)) {
    if (to.endsWith('.ts')) return 'there is no such file';
    return browserRooms.test(from) && to.startsWith('node:') ? 'runs in browsers too' : undefined;
  }
  if (layerOf(from) < 0) return `is in no layer: add \`${roomOf(from)}\` to scripts/layers.ts`;
  if (roomOf(from) !== roomOf(to) && layerOf(to) >= layerOf(from)) {
    return `\`${roomOf(to)}\` is not below \`${roomOf(from)}\``;
  }
  const [command, other] = [commandOf(from), commandOf(to)];
  if (command && other && command !== other) return 'commands do not import commands';
  return goesRoundIndex(from, to);
}

/** The command that a file belongs to: of the command line, or of a suite. */
function commandOf(file: string): string | undefined {
  return /^cli\/([^/]+)\/|^suites\/[^/]+\/([^/]*-command)\//.exec(file)?.[0];
}

/** Folders with an `index.ts` are imported through it, except by themselves. */
function goesRoundIndex(from: string, to: string): string | undefined {
  for (let folder = dirname(to); folder !== '.'; folder = dirname(folder)) {
    const index = `${folder}/index.ts`;
    const isInside = from.startsWith(`${folder}/`);
    if (known.has(index) && to !== index && !isInside) return `goes round src/${index}`;
  }
  return undefined;
}

/** A way from a file back to itself; types count, what is loaded later does not. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

const shipped = files.filter((file) => !isTest(file));
const problems = shipped.flatMap((file) =>
  importsOf(file).flatMap((found) => {
    const problem = problemOf(found);
    return problem ? [`src/${file} imports ${found.to}: ${problem}`] : [];
  }),
);
const cycle = findCycle(
  new Map(
    shipped.map((file) => [
      file,
      importsOf(file).flatMap(({ to, isLazy }) => (isLazy || !known.has(to) ? [] : [to])),
    ]),
  ),
);
if (cycle) problems.push(`import cycle: ${cycle.join(' → ')}`);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
