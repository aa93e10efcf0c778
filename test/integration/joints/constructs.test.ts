import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFolder } from '../run-cli.ts';
import { callCommand } from './call-command.ts';
import type { ViewDocument } from './documents.ts';
import { startRecordingServer } from './recording-server.ts';

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const lake = {
  input: 'Which of the following is NOT a characteristic of an oligotrophic lake?',
  ...{ A: 'Low nutrient levels', B: 'High altitudes', C: 'Shallow water' },
  ...{ D: 'Sand or gravel bottom', target: 'A' },
};
/** The rows of the documents. */
const files = {
  'train.jsonl': lines([
    { question: '2+2=?', answer: '4' },
    { question: '3+3=?', answer: '6' },
  ]),
  'test.jsonl': lines([{ anything: 'blabla', question: '1+1=?', answer: '2' }]),
  'lake.jsonl': lines([lake]),
};

const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });
const solve = 'Solve the following questions.';
const system = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: solve };
const asked = [human('Question: {question}'), bot('Answer: {answer}')];
const bare = [human('{question}'), bot('{answer}')];

/** The meta template of document 002. */
const moss = {
  begin: 'meta instruction\nYou are an AI assistant.\n',
  round: [
    { role: 'HUMAN', begin: '<|HUMAN|>:', end: '脷\n' },
    { role: 'THOUGHTS', begin: '<|Inner Thoughts|>:', end: '茔\n', prompt: 'None' },
    { role: 'COMMANDS', begin: '<|Commands|>:', end: '蝮\n', prompt: 'None' },
    { role: 'RESULTS', begin: '<|Results|>:', end: '兒\n', prompt: 'None' },
    { role: 'BOT', begin: '<|MOSS|>:', generate: true, end: '氡\n' },
  ],
  end: 'end of conversion',
  reserved_roles: [{ role: 'SYSTEM', begin: '<|SYSTEM|>: ', end: '\n' }],
  eos_token_id: 65605,
};
const inner = '<|Inner Thoughts|>:None茔\n<|Commands|>:None蝮\n<|Results|>:None兒\n';
const api = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
  reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }],
};
const fixed = { type: 'FixKRetriever', fix_id_list: [0, 1] };
const prompt = (template: unknown, more: object = {}) => ({
  prompt_template: { type: 'PromptTemplate', template, ...more },
});
const ice = (template: unknown, more: object = {}) => ({
  ice_template: { type: 'PromptTemplate', template, ...more },
});
const fewShot = `${solve}\n</E>{question}\n{answer}`;
const at = { ice_token: '</E>' };

const shownMessages = [
  { role: 'system', content: solve },
  ...['2+2=?', '4', '3+3=?', '6', '1+1=?'].map((content, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  })),
];

type Messages = readonly { readonly role: string; readonly content: string }[];
/** What each model is sent: the text, the text in the meta template, the messages. */
type Sent = readonly [plain: string, moss: string, chat: Messages];

interface Construct {
  readonly infer: object;
  readonly sent: Sent;
  /** What OpenCompass and AISBench send, if it is something else; nothing if they stop. */
  readonly compat?: Sent | null;
}

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const spoken = (text: string) => `<|HUMAN|>:${text}脷\n${inner}<|MOSS|>:`;
/** A text is the same for all models. */
const same = (text: string): Sent => [text, text, [user(text)]];
const drawn = { type: 'RandomRetriever', ice_num: 1 };

