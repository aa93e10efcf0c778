import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { stringify } from 'yaml';
import { compareRuns } from '../../src/api/compare-runs.ts';
import { evaluate } from '../../src/api/evaluate.ts';
import { rescore } from '../../src/api/rescore.ts';
import { keyedRandom, type Random } from '../../src/base/keyed-random.ts';
import { loadChatTemplate } from '../../src/chat-template/load.ts';
import { checkForeign, loadConfig } from '../../src/config/load-config.ts';
import { openRows } from '../../src/data/open-rows.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import { readPromptfoo } from '../../src/import/promptfoo/read-promptfoo.ts';
import { Canonical } from '../../src/import/python/canonical.ts';
import { PythonLoader } from '../../src/import/python/load-python.ts';
import { openResults } from '../../src/import/results/open-results.ts';
import { openRun } from '../../src/run/store/open-run.ts';
import { readVerdict } from '../../src/score/judge/read-verdict.ts';
import {
  aisBenchFolder,
  inspectFile,
  lmEvalFolder,
  openCompassFolder,
  promptfooFile,
} from '../open-results/foreign-files.ts';
import { mutateBytes, mutateTree } from './mutate-input.ts';

/** Something that reads what others wrote. */
export interface Target {
  readonly name: string;
  /** How many of a thousand cases are its. */
  readonly share: number;
  /** Makes the input of a case from its seed, and reads it. */
  run(random: Random): Promise<void> | void;
}

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'typecase-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(
    null,
    '',
    [],
    {},
    -1,
    1e308,
    '{question}',
    '{}',
    '</E>',
    'ZeroRetriever',
    '[0:3]',
  ),
);

function valueMaker(random: Random): () => unknown {
  return () => fc.sample(anyValue, { seed: random.below(2 ** 31), numRuns: 1 })[0];
}

const pick = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new RangeError('nothing to choose from');
  return item;
};

/** Examples of the project itself, which reach most keys of a config. */
const configs: readonly Buffer[] = readdirSync(join(root, 'examples'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => /\.(yaml|json)$/.test(file) && !/models|frames|llava|spec/.test(file))
  .map((file) => readFileSync(join(root, 'examples', file)));

const rows = [
  { question: 'What is 1 + 1?', answer: '2', choices: ['1', '2'], number: 1.5 },
  { question: 'What is 2 + 2?', answer: '4', choices: ['3', '4'], number: 2 },
  { question: '「日本」の首都は？', answer: '東京', choices: null, number: -0.0 },
];
const rowFiles: Readonly<Record<string, Buffer>> = {
  jsonl: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  json: Buffer.from(JSON.stringify(rows, null, 1)),
  csv: Buffer.from('question,answer\r\n"What is ""1"" + 1?",2\r\nWhat,"4\n5"\r\n日本,東京\r\n'),
  tsv: Buffer.from('question\tanswer\nWhat?\t2\nWhy?\t4\n'),
  parquet: Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'question', data: rows.map(({ question }) => question), type: 'STRING' },
        { name: 'number', data: rows.map(({ number }) => number), type: 'DOUBLE' },
      ],
    }),
  ),
};

async function readRows(file: string): Promise<void> {
  const stream = await openRows(file);
  let seen = 0;
  for await (const batch of stream.batches()) {
    seen += batch.length;
    if (seen > 10_000) break;
  }
}

const samples = join(root, 'test', 'vectors', 'import', 'samples');
const pythonConfigs: readonly Buffer[] = readdirSync(samples, { recursive: true, encoding: 'utf8' })
  // Those that only go on for long would take the time of all others.
  .filter((file) => file.endsWith('.py') && !/h(?:0[1-46]|27|3[6-9])_/.test(file))
  .map((file) => readFileSync(join(samples, file)));

/** Pieces of Python, to be put together at random. */
const pythonPieces = [
  ...'( ) [ ] { } : , = == . * ** + - / // % | & < > @ := -> ; \\ # \n'.split(' '),
  ...'if else elif for in while def return lambda with as import from class try except finally'.split(
    ' ',
  ),
  ...'not and or is None True False del raise assert yield global match case break continue'.split(
    ' ',
  ),
  ...'dict list range sum sorted open eval locals globals print len str int x y z read_base'.split(
    ' ',
  ),
  ...[
    '\n',
    '\n    ',
    '\n  ',
    "'a'",
    '"""',
    "f'{",
    "}'",
    '1',
    '1e9',
    '0.5',
    '10**9',
    "b'x'",
    '__file__',
    '.format(',
    "'{}'",
    'x.append(x)',
  ],
];

/** Sources that are broken in many ways, and texts that are hardly Python. */
async function readPython(random: Random): Promise<void> {
  const place = at('python');
  mkdirSync(place, { recursive: true });
  const source =
    random.below(3) === 0
      ? Buffer.from(
          Array.from({ length: 1 + random.below(60) }, () => pick(pythonPieces, random)).join(
            random.below(2) === 0 ? ' ' : '',
          ),
        )
      : mutateBytes(pick(pythonConfigs, random), pick(pythonConfigs, random), random);
  writeFileSync(join(place, 'config.py'), source);
  const loader = await PythonLoader.open(place);
  new Canonical(place).ofConfig(loader.load('config.py'));
}

