import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Imports point from later layers to earlier ones; parts of one layer do not know each other. */
const layers: readonly (readonly string[])[] = [
  ['errors.ts', 'file-errors.ts', 'nearest-name.ts', 'content-hash.ts', 'version.ts'],
  ['random', 'match-pattern.ts', 'display-path.ts', 'usage-error.ts', 'format.ts'],
  ['prompt'],
  ['data', 'retrieve', 'model', 'score', 'stats'],
  ['tasks'],
  ['config'],
  ['evaluation'],
  ['run'],
  ['study'],
  ['import', 'report'],
  ['api'],
  ['server'],
  ['index.ts', 'cli'],
];

const source = fileURLToPath(new URL('../src', import.meta.url));
const importPath = /(?:from|import)\s*\(?\s*'([^']+)'/g;

interface Import {
  readonly from: string;
  readonly to: string;
}

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(sep).join('/'));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(importPath)].map(([, path = '']) => ({
    from: file,
    to: path.startsWith('.') ? relative(source, join(source, dirname(file), path)) : path,
  }));
}

function partOf(file: string): string {
  return (file.split('/')[0] ?? '').replace('.test.ts', '.ts');
}

function layerOf(file: string): number {
  return layers.findIndex((parts) => parts.includes(partOf(file)));
}

function problemOf({ from, to }: Import, isTest: boolean): string | undefined {
  const local = to.endsWith('.ts') || to.endsWith('.json');
  if (!local) {
    const browserCode = partOf(from) === 'prompt' || partOf(from) === 'random';
    return browserCode && !isTest && to.startsWith('node:') ? 'runs in browsers too' : undefined;
  }
  if (layerOf(from) < 0)
    return `is in no layer: add \`${partOf(from)}\` to scripts/check-layers.ts`;
  if (
    from.startsWith('prompt/') &&
    !from.startsWith('prompt/compat/') &&
    to.startsWith('prompt/compat/')
  ) {
    return isTest ? undefined : 'the engine knows nothing of compat modes';
  }
  if (partOf(from) === partOf(to) || layerOf(to) < layerOf(from)) return undefined;
  return `\`${partOf(to)}\` is not below \`${partOf(from)}\``;
}

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

/** Type imports vanish when the code runs, so they cannot close a cycle. */
function runtimeImports(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8').replace(
    /^(?:import|export) type [^;]*;/gm,
    '',
  );
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'(\.[^']+)'/gm)].map(([, path = '']) =>
    relative(source, join(source, dirname(file), path)),
  );
}

const files = sourceFiles();
const problems = files.flatMap((file) =>
  importsOf(file).flatMap((found) => {
    const problem = problemOf(found, file.includes('.test.') || file.includes('/arbitrary-'));
    return problem ? [`src/${file} imports ${found.to}: ${problem}`] : [];
  }),
);
const cycle = findCycle(new Map(files.map((file) => [file, runtimeImports(file)])));
if (cycle) problems.push(`import cycle: ${cycle.join(' → ')}`);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
