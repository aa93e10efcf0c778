import { inflateSync } from 'node:zlib';
import { JsonProblem, readJson } from '../../../data/json-reader.ts';
import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { dumpJson } from '../../../python/json.ts';
import { stripText } from '../../../python/text.ts';
import { at, type ClassSettings, type DatasetClasses, listOf, textOf } from './dataset-class.ts';
import type { PublishedFiles } from './published-files.ts';

/** Texts of the tree that a class puts into its prompts; a config brings them as settings. */
export function treeText(settings: ClassSettings, name: string): string {
  const text = settings[name];
  if (typeof text === 'string') return text;
  throw new DataError('data.not_found', `the prompts of this dataset class need its \`${name}\``, {
    hint: 'It stands in the tree of the config: give `--root TREE`, or rows with --data.',
  });
}

/** Python's `format` by position. */
function inOrder(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replace(/\{\{|\}\}|\{\}/g, (mark) =>
    mark === '{}' ? textOf(values[next++]) : (mark[0] ?? ''),
  );
}

/** Python's `format` by name. */
export function byName(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{|\}\}|\{(\w+)\}/g, (mark, name) =>
    name === undefined ? (mark[0] ?? '') : (values[name] ?? mark),
  );
}

/** Classes that write prompts of their own into the rows, by their names. */
export const promptedClasses: DatasetClasses = {
  korbenchDataset: {
    at: 'korbench',
    settings: ['prompt_mode', 'category'],
    async read(files, settings) {
      const [mode, category] = [textOf(settings.prompt_mode), textOf(settings.category)];
      const template = treeText(settings, 'template');
      if (mode === 'mixed') return mixedRows(files, category, template);
      const rules = await listIn(files, `${category}/rule`);
      const shots = mode === '3_shot' ? await listIn(files, `${category}/three-shot`) : [];
      return (await listIn(files, `${category}/sample`)).flatMap((sample): Row[] => {
        const rule = rules.find(({ idx }) => idx === sample.rule_id);
        if (!rule) return [];
        const examples = shots
          .filter(({ rule_id: id }) => id === sample.rule_id)
          .flatMap(({ question, answer }) => [question, answer]);
        return [
          {
            rule_content: rule.rule_content,
            question: sample.question,
            answer: sample.answer,
            prompt: inOrder(template, [rule.rule_content, ...examples, sample.question]),
            rule_id: rule.idx,
            prompt_mode: mode,
            category,
          },
        ];
      });
    },
  },
  BabiLongDataset: {
    at: 'babilong/data',
    settings: ['task', 'split_name', 'use_instruction', 'use_examples', 'use_post_prompt'],
    async read(files, settings) {
      const text = (name: string) =>
        settings[`use_${name}`] === false ? '' : treeText(settings, name);
      const shown = {
        instruction: text('instruction'),
        examples: text('examples'),
        post_prompt: text('post_prompt'),
      };
      const template = treeText(settings, 'template');
      const path = `${textOf(settings.task)}/${textOf(settings.split_name)}.json`;
      return listOf(await files.json(path)).map((sample) => {
        const context = stripText(textOf(at(sample, 'input')));
        const question = textOf(at(sample, 'question'));
        // The class makes lists of one of both.
        return {
          prompt: [stripText(byName(template, { ...shown, context, question }))],
          answer: [at(sample, 'target')],
        };
      });
    },
  },
  LiveMathBenchDataset: {
    at: 'LiveMathBench',
    settings: ['dataset_splits', 'dataset_languages', 'cot', 'version'],
    async read(files, settings) {
      const { dataset_splits: splits = ['CNMO', 'CCEE', 'AMC', 'WLPMC'] } = settings;
      const { dataset_languages: languages = ['cn', 'en'], cot = true } = settings;
      const version = textOf(settings.version ?? '202412');
      const rows: Row[] = [];
      for (const split of listOf(splits).map(textOf)) {
        for (const language of listOf(languages).map(textOf)) {
          const whole = treeText(settings, language === 'en' ? 'prompt_en' : 'prompt_cn');
          const steps = language === 'cn' ? '，请逐步推理' : ', please reasoning step by step';
          const prompt = cot === false ? whole.replaceAll(steps, '') : whole;
          const given = await files.rows(`${version}/${split}_${language}.jsonl`);
          rows.push(
            ...given.map((row, index) => ({
              ...row,
              subdivision: `livemathbench_${version}_${split}_${language}`,
              idx: String(index),
              prompt: byName(prompt, { question: textOf(row.question) }),
            })),
          );
        }
      }
      return rows;
    },
  },
  LCBCodeGenerationDataset: {
    at: 'code_generation_lite',
    settings: ['release_version', 'start_date', 'end_date'],
    async read(files, settings) {
      const {
        release_version: release = 'release_v1',
        start_date: from,
        end_date: until,
      } = settings;
      const rows: Row[] = [];
      for (const name of releaseFiles(textOf(release)))
        for (const row of await files.rows(name)) rows.push(row);
      const isMeant = ({ contest_date: date }: Row) => {
        const day = Date.parse(textOf(date));
        const [first, last] = [from, until].map((limit) =>
          limit == null ? undefined : Date.parse(textOf(limit)),
        );
        return (first === undefined || first <= day) && (last === undefined || day <= last);
      };
      const asked = rows.filter(isMeant).map((row) => withProgramPrompt(row, settings));
      return { test: asked, train: asked };
    },
  },
  MRCRDataset: {
    at: 'MRCR_v2_common',
    settings: ['subset'],
    async read(files, { subset = '2needle_in_4096_8192' }) {
      const names = await files.names(/(?:^|\/)test[^/]*\.(?:parquet|jsonl?)$/, textOf(subset));
      const rows: Row[] = [];
      for (const name of names) for (const row of await files.rows(name)) rows.push(row);
      if (rows.length === 0) await files.rows(`${textOf(subset)}/test-00000-of-00001.parquet`);
      return rows.map(({ context, question, answers }) => {
        const prefix = /Prepend\s+(\S+)\s+to/.exec(textOf(question))?.[1] ?? '';
        const gold = dumpJson(toPython({ answer: at(answers, 0), prefix }));
        return { context, question, gold };
      });
    },
  },
};

