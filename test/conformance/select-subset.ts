import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isArray, isObject, type Json, type JsonObject, objectAt } from './json.ts';

/**
 * Makes `test/vectors` from the full folder of vectors:
 * `npx tsx test/conformance/select-subset.ts FOLDER`
 */

const target = join(import.meta.dirname, '..', 'vectors');

const wholeFiles = [
  'aisbench/fixtures.json',
  'aisbench/vectors.jsonl',
  ...['cache-sim.jsonl', 'logs.jsonl', 'sim-samples.json', 'vectors.jsonl'].map(
    (file) => `gqa/${file}`,
  ),
  ...['api-scoring.jsonl', 'rng-mt19937.jsonl', 'task-sets-main.json', 'templates.json'].map(
    (file) => `japanese-financial/${file}`,
  ),
  ...['main', 'v0.1.0', 'v0.2.0'].flatMap((dialect) => [
    `japanese-financial/metrics-synthetic-${dialect}.jsonl`,
    `japanese-financial/process_results-${dialect}.jsonl`,
  ]),
  'japanese-financial/prompts-synthetic-v0.1.0-SYSTEM_PROMPT.jsonl',
  'opencompass/behaviour.json',
  'opencompass/chat.jsonl',
  'opencompass/hand.jsonl',
  'opencompass/meta_templates.json',
  'opencompass/parse.jsonl',
];

const bytesOf: Readonly<Record<string, number>> = {
  'opencompass/gen.jsonl': 900_000,
  'opencompass/ppl.jsonl': 450_000,
};

/** Files of which every so many-th line is taken, from the first on. */
const stepOf: Readonly<Record<string, number>> = {
  'japanese-financial/prompts-synthetic-main.jsonl': 7,
  'japanese-financial/prompts-synthetic-v0.1.0.jsonl': 7,
  'japanese-financial/prompts-synthetic-v0.2.0.jsonl': 7,
};

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('give the folder of all vectors');
for (const file of wholeFiles) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  copyFileSync(join(source, file), join(target, file));
}
cpSync(join(source, 'import', 'samples'), join(target, 'import', 'samples'), { recursive: true });
for (const [file, budget] of Object.entries(bytesOf)) {
  const lines = readFileSync(join(source, file), 'utf8').split('\n').filter(Boolean);
  const chosen = selectLines(lines, budget);
  writeFileSync(join(target, file), `${chosen.join('\n')}\n`);
  console.log(`${basename(file)}: ${chosen.length} of ${lines.length}`);
}
for (const [file, step] of Object.entries(stepOf)) {
  const lines = readFileSync(join(source, file), 'utf8').split('\n').filter(Boolean);
  const chosen = lines.filter((_, index) => index % step === 0);
  writeFileSync(join(target, file), `${chosen.join('\n')}\n`);
}

/** The shortest vector of each form, short ones first, as many as the budget allows. */
function selectLines(lines: readonly string[], budget: number): string[] {
  const shortest = new Map<string, string>();
  for (const line of lines) {
    const form = JSON.stringify(formOf(JSON.parse(line) as JsonObject));
    const known = shortest.get(form);
    if (known === undefined || line.length < known.length) shortest.set(form, line);
  }
  const chosen = new Set<string>();
  let bytes = 0;
  for (const line of [...shortest.values()].sort((left, right) => left.length - right.length)) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes <= budget) chosen.add(line);
  }
  return lines.filter((line) => chosen.has(line));
}

/** What matters about a vector: its parts and the shape of its templates, not their wording. */
function formOf(vector: JsonObject): Json {
  return [
    objectAt(vector, 'inferencer').type ?? null,
    objectAt(vector, 'retriever').type ?? null,
    shapeOf(vector.ice_template ?? null),
    shapeOf(vector.prompt_template ?? null),
    String(vector.id).split('-').at(-1) ?? '',
  ];
}

function shapeOf(template: Json): Json {
  if (isArray(template)) return template.map(shapeOf);
  if (!isObject(template)) return typeof template;
  const shapes = Object.entries(template).map(([key, value]): [string, Json] =>
    ['type', 'role', 'ice_token'].includes(key) ? [key, value] : [key, shapeOf(value)],
  );
  return Object.fromEntries(shapes);
}