function rowsTarget(format: string, share: number): Target {
  return {
    name: `rows in ${format}`,
    share,
    run: async (random) => {
      const other = pick(Object.values(rowFiles), random);
      const file = at(`rows.${format}`);
      writeFileSync(file, mutateBytes(rowFiles[format] ?? other, other, random));
      await readRows(file);
    },
  };
}

function writtenConfig(random: Random): { readonly name: string; readonly bytes: Buffer } {
  const [one, other] = [pick(configs, random), pick(configs, random)];
  const name = one[0] === '{'.charCodeAt(0) ? 'config.json' : 'config.yaml';
  return { name, bytes: mutateBytes(one, other, random) };
}

const plainConfig = {
  models: [{ abbr: 'm', type: 'Replay', answer_column: 'answer', meta_template: 'chatml' }],
  datasets: [
    {
      abbr: 'd',
      path: 'data.jsonl',
      reader_cfg: { input_columns: ['question'], output_column: 'answer', test_range: '[0:2]' },
      infer_cfg: {
        ice_template: {
          template: {
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
        prompt_template: {
          template: {
            begin: '</E>',
            round: [
              { role: 'HUMAN', prompt: 'Q: {question}' },
              { role: 'BOT', prompt: '' },
            ],
          },
          ice_token: '</E>',
        },
        retriever: { type: 'FixKRetriever', fix_id_list: [2] },
        inferencer: { type: 'GenInferencer', max_out_len: 8 },
      },
      eval_cfg: {
        evaluator: { type: 'exact' },
        pred_postprocessor: { type: 'first-capital' },
      },
    },
  ],
};

/** A config with a value out of place, opened, and its first prompt made. */
async function openMutated(random: Random): Promise<void> {
  writeFileSync(at('data.jsonl'), rowFiles.jsonl ?? '');
  const tree = mutateTree(plainConfig, random, valueMaker(random));
  writeFileSync(at('tree.yaml'), stringify(tree, { aliasDuplicateObjects: false }));
  await using evaluations = await openEvaluations(await loadConfig(at('tree.yaml')), {
    purpose: 'view',
  });
  for (const evaluation of evaluations) {
    for await (const [row] of evaluation.rows.batches()) {
      if (row) await evaluation.plan(row);
      break;
    }
  }
}

const chatTemplates = [
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] | trim + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
  "{%- set ns = namespace(found=false) -%}{%- if messages[0].role == 'system' -%}{%- set system = messages[0].content -%}{%- set messages = messages[1:] -%}{%- endif -%}{{ bos_token }}{%- for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('no') }}{% endif %}[INST] {{ m.content }} [/INST]{%- endfor %}",
  "{% macro show(x, n=2) %}{{ x | tojson(indent=n) }}{% endmacro %}{{ show(messages) }}{{ messages | map(attribute='role') | join(', ') | upper }}{{ '%05.2f' % 3.14159 }}{{ messages[-1].content.split(' ')[0][::-1] }}",
].map((text) => Buffer.from(text));

const chatTemplate: Target = {
  name: 'chat templates',
  share: 200,
  run: (random) => {
    const bytes = mutateBytes(pick(chatTemplates, random), pick(chatTemplates, random), random);
    const template = loadChatTemplate(bytes.toString());
    template.render({
      addGenerationPrompt: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello {{ you }}' },
      ],
    });
  },
};

const replies = [
  '{"reason": "fine", "verdict": "A"}',
  '```json\n{"grade": 7}\n```',
  "It is good. {'clear': 8, 'overall': 7}",
  'Rating: [[7]]',
].map((text) => Buffer.from(text));

const verdicts: Target = {
  name: 'verdicts of judges',
  share: 60,
  run: (random) => {
    const text = mutateBytes(pick(replies, random), pick(replies, random), random).toString();
    readVerdict(
      { text, isCut: random.below(2) === 0 },
      { type: 'grade', field: 'overall', scale: [1, 10] },
    );
    readVerdict(
      { text },
      {
        type: 'values',
        field: 'verdict',
        scores: new Map([
          ['A', 1],
          ['B', 0],
        ]),
      },
    );
  },
};

let madeRun: Promise<readonly string[]> | undefined;

