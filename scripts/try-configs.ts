/**
 * Says how much of a tree of Python configs shows prompts on rows that are made up from its columns,
 * and how much of it is scored: `tsx scripts/try-configs.ts TREE [FOLDER]`.
 */
import { promptsOf, withMadeUpRows } from '../src/import/check-prompts.ts';
import { configFilesIn } from '../src/import/digests.ts';
import { type NativeConfig, nativeConfig } from '../src/import/native-config.ts';
import type { Plain } from '../src/import/plain-value.ts';
import { PythonLoader } from '../src/import/python/load-python.ts';
import { treeTexts } from '../src/import/tree-texts.ts';

const [root = '.', folder = 'opencompass/configs/datasets'] = process.argv.slice(2);
/** Entries of a file are mostly alike. */
const entriesTried = 3;

interface Tried {
  readonly file: string;
  readonly native: NativeConfig;
  readonly failure?: string | undefined;
}

const loader = await PythonLoader.open(root);
const textsOf = treeTexts(root, loader);
const tried: Tried[] = [];
for (const file of configFilesIn(root, folder)) {
  const native = readConfig(file);
  const datasets = (native?.value.datasets ?? []) as readonly Plain[];
  if (!native || datasets.length === 0) continue;
  tried.push({ file, native, failure: await failureOf(native, datasets) });
}
const shown = tried.filter(({ failure }) => failure === undefined);
const scored = tried.filter(({ native }) =>
  (native.value.datasets as readonly Plain[]).every(isScored),
);
process.stdout.write(`${tried.length} files have datasets\n`);
process.stdout.write(`${shown.length} show prompts (${share(shown.length)})\n`);
process.stdout.write(`${scored.length} score every dataset (${share(scored.length)})\n`);
for (const [text, count] of counts(tried.flatMap(({ failure }) => failure ?? [])))
  process.stdout.write(`not shown, ${count} files: ${text}\n`);
const blocked = tried.filter((one) => !scored.includes(one)).map(({ native }) => missingOf(native));
const alone = new Map(counts(blocked.filter(({ length }) => length === 1).flat()));
for (const [name, count] of counts(blocked.flat()))
  process.stdout.write(
    `not scored, ${count} files, ${alone.get(name) ?? 0} by this alone: ${name}\n`,
  );

function readConfig(file: string): NativeConfig | undefined {
  try {
    return nativeConfig([loader.load(file)], { data: new Map(), textsOf });
  } catch {
    return undefined;
  }
}

async function failureOf(native: NativeConfig, datasets: readonly Plain[]) {
  for (const dataset of datasets.slice(0, entriesTried)) {
    try {
      await promptsOf(withMadeUpRows(native, dataset));
    } catch (error) {
      return (error instanceof Error ? error.message : String(error)).split('\n')[0];
    }
  }
  return undefined;
}

/** Texts that are only measured have their perplexity without an evaluator. */
function isScored({ eval_cfg, infer_cfg }: Plain): boolean {
  const { inferencer } = infer_cfg as { readonly inferencer?: { readonly type?: string } };
  return eval_cfg !== undefined || inferencer?.type === 'PPLOnlyInferencer';
}

function missingOf({ notes }: NativeConfig): string[] {
  const names = notes.filter(({ text }) => text.includes('not scored')).map(({ name }) => name);
  return [...new Set(names)];
}

function counts(texts: readonly string[]): [string, number][] {
  const all = new Map<string, number>();
  for (const text of texts) all.set(text, (all.get(text) ?? 0) + 1);
  return [...all].sort(([, left], [, right]) => right - left);
}

function share(count: number): string {
  return `${((100 * count) / tried.length).toFixed(1)}%`;
}
