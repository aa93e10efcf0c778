import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ChatBody, startChatServer } from '../functions/chat-server.ts';
import { runCli, writeFolder } from './run-cli.ts';

function answerTo({ model, messages }: ChatBody): string {
  const asked = messages.map(({ content }) => content).join('\n');
  if (model === 'judge') return JSON.stringify({ reason: 'by its words', pass: true, score: 1 });
  if (/Ann/.test(asked)) return '{"name": "Ann", "age": 31}';
  if (/Bob/.test(asked)) return 'Here: {"name": "Bob"} ok';
  if (/who/.test(asked)) return "I'm sorry, but I can't help with that.";
  if (/Spanish/.test(asked)) return 'Hola mundo';
  return 'Bonjour le monde';
}

interface LoggedRow {
  readonly id: number;
  readonly checks?: readonly { readonly name: string; readonly passed: boolean }[];
}

/** Runs a config of promptfoo against a server; `BASE` in it is the address. */
async function runConfig(
  config: object,
  { files = {}, args = ['run'] }: { files?: Record<string, string>; args?: string[] } = {},
) {
  const server = await startChatServer(answerTo);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const text = JSON.stringify(config).replaceAll('BASE', server.url);
  const cwd = await writeFolder({ ...files, 'promptfooconfig.json': text });
  const [command = 'run', ...rest] = args;
  const out = command === 'run' ? ['--out', 'out'] : [];
  const ended = await runCli([command, 'promptfooconfig.json', ...rest, ...out], { cwd });
  const bodies = server.bodies.map((body) => JSON.parse(body) as ChatBody);
  return { ...ended, cwd, bodies };
}

async function passedIn(cwd: string, file: string): Promise<(boolean | undefined)[]> {
  const lines = (await readFile(join(cwd, 'out', file), 'utf8')).trim().split('\n');
  const passed: boolean[] = [];
  for (const line of lines) {
    const { id, checks } = JSON.parse(line) as LoggedRow;
    if (checks) passed[id] = checks.every((check) => check.passed);
  }
  return passed;
}

const small = { id: 'openai:chat:small', label: 'small', config: { apiBaseUrl: 'BASE' } };
const judge = { id: 'openai:chat:judge', config: { apiBaseUrl: 'BASE' } };
const embedding = { id: 'openai:embedding:e', config: { apiBaseUrl: 'BASE' } };

/** Assertions with what promptfoo 0.121.20 says of them for the same answers. */
const verdicts: readonly (readonly [boolean, object, string?])[] = [
  [true, { type: 'equals', value: 'Bonjour le {{name}}' }],
  [false, { type: 'equals', value: 'bonjour le monde' }],
  [true, { type: 'not-equals', value: 'x' }],
  [true, { type: 'contains', value: 'le' }],
  [false, { type: 'contains', value: 'LE' }],
  [true, { type: 'icontains', value: 'LE' }],
  [true, { type: 'contains-any', value: ['a', 'Bon'] }],
  [false, { type: 'contains-any', value: 'q, z' }],
  [false, { type: 'not-contains-any', value: ['a', 'Bon'] }],
  [true, { type: 'contains-all', value: ['Bon', 'le'] }],
  [false, { type: 'contains-all', value: 'Bon, xx' }],
  [true, { type: 'icontains-all', value: ['BON', 'LE'] }],
  [true, { type: 'starts-with', value: 'Bon' }],
  [false, { type: 'starts-with', value: 'bon' }],
  [true, { type: 'regex', value: '^Bon\\w+' }],
  [false, { type: 'regex', value: '\\-' }],
  [true, { type: 'not-regex', value: '\\d' }],
  [false, { type: 'is-json' }],
  [true, { type: 'not-is-json' }],
  [true, { type: 'is-json', value: { required: ['name', 'age'] } }, 'Ann'],
  [false, { type: 'is-json', value: { required: ['city'] } }, 'Ann'],
  [true, { type: 'equals', value: { age: 31, name: 'Ann' } }, 'Ann'],
  [false, { type: 'is-json' }, 'Bob'],
  [true, { type: 'contains-json' }, 'Bob'],
  [false, { type: 'contains-json', value: { required: ['age'] } }, 'Bob'],
  [true, { type: 'is-refusal' }, 'who'],
  [false, { type: 'not-is-refusal' }, 'who'],
  [true, { type: 'latency', threshold: 60_000 }],
  [true, { type: 'word-count', value: 3 }],
  [false, { type: 'word-count', value: { min: 4 } }],
  [true, { type: 'javascript', value: 'output.length > 3' }],
  [false, { type: 'javascript', value: 'output.length * 0.01', threshold: 0.5 }],
  [true, { type: 'javascript', value: 'output.length' }],
  [false, { type: 'javascript', value: 'const a = output.length; a > 100' }],
  [
    true,
    { type: 'javascript', value: 'const a = 1;\nreturn { pass: a > 0, score: 0.2, reason: "" };' },
  ],
  [false, { type: 'javascript', value: 'const a = 1;\nreturn { pass: a > 0, score: 0.2 };' }],
  [false, { type: 'javascript', value: 'nothing.here' }],
  [true, { type: 'not-javascript', value: "output === 'x'" }],
  [true, { type: 'javascript', value: 'output.includes("{{name}}")' }],
  [false, { type: 'javascript', value: 'file://check.mjs:isLong' }],
  [true, { type: 'similar', value: 'Bonjour monde', threshold: 0.8 }],
  [false, { type: 'similar', value: 'zzzzz' }],
  [true, { type: 'llm-rubric', value: 'is a greeting' }],
  [true, { $ref: '#/assertionTemplates/bon' }],
  [false, { type: 'assert-set', assert: [{ type: 'contains', value: 'zz' }] }],
  [true, { type: 'contains', value: 'zz', weight: 0 }],
];

