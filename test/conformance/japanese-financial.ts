import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CPythonRandom } from '../../src/python/random/cpython-random.ts';
import { originalShape } from '../../src/suites/japanese-financial/data/documents.ts';
import { loadDocuments } from '../../src/suites/japanese-financial/data/load-documents.ts';
import { choicesInAnswer } from '../../src/suites/japanese-financial/scoring/answer-choices.ts';
import { judgeRow } from '../../src/suites/japanese-financial/scoring/judge-row.ts';
import { rowMetrics, taskMetrics } from '../../src/suites/japanese-financial/scoring/metrics.ts';
import {
  type Dialect,
  dialectNamed,
  dialects,
} from '../../src/suites/japanese-financial/templates/dialects.ts';
import {
  namedTasks,
  taskNamed,
  tasks,
  taskVersions,
} from '../../src/suites/japanese-financial/templates/task-names.ts';
import {
  type TaskPrompt,
  taskPrompts,
} from '../../src/suites/japanese-financial/templates/task-prompts.ts';
import {
  loadTemplate,
  type Template,
} from '../../src/suites/japanese-financial/templates/template.ts';
import { firstVersion, standIn } from '../../src/tasks/stand-in.ts';
import { compare, type Difference, difference } from './compare.ts';
import type { Handlers, VectorContext } from './handler.ts';
import { isArray, isObject, type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';

/** Vectors of the Japanese financial harness. */
export const japaneseFinancialHandlers: Handlers = {
  'task template': checkTemplate,
  'task prompt': checkPrompt,
  'task row': checkRow,
  'task metrics': checkMetrics,
  'task answer': checkAnswer,
  'task set': checkSet,
  'CPython random': checkRandom,
};

function templateOf(vector: JsonObject): Promise<Template> {
  return loadTemplate(taskNamed(textAt(vector, 'task_name')), {
    dialect: dialectOf(vector),
    systemPrompt: textAt(objectAt(vector, 'env'), 'SYSTEM_PROMPT') || undefined,
  });
}

function dialectOf(vector: JsonObject): Dialect {
  return dialectNamed(textAt(vector, 'dialect'));
}

const known = new Map<string, Promise<readonly TaskPrompt[]>>();

/** All prompts of a task, made once for the vectors of one file. */
function promptsFor(vector: JsonObject, { folder }: VectorContext): Promise<readonly TaskPrompt[]> {
  const { task_name, dialect, num_fewshot, dataset, env } = vector;
  const key = JSON.stringify([folder, task_name, dialect, num_fewshot, dataset, env]);
  const prompts = known.get(key) ?? makePrompts(vector, folder);
  known.set(key, prompts);
  return prompts;
}

async function makePrompts(vector: JsonObject, folder: string): Promise<readonly TaskPrompt[]> {
  const template = await templateOf(vector);
  const beside = join(folder, 'data', vector.dataset === 'real' ? '' : 'synthetic');
  const data = await loadDocuments(template.task, existsSync(beside) ? beside : undefined);
  return [...taskPrompts(template, data.documents, { numFewshot: Number(vector.num_fewshot) })];
}

async function checkPrompt(vector: JsonObject, context: VectorContext): Promise<Difference[]> {
  const prompt = (await promptsFor(vector, context))[Number(vector.pos)];
  if (!prompt) return [difference({ at: 'pos', expected: vector.pos, actual: 'no such prompt' })];
  const { doc_index, doc, sampled_indices, fewshot_indices, continuations, target } = vector;
  return compare(
    {
      ...{ doc_index, doc, sampled_indices, fewshot_indices, continuations, target },
      context: vector.context,
    } as JsonObject,
    {
      doc_index: prompt.docIndex,
      doc: originalShape(prompt.document) as JsonObject,
      sampled_indices: prompt.sampled,
      fewshot_indices: prompt.shots,
      context: prompt.context,
      continuations: prompt.continuations,
      target: prompt.target,
    },
  );
}

/** The vectors' placeholders in our words. */
const placeholders: Readonly<Record<string, string>> = {
  Q: '{question}',
  Qn: '{question}\n',
  S: '{sentence}',
  SSEP: '{last_sentence}',
  T: '{target}',
};
const listForms: Readonly<Record<string, Json>> = {
  LINES_LETTER: ['{letter}: {text}\n', ''],
  LETTER_COMMA: ['{letter}:{text}', ', '],
  TEXT_COMMA: ['{text}', ', '],
  INDEX_COMMA: ['{index}.{text}', ','],
  DASH_NL: ['- {text}', '\n'],
  DASH_TAGNL: ['- {text}', '<NL>'],
};

function inOurWords(text: string, instruction: string) {
  const form = Object.keys(listForms).find((name) => text.includes(`{${name}}`));
  const written = text.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'INSTRUCTION' ? instruction : (placeholders[name] ?? '{choices}'),
  );
  return { text: written, choices: (form && listForms[form]) || null };
}

function written(pattern: readonly string[]): string {
  return pattern.map((part, index) => (index % 2 === 0 ? part : `{${part}}`)).join('');
}