const constructs: Readonly<Record<string, Construct>> = {
  'a text with a hidden answer': {
    infer: prompt('{anything}\nQuestion: {question}\nAnswer: {answer}'),
    sent: same('blabla\nQuestion: 1+1=?\nAnswer:'),
    compat: same('blabla\nQuestion: 1+1=?\nAnswer: '),
  },
  'a name that is no column': {
    infer: prompt('{anythin}\nQuestion: {question}\nAnswer: {answer}'),
    sent: same('{anythin}\nQuestion: 1+1=?\nAnswer:'),
    compat: same('{anythin}\nQuestion: 1+1=?\nAnswer: '),
  },
  'texts with examples': {
    infer: { ...ice('{question}\n{answer}'), ...prompt(fewShot, at), retriever: fixed },
    sent: same(`${solve}\n2+2=?\n4\n3+3=?\n6\n1+1=?\n`),
  },
  'fix_id_list in the inferencer': {
    infer: {
      ...ice('{question}\n{answer}'),
      ...prompt(fewShot, at),
      retriever: { type: 'FixKRetriever' },
      inferencer: { type: 'GenInferencer', fix_id_list: [1] },
    },
    sent: same(`${solve}\n3+3=?\n6\n1+1=?\n`),
  },
  'a dialogue': {
    infer: prompt({ round: asked }),
    sent: [
      'Question: 1+1=?\nAnswer:',
      `${moss.begin}${spoken('Question: 1+1=?')}Answer:`,
      [user('Question: 1+1=?')],
    ],
    compat: [
      'Question: 1+1=?\nAnswer: ',
      `${moss.begin}${spoken('Question: 1+1=?')}`,
      [user('Question: 1+1=?')],
    ],
  },
  'a dialogue of several rounds': {
    infer: prompt({ round: [human('2+2=?'), bot('4'), ...bare] }),
    sent: [
      '2+2=?\n4\n1+1=?\n',
      `${moss.begin}${spoken('2+2=?')}4氡\n${spoken('1+1=?')}`,
      [user('2+2=?'), assistant('4'), user('1+1=?')],
    ],
    compat: [
      '2+2=?\n4\n1+1=?',
      `${moss.begin}${spoken('2+2=?')}4氡\n${spoken('1+1=?')}`,
      [user('2+2=?'), assistant('4'), user('1+1=?')],
    ],
  },
  'SYSTEM with a fallback role': {
    infer: prompt({ begin: [system], round: [human('{question}')] }),
    sent: [
      `${solve}\n1+1=?`,
      `${moss.begin}<|SYSTEM|>: ${solve}\n${spoken('1+1=?')}`,
      [{ role: 'system', content: solve }, user('1+1=?')],
    ],
  },
  'texts and turns in begin and end': {
    infer: prompt({ begin: ['One.', human('Two.')], round: [human('{question}')], end: 'Three.' }),
    sent: [
      'One.\nTwo.\n1+1=?\nThree.',
      `${moss.begin}One.<|HUMAN|>:Two.脷\n${spoken('1+1=?')}`,
      [user('One.\nTwo.\n1+1=?')],
    ],
    compat: [
      'One.\nTwo.\n1+1=?\nThree.',
      `${moss.begin}One.<|HUMAN|>:Two.脷\n${spoken('1+1=?')}`,
      [user('Two.\n1+1=?')],
    ],
  },
  'begin and end of the dataset’s own roles': {
    infer: prompt({
      round: [
        { ...human('{question}'), begin: '<H>', end: '</H>' },
        { ...bot('{answer}'), begin: '<B>', end: '</B>' },
      ],
    }),
    sent: ['<H>1+1=?</H>\n<B></B>', `${moss.begin}<H>1+1=?</H>${inner}<B>`, [user('<H>1+1=?</H>')]],
    compat: ['1+1=?', `${moss.begin}<H>1+1=?</H>${inner}<B>`, [user('<H>1+1=?</H>')]],
  },
  'dialogues with examples': {
    infer: {
      ...ice({ round: bare }),
      ...prompt({ begin: [system, '</E>'], round: bare }, at),
      retriever: fixed,
    },
    sent: [
      `${solve}\n2+2=?\n4\n3+3=?\n6\n1+1=?\n`,
      `${moss.begin}<|SYSTEM|>: ${solve}\n${spoken('2+2=?')}4氡\n${spoken('3+3=?')}6氡\n${spoken('1+1=?')}`,
      shownMessages,
    ],
    compat: [
      `${solve}\n2+2=?\n4\n3+3=?\n6\n1+1=?`,
      `${moss.begin}<|SYSTEM|>: ${solve}\n${spoken('2+2=?')}4氡\n${spoken('3+3=?')}6氡\n${spoken('1+1=?')}`,
      shownMessages,
    ],
  },
  'prompt_template left out': {
    infer: { ...ice('</E>Q: {question}\nA: {answer}', at), retriever: fixed },
    sent: same('Q: 2+2=?\nA: 4\nQ: 3+3=?\nA: 6\nQ: 1+1=?\nA:'),
    compat: same('Q: 2+2=?\nA: 4\nQ: 3+3=?\nA: 6\nQ: 1+1=?\nA: '),
  },
  'ice_template alone, without examples': {
    infer: { ...ice('Q: {question}\nA: {answer}'), retriever: { type: 'ZeroRetriever' } },
    sent: same('Q: 1+1=?\nA:'),
    compat: null,
  },
  // NumPy, seed 43: the second of two is drawn first.
  'random examples': {
    infer: { ...ice('{question}{answer}\n'), ...prompt('</E>{question}', at), retriever: drawn },
    sent: same('3+3=?6\n\n1+1=?'),
  },
  column_token_map: {
    infer: prompt(
      { round: [human('</q>\nAnswer: '), bot('</a>')] },
      { column_token_map: { question: '</q>', answer: '</a>' } },
    ),
    sent: [
      '1+1=?\nAnswer: \n',
      `${moss.begin}${spoken('1+1=?\nAnswer: ')}`,
      [user('1+1=?\nAnswer: ')],
    ],
    compat: [
      '1+1=?\nAnswer: ',
      `${moss.begin}${spoken('1+1=?\nAnswer: ')}`,
      [user('1+1=?\nAnswer: ')],
    ],
  },
};