async function listIn(files: PublishedFiles, name: string): Promise<readonly Row[]> {
  const folder = name.split('/')[0] ?? '';
  const found = await files.names(new RegExp(`^${name.split('/').at(-1)}\\.jsonl?$`), folder);
  return files.rows(found[0] ?? `${name}.json`);
}

/** Several questions with several rules at once; what the questions ask stands in files of their own. */
async function mixedRows(files: PublishedFiles, kind: string, template: string): Promise<Row[]> {
  const known = new Map<string, readonly Row[]>();
  const find = async (id: string, file: 'rule' | 'sample') => {
    const [category, index] = [id.slice(0, id.lastIndexOf('_')), id.slice(id.lastIndexOf('_') + 1)];
    const path = `${category}/${file}`;
    const rows = known.get(path) ?? (await listIn(files, path));
    known.set(path, rows);
    return { ...(rows.find(({ idx }) => idx === index) ?? {}), category };
  };
  const numbered = (word: string, texts: readonly unknown[]) =>
    texts.map((text, index) => `${word} ${index + 1}: ${textOf(text)}`).join('\n');
  const rows: Row[] = [];
  for (const { rule_list: ruleIds, question_list: questionIds } of await listIn(
    files,
    `mixed/${kind}`,
  )) {
    const rules: Row[] = [];
    for (const id of listOf(ruleIds)) rules.push(await find(textOf(id), 'rule'));
    const questions: Row[] = [];
    for (const id of listOf(questionIds)) questions.push(await find(textOf(id), 'sample'));
    const shown = [
      numbered(
        'Rule',
        rules.map(({ rule_content: text }) => text),
      ),
      numbered(
        'Question',
        questions.map(({ question }) => question),
      ),
    ];
    rows.push({
      rule_list: ruleIds,
      question_list: questionIds,
      prompt: inOrder(template, shown),
      prompt_mode: 'mixed',
      answer: '',
      questions: questions.map(({ category, rule_id, answer }) => ({ category, rule_id, answer })),
    });
  }
  return rows;
}

/** `release_v3` is all files up to the third one, `v3` the third, `v2_v3` those between. */
function releaseFiles(release: string): string[] {
  const numbers = [...release.matchAll(/v(\d+)/g)].map(([, number]) => Number(number));
  const [first = 6, last = first] = numbers;
  const start = /^release/.test(release) ? 1 : first;
  return Array.from({ length: last - start + 1 }, (_, index) => start + index).map((number) =>
    number === 1 ? 'test.jsonl' : `test${number}.jsonl`,
  );
}

function withProgramPrompt(row: Row, settings: ClassSettings): Row {
  const code = textOf(row.starter_code);
  const message = treeText(settings, code === '' ? 'without_code' : 'with_code');
  const cases = [
    ...casesIn(textOf(row.public_test_cases)),
    ...casesIn(textOf(row.private_test_cases)),
  ];
  const sample = {
    inputs: cases.map((one) => at(one, 'input')),
    outputs: cases.map((one) => at(one, 'output')),
    fn_name: at(readJson(textOf(row.metadata)).value, 'func_name') ?? null,
  };
  return {
    ...row,
    format_prompt: `### Format: ${message}\n\`\`\`python\n${code === '' ? '# YOUR CODE HERE' : code}\n\`\`\`\n\n`,
    evaluation_sample: dumpJson(toPython(sample)),
  };
}

/** Tests as JSON, or as JSON that is pickled, packed and written in base64. */
function casesIn(text: string): readonly unknown[] {
  try {
    return listOf(readJson(text).value);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return listOf(readJson(pickledText(inflateSync(Buffer.from(text, 'base64')))).value);
  }
}

/** How long the length of a text is, by what Python's pickle marks it with. */
const lengthSizes: Readonly<Record<number, number>> = { 140: 1, 88: 4, 141: 8 };
/** Marks that come before it, with the size of what follows them. */
const otherMarks: Readonly<Record<number, number>> = { 128: 1, 149: 8 };

/** The text that a pickle of one text holds. */
function pickledText(bytes: Buffer): string {
  for (let place = 0; place < bytes.length; ) {
    const mark = bytes[place++] ?? 0;
    const size = lengthSizes[mark];
    if (size !== undefined) {
      const length =
        size === 8 ? Number(bytes.readBigUInt64LE(place)) : bytes.readUIntLE(place, size);
      return bytes.toString('utf8', place + size, place + size + length);
    }
    const skipped = otherMarks[mark];
    if (skipped === undefined) break;
    place += skipped;
  }
  throw new DataError('data.syntax', 'private_test_cases hold no pickled text', {
    hint: 'The file differs from the published one: download it again.',
  });
}