async function checkTemplate(vector: JsonObject): Promise<Difference[]> {
  const expected = objectAt(vector, 'template');
  const found: Difference[] = [];
  for (const dialect of dialects) {
    const template = await loadTemplate(taskNamed(textAt(expected, 'task_name')), { dialect });
    const at = (name: string) => textAt(objectAt(expected, name), dialect);
    found.push(
      ...compare(
        {
          ...inOurWords(at('text'), textAt(expected, 'instruction')),
          description: at('description'),
          separator: at('fewshot_separator'),
          delimiter: at('target_delimiter'),
          labels: expected.choices ?? null,
          answer: expected.answer === 'polarity' ? 'text' : textAt(expected, 'answer'),
        },
        {
          text: written(template.text),
          choices: template.choices
            ? [written(template.choices.each), template.choices.between]
            : null,
          description: template.description,
          separator: template.separator,
          delimiter: template.delimiter,
          labels: template.labels ?? null,
          answer: template.answer[1] ?? '',
        },
      ),
    );
  }
  return found;
}

function weighedOf(row: JsonObject, { delimiter }: Template) {
  return {
    logLikelihoods: listAt(row, 'lls').map(numberOf),
    choices: listAt(row, 'choices').map((choice) => String(choice).slice(delimiter.length)),
    target: textAt(row, 'target'),
  };
}

function numberOf(value: Json): number {
  return value === '-inf' ? Number.NEGATIVE_INFINITY : Number(value);
}

async function checkRow(vector: JsonObject, context: VectorContext): Promise<Difference[]> {
  const template = await templateOf(vector);
  const asked = await promptsFor({ ...vector, dataset: 'synthetic', num_fewshot: 0 }, context);
  const own = asked.find(({ docIndex }) => docIndex === vector.doc_index)?.choices ?? [];
  const row = judgeRow({
    ...weighedOf(vector, { ...template, delimiter: '' }),
    choices: 'choices' in vector ? listAt(vector, 'choices').map(String) : own,
  });
  const metrics = rowMetrics(row, template);
  if (template.task !== 'chabsa') return nearly(vector.process_results, metrics);
  const words = [own[row.predicted] ?? '', row.target];
  return nearly(
    vector.process_results,
    template.dialect === 'v0.1.0'
      ? { acc: words, f1: words }
      : {
          ...metrics,
          f1: [row.gold, row.predicted],
          f1_norm: [row.gold, row.predictedNormalized],
        },
  );
}

async function checkMetrics(vector: JsonObject): Promise<Difference[]> {
  const template = await templateOf(vector);
  const rows = listAt(vector, 'docs').map((row) =>
    judgeRow(weighedOf(row as JsonObject, template)),
  );
  const isFirst = template.dialect === 'v0.1.0';
  const suffix = isFirst ? '' : ',none';
  const entries = taskMetrics(rows, template).flatMap(
    ({ name, value, stderr }): [string, Json][] => [
      [`${name}${suffix}`, value],
      ...(stderr === undefined && isFirst
        ? []
        : [[`${name}_stderr${suffix}`, stderr ?? 'N/A'] satisfies [string, Json]]),
    ],
  );
  const { alias: _, ...expected } = objectAt(vector, 'results');
  return nearly(expected, Object.fromEntries(entries));
}

/** Differences beyond rounding. */
function nearly(expected: Json | undefined, actual: Json): Difference[] {
  return compare(rounded(expected ?? null), rounded(actual));
}

function rounded(value: Json): Json {
  if (typeof value === 'number') return Math.round(value * 1e9) / 1e9 + 0;
  if (isArray(value)) return value.map(rounded);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
}

function checkAnswer(vector: JsonObject): Difference[] {
  const continuations = listAt(vector, 'continuations').map(String);
  return ['openai', 'self-hosted-1', 'vertexai', 'anthropic'].flatMap((model) => {
    const alsoNormalized = model === 'vertexai' || model === 'anthropic';
    const found = choicesInAnswer(textAt(vector, 'response'), continuations, { alsoNormalized });
    return compare(
      vector[model],
      found.map(({ logLikelihood, isFirst }) => [
        logLikelihood === Number.NEGATIVE_INFINITY ? '-inf' : logLikelihood,
        isFirst,
      ]),
    );
  });
}

function checkSet(vector: JsonObject): Difference[] {
  const version = textAt(vector, 'id')
    .replace(/^-(?:1\.0-)?/, '')
    .replace('default', firstVersion);
  const names = tasks.map((task) => {
    const own = standIn(version, taskVersions[task]);
    return namedTasks.find((named) => named.task === task && named.version === own)?.name ?? null;
  });
  return compare(vector.names, names);
}

function checkRandom(vector: JsonObject): Difference[] {
  return compare(vector, { ...vector, ...drawnFor(vector) });
}

function drawnFor(vector: JsonObject): JsonObject {
  const random = new CPythonRandom(Number(vector.seed));
  const values = listAt(vector, 'values');
  const items = Array.from({ length: Number(vector.n ?? 0) }, (_, index) => index);
  const op = textAt(vector, 'op');
  if (op === 'getrandbits32') return { values: values.map(() => random.bits(32)) };
  if (op === 'random') return { values: values.map(() => random.next()) };
  if (op.startsWith('shuffle')) random.shuffle(items);
  if (op === 'shuffle') return { first20: items.slice(0, 20), last5: items.slice(-5) };
  return { values: values.map((drawn) => random.sample(items.length, (drawn as Json[]).length)) };
}