const models = {
  plain: {},
  moss: { meta_template: moss },
  chat: { type: 'OpenAI', meta_template: api },
};

function modelAt(url: string, abbr: string, own: object) {
  return { abbr, type: 'OpenAICompletions', base_url: url, model: abbr, ...own };
}

function datasetOf(abbr: string, infer: object, more: object = {}) {
  return {
    abbr,
    path: { train: 'train.jsonl', test: 'test.jsonl' },
    reader_cfg: { input_columns: ['anything', 'question'], output_column: 'answer' },
    infer_cfg: infer,
    eval_cfg: { evaluator: { type: 'exact' } },
    ...more,
  };
}

interface Body {
  readonly model: string;
  readonly prompt?: unknown;
  readonly messages?: unknown;
}

/** The request by which a run finds out how a server tells likelihoods. */
const isProbe = (body: string) => body.includes('"One two three."');

/** What a run sends for each dataset and model; what is viewed must be the same. */
async function runConfig(config: (url: string) => object) {
  await using server = await startRecordingServer();
  const folder = await writeFolder({ ...files, 'c.json': JSON.stringify(config(server.url)) });
  const file = join(folder, 'c.json');
  const run = await callCommand(['run', file, '--out', join(folder, 'out'), '--json']);
  expect([run.code, run.stderr.match(/^error.*/gm)]).toEqual([0, null]);
  const sent = new Set(server.requests.map(({ body }) => body).filter((body) => !isProbe(body)));
  const view = await callCommand(['view', file, '-a', '--json']);
  const { views }: ViewDocument = JSON.parse(view.stdout);
  const bodies = views.flatMap(({ model, dataset, requests }) =>
    requests.map(({ body }) => ({ model, dataset, body: body as unknown as Body })),
  );
  expect(new Set(bodies.map(({ body }) => JSON.stringify(body)))).toEqual(sent);
  return { ...run, shown: view.stdout, bodies };
}