test('assertions pass and fail as in promptfoo', async () => {
  const { code, stderr, cwd } = await runConfig(
    {
      prompts: ['Answer: {{ topic }}'],
      providers: [small],
      assertionTemplates: { bon: { type: 'contains', value: 'Bon' } },
      defaultTest: {
        vars: { topic: 'French', name: 'monde' },
        options: { provider: { text: judge, embedding } },
      },
      tests: verdicts.map(([, assertion, topic]) => ({
        assert: [assertion],
        ...(topic !== undefined && { vars: { topic } }),
      })),
    },
    { files: { 'check.mjs': 'export const isLong = (output) => output.length > 1000;\n' } },
  );
  expect(code, stderr).toBe(1);
  expect(await passedIn(cwd, 'small/prompt-1.jsonl')).toEqual(verdicts.map(([passes]) => passes));
});

/** Answers that code changes first, with what promptfoo 0.121.20 says of them. */
const changed: readonly (readonly [boolean, { readonly assert: readonly object[] }])[] = [
  [
    true,
    { assert: [{ type: 'equals', value: 'BONJOUR LE MONDE', transform: 'output.toUpperCase()' }] },
  ],
  [
    false,
    { assert: [{ type: 'equals', value: 'Bonjour le monde', transform: 'output.toUpperCase()' }] },
  ],
  [true, { assert: [{ type: 'not-contains', value: 'Bon', transform: 'output.toUpperCase()' }] }],
  [
    true,
    changing('output.split(" ")', [
      { type: 'is-json' },
      { type: 'javascript', value: 'output.length === 3' },
      { type: 'contains', value: '"le"' },
    ]),
  ],
  [true, changing('output.length', [{ type: 'equals', value: '16' }])],
  [
    true,
    changing('output + "!"', [
      { type: 'equals', value: 'bonjour le monde!', transform: 'output.toLowerCase()' },
    ]),
  ],
  [
    true,
    changing('const a = output;\nreturn a + context.vars.name;', [
      { type: 'contains', value: 'mondemonde' },
    ]),
  ],
  [false, changing('output.slice(0, 3)', [{ type: 'word-count', value: 3 }])],
  [true, changing('file://check.mjs:first', [{ type: 'equals', value: 'Bonjour' }])],
  [
    true,
    changing('output.slice(0, 3)', [
      { type: 'regex', value: '^Bon$' },
      { type: 'latency', threshold: 60_000 },
    ]),
  ],
];

function changing(transform: string, assert: readonly object[]) {
  return { options: { transform }, assert };
}

