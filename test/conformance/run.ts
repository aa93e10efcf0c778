import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Difference, difference } from './compare.ts';
import type { Handler, VectorContext } from './handler.ts';
import { handlers } from './handlers.ts';
import { type JsonObject, textAt } from './json.ts';
import { listFiles, loadFile, type VectorGroup } from './load.ts';

export interface Failure {
  readonly id: string;
  readonly differences: readonly Difference[];
}

export interface GroupResult {
  readonly name: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** A group of vectors, and how to run it. */
export interface RunnableGroup {
  readonly name: string;
  /** Whether there is anything that runs this kind; otherwise its vectors are skipped. */
  readonly isHandled: boolean;
  readonly run: () => Promise<GroupResult>;
}

const fallbackMetaTemplates = join(
  import.meta.dirname,
  '..',
  'vectors',
  'opencompass',
  'meta_templates.json',
);

/** The groups of vectors in all files below a folder; a file that cannot be read is one too. */
export function findGroups(folder: string): RunnableGroup[] {
  return listFiles(folder).flatMap((path) => {
    const { groups, problem } = loadFile(path);
    if (problem !== undefined) {
      const failures = [
        {
          id: path,
          differences: [difference({ at: 'file', expected: 'vectors', actual: problem })],
        },
      ];
      const result = { name: path, passed: 0, skipped: 0, failures };
      return [{ name: path, isHandled: true, run: () => Promise.resolve(result) }];
    }
    return groups.map((group) => {
      const name = `${group.file} ${group.kind}`;
      const isHandled = handlerOf(group) !== undefined;
      return { name, isHandled, run: () => runGroup(group, { name, context: contextOf(path) }) };
    });
  });
}

async function runGroup(
  group: VectorGroup,
  { name, context }: { readonly name: string; readonly context: VectorContext },
): Promise<GroupResult> {
  const handler = handlerOf(group);
  if (handler === undefined) {
    return { name, passed: 0, skipped: group.vectors.length, failures: [] };
  }
  const failures: Failure[] = [];
  let skipped = 0;
  for (const [index, vector] of group.vectors.entries()) {
    const differences = await runVector(handler, { vector, context });
    if (differences === 'skipped') skipped += 1;
    else if (differences.length > 0) {
      failures.push({ id: textAt(vector, 'id') || `number ${index}`, differences });
    }
  }
  const passed = group.vectors.length - failures.length - skipped;
  return { name, passed, skipped, failures };
}

function handlerOf({ kind }: VectorGroup): Handler | undefined {
  return Object.hasOwn(handlers, kind) ? handlers[kind] : undefined;
}

async function runVector(
  handler: Handler,
  { vector, context }: { readonly vector: JsonObject; readonly context: VectorContext },
): Promise<readonly Difference[] | 'skipped'> {
  try {
    return await handler(vector, context);
  } catch (error) {
    const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [
      difference({
        at: 'run',
        expected: 'a result',
        actual: thrown.split('\n').slice(0, 4).join(' | '),
      }),
    ];
  }
}

function contextOf(path: string): VectorContext {
  const beside = join(dirname(path), 'meta_templates.json');
  const file = existsSync(beside) ? beside : fallbackMetaTemplates;
  const metaTemplates = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  return { metaTemplates, folder: dirname(path) };
}