test.each([undefined, 'opencompass', 'aisbench'])(
  'the constructs of the documents are sent as they say, compat %s',
  async (compat) => {
    const wanted = Object.entries(constructs).flatMap(([name, { infer, sent, compat: own }]) => {
      const expected = compat && own !== undefined ? own : sent;
      return expected ? [{ name, infer, expected }] : [];
    });
    const { bodies, stderr, shown } = await runConfig((url) => ({
      ...(compat && { compat }),
      models: Object.entries(models).map(([abbr, own]) => modelAt(url, abbr, own)),
      datasets: wanted.map(({ name, infer }) => datasetOf(name, infer)),
    }));
    for (const { name, expected } of wanted) {
      const said = bodies
        .filter(({ dataset }) => dataset === name)
        .map(({ body }) => body.prompt ?? body.messages);
      expect([name, said]).toEqual([name, expected]);
    }
    for (const { model, body } of bodies) {
      if (model === 'moss') expect(body).toMatchObject({ stop_token_ids: [65605] });
    }
    expect(shown).toContain('inferencer.fix_id_list is read as');
    if (compat) return;
    expect(stderr).toContain('`{anythin}` is not a column');
    expect(stderr).toContain('Did you mean `{anything}`?');
    expect(stderr).toContain('warning[template.text_after_answer] ');
    const told = shown.match(/"kind":\s*"warning",\s*"code":\s*"[^"]+"/g) ?? [];
    for (const code of stderr.matchAll(/(?<=^warning\[)[\w.]+/gm)) {
      expect(told.join()).toContain(`"${code}"`);
    }
  },
);

const numbered = {
  ...ice('{subdivision}/{idx} {question}\n'),
  ...prompt('</E>{subdivision}/{idx} {question}', at),
  retriever: { type: 'FixKRetriever', fix_id_list: [1] },
};
const rowsOf = (name: string) => [0, 1, 2].map((id) => ({ question: name + id, answer: 'x' }));
const second = {
  input_columns: ['question'],
  output_column: 'answer',
  ...{ test_range: '[1:2]', train_range: '[1:3]' },
};

// OpenCompass numbers rows before the range is taken, AISBench those that it left.
test.each([
  ['opencompass', 'd_train/2 r2\n\nd_test/1 q1', 'd/2 q2\n\nd/1 q1'],
  ['aisbench', 'd_train/1 r2\n\nd_test/0 q1', 'd_train/1 q2\n\nd_test/0 q1'],
  [undefined, '{subdivision}/{idx} r2\n\n{subdivision}/{idx} q1', undefined],
])('subdivision and idx are columns of every row, compat %s', async (compat, split, list) => {
  const promptsOf = async (rows: unknown) => {
    const { bodies } = await runConfig((url) => ({
      ...(compat && { compat }),
      models: [modelAt(url, 'm', {})],
      datasets: [datasetOf('d', numbered, { reader_cfg: second, path: undefined, rows })],
    }));
    return bodies.map(({ body }) => body.prompt);
  };
  expect(await promptsOf({ train: rowsOf('r'), test: rowsOf('q') })).toEqual([split]);
  if (list !== undefined) expect(await promptsOf(rowsOf('q'))).toEqual([list]);
});

// np.random.seed(43), then np.random.choice(20, 3, replace=False) for each row.
const draws = [
  [9, 6, 19],
  [7, 6, 16],
  [4, 1, 13],
  [0, 9, 17],
];

test.each([
  ['opencompass', { seed: 43 }],
  ['opencompass', {}],
  ['aisbench', {}],
])('random examples are those of NumPy, compat %s, %j', async (compat, seed) => {
  await using server = await startRecordingServer();
  const rows = (count: number, name: string) =>
    lines(Array.from({ length: count }, (_, id) => ({ question: `${name}${id}`, answer: 'x' })));
  const infer = {
    ...ice('{question} '),
    ...prompt('</E>{question}', at),
    retriever: { type: 'RandomRetriever', ice_num: 3, ...seed },
  };
  const config = {
    compat,
    models: [modelAt(server.url, 'm', { batch_size: 1 })],
    datasets: [
      datasetOf('d', infer, {
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      }),
    ],
  };
  const folder = await writeFolder({
    'train.jsonl': rows(20, 'q'),
    'test.jsonl': rows(4, 'row'),
    'c.json': JSON.stringify(config),
  });
  const args = ['run', join(folder, 'c.json'), '--out', join(folder, 'out'), '--json'];
  const { code, stderr } = await callCommand(args);
  expect([code, stderr.match(/^error.*/gm)]).toEqual([0, null]);
  const sent = server.requests.map(({ body }) => JSON.parse(body).prompt.split(/ \n|\n/));
  expect(sent.sort((one, other) => (one.at(-1) < other.at(-1) ? -1 : 1))).toEqual(
    draws.map((shown, row) => [...shown.map((id) => `q${id}`), `row${row}`]),
  );
});

test.each(['opencompass', 'aisbench'])(
  'an ice_template alone, without its token, is refused as %s does',
  async (compat) => {
    await using server = await startRecordingServer();
    const { infer = {} } = constructs['ice_template alone, without examples'] ?? {};
    const config = {
      compat,
      models: [modelAt(server.url, 'm', {})],
      datasets: [datasetOf('d', infer)],
    };
    const folder = await writeFolder({ ...files, 'c.json': JSON.stringify(config) });
    const run = await callCommand(['run', join(folder, 'c.json'), '--out', join(folder, 'out')]);
    expect([run.code, server.requests]).toEqual([2, []]);
    expect(run.stderr).toMatch(/error\[compat\.\w+\] .*ice_token/);
    expect(run.stderr).toMatch(/\n {2}at .*c\.json:\d+:\d+\n/);
  },
);

test('eos_token_id is refused by a model that cannot be told, with its place', async () => {
  const meta = '{ round: [{ role: HUMAN }, { role: BOT, generate: true }], eos_token_id: 2 }';
  const model = `type: AISDK, package: "@ai-sdk/openai-compatible", meta_template: ${meta}`;
  const folder = await writeFolder({
    ...files,
    'c.yaml': yaml(model, 'prompt_template: { template: x }'),
  });
  const args = ['run', join(folder, 'c.yaml'), '--out', join(folder, 'out')];
  const { code, stderr } = await callCommand(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining('error[model.no_stop_tokens] ')]);
  expect(stderr).toMatch(/c\.yaml:1:\d+\n/);
});