test('answers are changed by code before they are looked at, as in promptfoo', async () => {
  const { code, stderr, cwd } = await runConfig(
    {
      prompts: ['Answer: {{ topic }}'],
      providers: [small],
      defaultTest: { vars: { topic: 'French', name: 'monde' } },
      tests: changed.map(([, one]) => one),
    },
    { files: { 'check.mjs': "export const first = (output) => output.split(' ')[0];\n" } },
  );
  expect(code, stderr).toBe(1);
  expect(await passedIn(cwd, 'small/prompt-1.jsonl')).toEqual(changed.map(([passes]) => passes));
});

test('patterns stand for files, and the folder of the run says which config it is of', async () => {
  const config = JSON.stringify({
    prompts: ['file://*.prompt.txt'],
    providers: ['echo'],
    tests: ['file://*.tests.yaml'],
  });
  const cwd = await writeFolder({
    'promptfooconfig.greetings.json': config,
    'a.prompt.txt': 'A {{ topic }}',
    'b.prompt.txt': 'B {{ topic }}',
    'one.tests.yaml': '- vars: { topic: x }\n  assert: [{ type: contains, value: x }]\n',
    'two.tests.yaml': '- vars: { topic: y }\n  assert: [{ type: contains, value: y }]\n',
  });
  const ended = await runCli(['run', 'promptfooconfig.greetings.json'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  for (const name of ['prompt-1', 'prompt-2']) {
    const log = await readFile(join(cwd, 'runs', 'greetings', 'echo', `${name}.jsonl`), 'utf8');
    const ids = log
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as LoggedRow).id);
    expect(new Set(ids)).toEqual(new Set([0, 1]));
  }
});