/** A finished run, made once, and its files. */
async function makeRun(): Promise<readonly string[]> {
  mkdirSync(at('original'));
  writeFileSync(at('original/data.jsonl'), rowFiles.jsonl ?? '');
  writeFileSync(at('original/config.yaml'), stringify(plainConfig));
  await evaluate(await loadConfig(at('original/config.yaml')), { out: at('original/run') });
  return readdirSync(at('original/run'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(json|jsonl|index)$/.test(file),
  );
}

/** A run of which a file is damaged: read, scored, compared, and gone on with. */
async function openDamaged(random: Random): Promise<void> {
  madeRun ??= makeRun();
  const files = await madeRun;
  const damaged = at('damaged');
  rmSync(damaged, { recursive: true, force: true });
  cpSync(at('original'), damaged, { recursive: true });
  const file = join(damaged, 'run', pick(files, random));
  const bytes = readFileSync(file);
  const isTree = file.endsWith('.json') && random.below(2) === 0;
  writeFileSync(
    file,
    isTree
      ? JSON.stringify(mutateTree(JSON.parse(bytes.toString()), random, valueMaker(random)))
      : mutateBytes(bytes, bytes, random),
  );
  const out = join(damaged, 'run');
  switch (random.below(4)) {
    case 0: {
      const run = await openRun(out);
      for await (const record of run.rows({ model: 'm' })) void record;
      return;
    }
    case 1:
      await rescore(out);
      return;
    case 2:
      await compareRuns(out, at('original/run'));
      return;
    default:
      await evaluate(await loadConfig(join(damaged, 'config.yaml')), { out });
  }
}

const given = [
  { prompt: '2+2=', answer: '4', gold: '4', score: 1 },
  { prompt: '3+5=', answer: '9', gold: '8', score: 0 },
];

/** What each harness wrote of the same rows: folders, or a file. */
const foreign = [
  openCompassFolder(given),
  aisBenchFolder(given),
  lmEvalFolder(given),
  dirname(inspectFile(given)),
  dirname(promptfooFile(given)),
];
process.on('exit', () => {
  for (const one of foreign) rmSync(one, { recursive: true, force: true });
});

/** Results of another harness of which a file is damaged, opened as a run. */
async function openForeign(random: Random): Promise<void> {
  const from = pick(foreign, random);
  const damaged = at('foreign');
  rmSync(damaged, { recursive: true, force: true });
  cpSync(from, damaged, { recursive: true });
  const files = readdirSync(damaged, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(json|jsonl|eval)$/.test(file),
  );
  const file = join(damaged, pick(files, random));
  const bytes = readFileSync(file);
  const isTree = file.endsWith('.json') && random.below(2) === 0;
  writeFileSync(
    file,
    isTree
      ? JSON.stringify(mutateTree(JSON.parse(bytes.toString()), random, valueMaker(random)))
      : mutateBytes(bytes, bytes, random),
  );
  const isFile = files.length === 1;
  await openResults(isFile ? file : damaged, join(damaged, 'out'));
}

const promptfooConfig = {
  prompts: ['Say {{x}} in {{language}}.', '[{"role": "user", "content": "{{x | upper}}"}]'],
  providers: [
    { id: 'openai:chat:m', config: { apiBaseUrl: 'http://127.0.0.1:9', temperature: 0 } },
  ],
  defaultTest: { assert: [{ type: 'contains', value: '{{x}}' }], options: { prefix: 'So: ' } },
  tests: [
    { vars: { x: 'hi', language: ['French', 'German'] }, assert: [{ type: 'equals', value: 'a' }] },
    {
      vars: { x: 'file://x.txt' },
      assert: [{ type: 'regex', value: '^a+$' }, { type: 'is-json' }],
    },
  ],
};

async function readOtherConfig(random: Random): Promise<void> {
  writeFileSync(at('x.txt'), 'text');
  const tree = mutateTree(promptfooConfig, random, valueMaker(random));
  writeFileSync(at('promptfooconfig.yaml'), stringify(tree, { aliasDuplicateObjects: false }));
  await checkForeign(await readPromptfoo(at('promptfooconfig.yaml'), { isAsked: false }));
}

export const targets: readonly Target[] = [
  {
    name: 'configs as text',
    share: 200,
    run: async (random) => {
      const { name, bytes } = writtenConfig(random);
      writeFileSync(at(name), bytes);
      await loadConfig(at(name));
    },
  },
  { name: 'configs with another value', share: 120, run: openMutated },
  rowsTarget('jsonl', 110),
  rowsTarget('json', 70),
  rowsTarget('csv', 80),
  rowsTarget('tsv', 30),
  rowsTarget('parquet', 70),
  chatTemplate,
  verdicts,
  { name: 'Python configs', share: 200, run: readPython },
  { name: 'run folders', share: 60, run: openDamaged },
  { name: 'results of other harnesses', share: 60, run: openForeign },
  { name: 'configs of promptfoo', share: 60, run: readOtherConfig },
];

/** The target and the source of chance of a case. */
export function caseOf(
  seed: number,
  number: number,
  only?: string | undefined,
): { target: Target; random: Random } {
  const random = keyedRandom(seed, number);
  const named = targets.find(({ name }) => name === only);
  if (named) return { target: named, random };
  let place = random.below(targets.reduce((sum, { share }) => sum + share, 0));
  for (const target of targets) {
    if (place < target.share) return { target, random };
    place -= target.share;
  }
  throw new RangeError('no target');
}