const roles = (human: object, bot: object) => [
  { role: 'HUMAN', ...human },
  { role: 'BOT', ...bot },
];
const marks = roles({ begin: '<H>', end: '</H>' }, { begin: '<B>', end: '</B>', generate: true });
const called = roles({ api_role: 'HUMAN' }, { api_role: 'BOT', generate: true });
/** The tokens of a text for the model that comes with Typecase. */
const bytes = (text: string) => [...Buffer.from(text)];
const shownTwo = ['2+2=?', '4', '3+3=?', '6', '1+1=?'];
/** Examples between a text of SYSTEM, who falls back to HUMAN, and the question. */
const formats: Readonly<Record<string, [model: object, sent: unknown]>> = {
  'texts between roles': [
    { meta_template: { round: ['[R]', marks[0], '[M]', marks[1]] } },
    `<H>${solve}</H>[R]<H>2+2=?</H>[M]<B>4</B>[R]<H>3+3=?</H>[M]<B>6</B>[R]<H>1+1=?</H>[M]<B>`,
  ],
  'lists of texts': [
    {
      meta_template: {
        begin: ['b', '1'],
        end: ['e'],
        round: roles({ begin: ['<', 'H>'], end: ['<', '/H>'] }, { begin: ['<B>'], generate: true }),
      },
    },
    `b1<H>${solve}</H><H>2+2=?</H><B>4<H>3+3=?</H><B>6<H>1+1=?</H><B>`,
  ],
  'lists of token ids': [
    {
      tokenizer: join(import.meta.dirname, '../../../models/typecase-tiny/tokenizer.json'),
      meta_template: {
        round: roles({ begin: [7, '>'], end: [8] }, { begin: [9], end: [10], generate: true }),
      },
    },
    [
      ...[7, ...bytes(`>${solve}`), 8],
      ...[7, ...bytes('>2+2=?'), 8, 9, ...bytes('4'), 10],
      ...[7, ...bytes('>3+3=?'), 8, 9, ...bytes('6'), 10],
      ...[7, ...bytes('>1+1=?'), 8, 9],
    ],
  ],
  'no round': [
    { meta_template: { begin: 'BEGIN\n', end: '\nEND' } },
    `BEGIN\n${solve}\n2+2=?\n4\n3+3=?\n6\n1+1=?\nEND`,
  ],
  'no role that generates': [
    { meta_template: { round: marks.map((role) => ({ ...role, generate: undefined })) } },
    `<H>${solve}</H><H>2+2=?</H><B>4</B><H>3+3=?</H><B>6</B><H>1+1=?</H><B></B>`,
  ],
  'roles of an API with marks': [
    {
      type: 'OpenAI',
      meta_template: {
        begin: [{ role: 'SYSTEM', prompt: 'Be brief.' }],
        round: marks.map((role, index) => ({ ...role, ...called[index] })),
        reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM', begin: '<S>', end: '</S>' }],
      },
    },
    [
      { role: 'system', content: `<S>Be brief.</S>\n<S>${solve}</S>` },
      ...shownTwo.map((text, at) =>
        at % 2 === 0 ? user(`<H>${text}</H>`) : assistant(`<B>${text}</B>`),
      ),
    ],
  ],
  'an API without SYSTEM': [
    { type: 'OpenAI', meta_template: { round: called } },
    [user(`${solve}\n2+2=?`), assistant('4'), user('3+3=?'), assistant('6'), user('1+1=?')],
  ],
};