test('prompts of every kind are sent as promptfoo sends them', async () => {
  const { code, stdout, stderr, bodies } = await runConfig(
    {
      prompts: ['file://two.txt', 'file://chat.json', 'file://prompt.mjs'],
      providers: [small],
      defaultTest: { assert: [{ type: 'contains', value: '{{ want }}' }] },
      scenarios: [
        {
          config: [{ vars: { want: 'Bonjour' } }],
          tests: [{ vars: { topic: ['French', 'Welsh'], polite: true } }],
        },
      ],
    },
    {
      files: {
        'two.txt': 'Say {{ topic | upper }}\n---\n{% if polite %}Please{% endif %} {{ polite }}\n',
        'chat.json': '[{"role":"system","content":"{{topic}}"},{"role":"user","content":"{x}"}]',
        'prompt.mjs': "export default ({ vars }) => 'From code: ' + vars.topic;\n",
      },
    },
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('pass_rate');
  const user = (content: string) => [{ role: 'user', content }];
  const chat = (topic: string) => [{ role: 'system', content: topic }, ...user('{x}')];
  const sent = [
    ...[user('Say FRENCH'), user('Say WELSH'), user('Please true')],
    ...[chat('French'), chat('Welsh'), user('From code: French'), user('From code: Welsh')],
  ].map((messages) => ({ model: 'small', messages, max_tokens: 1024, temperature: 0 }));
  expect(bodies).toHaveLength(sent.length);
  expect(bodies).toEqual(expect.arrayContaining(sent));
});

test('providers of code, and tests in a table', async () => {
  const { code, stderr, cwd } = await runConfig(
    {
      prompts: ['In {{ topic }}'],
      providers: [{ id: 'file://provider.mjs', label: 'mine', config: { greeting: 'Hi' } }, 'echo'],
      tests: 'file://tests.csv',
    },
    {
      files: {
        'provider.mjs':
          "export default class { constructor({ config }) { this.config = config; }\n async callApi(prompt, { vars }) { return { output: this.config.greeting + ' ' + vars.topic }; } }\n",
        'tests.csv':
          'topic,__expected,__expected2\nFrench,contains: Hi,"icontains-any: x,FRENCH"\nWelsh,In Welsh,not-contains: Hi\nManx,javascript: output.length === 7,\n',
      },
    },
  );
  expect(code, stderr).toBe(1);
  expect(await passedIn(cwd, 'mine/prompt-1.jsonl')).toEqual([true, false, true]);
  expect(await passedIn(cwd, 'echo/prompt-1.jsonl')).toEqual([false, true, true]);
});

test('what is not supported is named at once, and nothing is asked', async () => {
  const { code, stderr, bodies } = await runConfig({
    prompts: ['{{ a | frobnicate }}', 'file://missing.txt', '{% include "a" %}'],
    providers: [small, 'ollama:chat:x', { id: 'openai:chat:x', config: { apiKey: 'secret' } }],
    extensions: ['file://x.js'],
    tests: [
      {
        vars: { a: 'b' },
        options: {
          transform: 'file://change.py',
          rubricPrompt: 'x',
          transformVars: 'vars.nothing.length',
        },
        assert: [
          { type: 'python', value: 'x' },
          { type: 'llm-rubric', value: 'y' },
          { type: 'latency' },
          { type: 'select-best', value: 'z' },
          { type: 'not-factuality', value: 'z', provider: judge },
        ],
      },
    ],
  });
  expect(code).toBe(2);
  for (const named of [
    ...[
      'filter not found: frobnicate',
      'missing.txt',
      'reads another template',
      '`ollama:chat:x`',
      'apiKey contains an API key',
    ],
    ...['extensions is not', 'options.rubricPrompt', 'the type `python`'],
    'options.transformVars cannot be used',
    ...[
      '`llm-rubric` but names no provider',
      '`latency` without',
      '`select-best`',
      '`not-factuality`',
    ],
  ]) {
    expect(stderr).toContain(named);
  }
  expect(bodies).toEqual([]);
});

test('import writes a config that asks and checks the same; code has no form in it', async () => {
  const plain = {
    prompts: ['Answer: {{ topic }}'],
    providers: [small],
    tests: [{ vars: { topic: 'French' }, assert: [{ type: 'contains', value: 'Bonjour' }] }],
  };
  const { code, stderr, cwd } = await runConfig(plain, { args: ['import', '--out', 'own.yaml'] });
  expect(code, stderr).toBe(0);
  const ran = await runCli(['run', 'own.yaml'], { cwd });
  expect(ran.stdout, ran.stderr).toContain('pass_rate');
  expect(ran.code).toBe(0);
  const withCode = { ...plain, providers: ['echo'] };
  const refused = await runConfig(withCode, { args: ['import'] });
  expect(refused).toMatchObject({ code: 2, bodies: [] });
  expect(refused.stderr).toContain('import.holds_code');
  const viewed = await runConfig(plain, { args: ['view', '--all'] });
  expect(viewed.stdout).toContain('Answer: French');
  expect(viewed.bodies).toEqual([]);
});

test('hostile configs are refused, and hostile answers looked at, in bounded time', async () => {
  const many = Object.fromEntries(
    [...'abcdef'].map((name) => [name, Array.from({ length: 50 }, (_, at) => `${name}${at}`)]),
  );
  const deep = '{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}';
  const started = performance.now();
  const refused = await runConfig({
    prompts: ['{{ a }}', deep],
    providers: [small],
    tests: [{ vars: many }, ...Array.from({ length: 300 }, () => ({ vars: { a: 'x' } }))],
  });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('more than 100,000 tests of one');
  expect(refused.stderr).toContain('prompts[1]');
  expect(refused.bodies).toEqual([]);
  const answers = {
    tags: '"<a>".repeat(300000)',
    open: '"<a ".repeat(300000)',
    scripts: '"<script>".repeat(100000)',
    comments: '"<!--".repeat(200000)',
    quotes: `'<a "'.repeat(200000)`,
    dots: '"a.)".repeat(200000) + " ".repeat(200000) + "x"',
    braces: '"{".repeat(300000)',
  };
  const provider = `const answers = { ${Object.entries(answers).map(([name, code]) => `${name}: ${code}`)} };
export default class { async callApi(prompt) { return { output: answers[prompt] }; } }`;
  const { code, stderr, cwd } = await runConfig(
    {
      prompts: ['{{ name }}'],
      providers: [{ id: 'file://provider.mjs', label: 'hostile' }],
      tests: Object.keys(answers).map((name) => ({
        vars: { name },
        assert: [
          ...['is-html', 'contains-html', 'is-xml', 'contains-xml'].map((type) => ({ type })),
          { type: 'contains-json', value: { required: ['a'] } },
          ...['rouge-n', 'bleu', 'gleu', 'levenshtein'].map((type) => ({ type, value: 'a b c' })),
        ],
      })),
    },
    { files: { 'provider.mjs': provider } },
  );
  expect(code, stderr).toBe(1);
  const passed = await passedIn(cwd, 'hostile/prompt-1.jsonl');
  expect(passed).toEqual(Object.keys(answers).map(() => false));
  expect(performance.now() - started).toBeLessThan(45_000);
});