test('a format is written around what is said', async () => {
  const infer = constructs['dialogues with examples']?.infer ?? {};
  const { bodies, stderr } = await runConfig((url) => ({
    models: Object.entries(formats).map(([name, [own]]) => modelAt(url, name, own)),
    datasets: [datasetOf('d', infer)],
  }));
  for (const [name, [, sent]] of Object.entries(formats)) {
    const body = bodies.find(({ model }) => model === name)?.body;
    expect([name, body?.prompt ?? body?.messages]).toEqual([name, sent]);
  }
  expect(stderr.match(/^warning\[meta_template\.no_generate\] models\[\d\]\.\S+/gm)).toEqual([
    'warning[meta_template.no_generate] models[3].meta_template.end',
    'warning[meta_template.no_generate] models[4].meta_template.round',
  ]);
});

const which = 'Question: Which is true?\nA. {A}\nB. {B}\nC. {C}';
const filled = `Question: Which is true?\nA. ${lake.A}\nB. ${lake.B}\nC. ${lake.C}`;
const answers = { A: 'A', B: 'B', C: 'C', UNK: 'None of them is true.' };
const subject = 'The following are multiple choice questions (with answers) about college biology.';
const optionTokens = '</input>\nA. </A>\nB. </B>\nC. </C>\nD. </D>\nAnswer: ';
const options = `${lake.input}\nA. ${lake.A}\nB. ${lake.B}\nC. ${lake.C}\nD. ${lake.D}\nAnswer: `;
const byLabel = <Value>(make: (text: string) => Value) =>
  Object.fromEntries(Object.entries(answers).map(([label, text]) => [label, make(text)]));
const labelled: Readonly<Record<string, [infer: object, sent: readonly (readonly string[])[]]>> = {
  'texts for labels': [
    prompt(byLabel((text) => `${which}\nAnswer: ${text}`)),
    Array(2).fill(Object.values(answers).map((text) => `${filled}\nAnswer: ${text}`)),
  ],
  'dialogues for labels': [
    prompt(byLabel((text) => ({ round: [human(which), bot(`Answer: ${text}`)] }))),
    [
      Object.values(answers).map((text) => `${filled}\nAnswer: ${text}`),
      Object.values(answers).map(
        (text) => `${moss.begin}${spoken(filled)}Answer: ${text}氡\nend of conversion`,
      ),
    ],
  ],
  'the dialogue of document 002': [
    prompt(
      {
        begin: [{ ...system, prompt: subject }, '</E>'],
        round: [human(optionTokens), bot('</target>')],
        end: 'end of dataset prompt template.',
      },
      {
        ...at,
        column_token_map: Object.fromEntries(Object.keys(lake).map((key) => [key, `</${key}>`])),
      },
    ),
    [
      ['A', 'B'].map(
        (label) => `${subject}\n${options}\n${label}\nend of dataset prompt template.`,
      ),
      ['A', 'B'].map(
        (label) =>
          `${moss.begin}<|SYSTEM|>: ${subject}\n${spoken(options)}${label}氡\nend of dataset prompt template.end of conversion`,
      ),
    ],
  ],
};

test('labels are compared by the texts of the documents, which are complete', async () => {
  const { bodies, stdout } = await runConfig((url) => ({
    models: ['plain', 'moss'].map((abbr) => modelAt(url, abbr, models[abbr as 'plain'])),
    datasets: Object.entries(labelled).map(([name, [infer]]) =>
      datasetOf(
        name,
        {
          ...infer,
          inferencer: {
            type: 'PPLInferencer',
            ...(name.startsWith('the') && { labels: ['A', 'B'] }),
          },
        },
        {
          path: 'lake.jsonl',
          reader_cfg: { input_columns: Object.keys(lake).slice(0, 5), output_column: 'target' },
        },
      ),
    ),
  }));
  for (const [name, [, sent]] of Object.entries(labelled)) {
    const said = bodies.filter(({ dataset }) => dataset === name).map(({ body }) => body.prompt);
    expect([name, said]).toEqual([name, sent]);
  }
  const { results } = JSON.parse(stdout);
  expect(results.map(({ rows }: { rows: object }) => rows)).toMatchObject(
    Array(6).fill({ scored: 1 }),
  );
});

const yaml = (model: string, infer: string) => `models: [{ abbr: m, model: m, ${model} }]
datasets:
  - abbr: d
    path: test.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { ${infer} }
    eval_cfg: { evaluator: { type: exact } }
`;

test('labels keep their order and what they are', async () => {
  await using server = await startRecordingServer();
  const template = 'prompt_template: { template: { 10: "x 10", yes: "x yes", 2: "x 2" } }';
  const infer = `${template}, inferencer: { type: PPLInferencer }`;
  const text = yaml(`type: OpenAICompletions, base_url: "${server.url}"`, infer);
  const folder = await writeFolder({ ...files, 'c.yaml': text });
  const args = ['run', join(folder, 'c.yaml'), '--out', join(folder, 'out'), '--json'];
  expect(await callCommand(args)).toMatchObject({ code: 0 });
  const asked = server.requests.map(({ body }) => body).filter((body) => !isProbe(body));
  expect(asked.map((body) => JSON.parse(body).prompt)).toEqual([['x 10', 'x yes', 'x 2']]);
  const record = JSON.parse(await readFile(join(folder, 'out/m/d.jsonl'), 'utf8'));
  expect(record.loglikelihoods.map(({ label }: { label: unknown }) => label)).toEqual([
    10,
    'yes',
    2,
  ]);
});

test.each([
  [
    'text inside round',
    'type: OpenAI',
    'prompt_template: { template: { round: ["Solve.", { role: HUMAN, prompt: x }] } }',
    'template.text_in_round',
  ],
  [
    'labels for a model that writes',
    'type: OpenAI',
    'prompt_template: { template: { A: x, B: y } }, inferencer: { type: GenInferencer }',
    'template.labels_need_ppl',
  ],
  [
    'a role that the format lacks, without a fallback',
    'type: OpenAICompletions, meta_template: { round: [{ role: HUMAN }, { role: BOT, generate: true }] }',
    'prompt_template: { template: { round: [{ role: HUMANS, prompt: x }] } }',
    'template.unknown_role',
  ],
  [
    'token ids without a tokenizer',
    'type: OpenAICompletions, meta_template: { round: [{ role: HUMAN, begin: [1] }, { role: BOT, generate: true }] }',
    'prompt_template: { template: { round: [{ role: HUMAN, prompt: x }] } }',
    'model.tokenizer_needed',
  ],
])('%s is refused with its place before anything is sent', async (_, model, infer, code) => {
  await using server = await startRecordingServer();
  const text = yaml(`base_url: "${server.url}", ${model}`, infer);
  const folder = await writeFolder({ ...files, 'c.yaml': text });
  const args = ['run', join(folder, 'c.yaml'), '--out', join(folder, 'out')];
  const { code: exit, stderr } = await callCommand(args);
  expect([exit, server.requests]).toEqual([2, []]);
  expect(stderr).toContain(`error[${code}] `);
  expect(stderr).toMatch(/\n {2}at .*c\.yaml:\d+:\d+\n/);
  expect(stderr).toMatch(/\nhint: ./);
});
