import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ChatBody, type ChatReply, startChatServer } from '../functions/chat-server.ts';
import { runCli, writeFolder } from './run-cli.ts';

interface Logged {
  readonly id: number;
  readonly score?: number;
  readonly checks?: readonly { readonly name: string; readonly passed: boolean }[];
}

interface Setup {
  readonly files?: Record<string, string>;
  readonly reply?: (body: ChatBody) => ChatReply | string;
  readonly config?: object;
}

/** What a config of promptfoo with one model asks and finds; the model says what it is asked by default. */
async function runTests(written: object, { files, reply, config }: Setup = {}) {
  const server = await startChatServer(reply ?? (({ messages }) => messages.at(-1)?.content ?? ''));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const providers = [
    { id: 'openai:chat:m', label: 'm', config: { apiBaseUrl: server.url, ...config } },
  ];
  const text = JSON.stringify({ prompts: ['{{ q }}'], providers, ...written });
  const cwd = await writeFolder({ ...files, 'promptfooconfig.json': text });
  const ended = await runCli(['run', 'promptfooconfig.json', '--out', 'out'], {
    cwd,
    env: { TIER: 'gold' },
  });
  const asked = server.bodies.map((body) => JSON.parse(body) as ChatBody);
  const rows: Logged[] = [];
  const log = await readFile(join(cwd, 'out', 'm', 'prompt-1.jsonl'), 'utf8').catch(() => '');
  for (const line of log.split('\n').filter(Boolean)) {
    const row = JSON.parse(line) as Logged;
    rows[row.id] = { ...rows[row.id], ...row };
  }
  const prompts = asked.map(({ messages }) => messages.at(-1)?.content).sort();
  return { ...ended, cwd, asked, rows, prompts };
}

const wire = { type: 'function', function: { name: 'wire', parameters: { type: 'object' } } };
const called = {
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'wire', arguments: '{"to":"mallory"}' } },
  ],
};

test.each([
  ['without text', called],
  ['with text beside it', { ...called, content: 'Right away.' }],
])('a tool call %s is the answer that assertions and transforms see', async (_, reply) => {
  const { code, rows } = await runTests(
    {
      tests: [
        {
          vars: { q: 'Pay' },
          assert: [
            { type: 'not-contains', value: 'mallory' },
            { type: 'not-regex', value: 'wire' },
            { type: 'not-icontains-any', value: ['MALLORY'] },
            { type: 'contains', value: 'wire' },
            {
              type: 'equals',
              value: 'wire',
              transform: '(output.tool_calls ?? output)[0].function.name',
            },
            { type: 'javascript', value: '(output.tool_calls ?? output)[0].id === "c1"' },
          ],
        },
      ],
    },
    { reply: () => reply, config: { tools: [wire] } },
  );
  expect(code).toBe(1);
  const passed = Object.fromEntries(rows[0]?.checks?.map((one) => [one.name, one.passed]) ?? []);
  expect(passed).toEqual({
    'not-contains': false,
    'not-regex': false,
    'not-icontains-any': false,
    contains: true,
    equals: true,
    javascript: true,
  });
});

test('an empty answer is asked only what its own test asks, and code sees it', async () => {
  const { code, rows } = await runTests(
    {
      tests: [
        { vars: { q: 'kitten' }, assert: [{ type: 'levenshtein', value: 'sitting' }] },
        { vars: { q: 'abc' }, assert: [{ type: 'javascript', value: 'output.length === 3' }] },
        { vars: { q: 'nothing' }, assert: [{ type: 'not-contains', value: 'password' }] },
        { vars: { q: 'nothing' }, assert: [{ type: 'javascript', value: 'output === ""' }] },
      ],
    },
    { reply: ({ messages: [asked] }) => asked?.content.replace('nothing', '') ?? '' },
  );
  expect(rows.map(({ checks }) => checks?.map(({ name }) => name))).toEqual([
    ['levenshtein'],
    ['javascript'],
    ['not-contains'],
    ['javascript-2'],
  ]);
  expect(code).toBe(0);
});

test('environment variables are filled in wherever templates stand', async () => {
  const { code, prompts } = await runTests(
    {
      prompts: ['{{ q }}', 'file://p.txt', '{% if env.TIER == "gold" %}G{% endif %}'],
      tests: ['file://t.yaml', 'file://t.csv'],
    },
    {
      files: {
        'p.txt': 'file {{ env.TIER | upper }} {{ env["TIER"] }} {{ env.NONE | default("none") }}',
        't.yaml': '- vars: { who: Ann, q: "yaml {{ env.TIER }} {{ who }}" }',
        't.csv': 'who,q\nBob,csv {{ env.TIER }} {{ who }}\n',
      },
    },
  );
  expect(code).toBe(0);
  const ofFile = 'file GOLD gold none';
  expect(prompts).toEqual(['G', 'csv gold Bob', ofFile, 'yaml gold Ann']);
});

test('settings of a provider that name a file are what the file holds', async () => {
  const { asked } = await runTests(
    { tests: [{ vars: { q: 'Hi' } }] },
    {
      files: {
        'tools.json': JSON.stringify([wire]),
        'form.yaml': 'type: json_object\n',
      },
      config: {
        tools: 'file://tools.json',
        response_format: 'file://form.yaml',
        temperature: null,
      },
    },
  );
  expect(asked).toMatchObject([
    { tools: [wire], response_format: { type: 'json_object' }, temperature: 0 },
  ]);
});

test.each([
  [
    'a variable that is not set',
    { prompts: ['file://p.txt'] },
    'needs the environment variable NONE',
  ],
  ['a command for a prompt', { prompts: ['exec:./x.sh'] }, 'prompts[0] runs a command'],
  [
    'the turns of earlier tests',
    { prompts: ['{{ q }}{% for turn in _conversation %}{{ turn.output }}{% endfor %}'] },
    'prompts[0] reads `_conversation`',
  ],
  [
    'a schema that is none',
    { tests: [{ assert: [{ type: 'is-json', value: { type: 'objekt' } }] }] },
    'tests[0].assert[0].value is not a JSON Schema',
  ],
  [
    'a threshold in percent',
    { tests: [{ vars: { q: 'Hi' }, threshold: 80 }] },
    'tests[0].threshold is 80, but scores are from 0 to 1',
  ],
])('%s is named before anything is asked', async (_, written, message) => {
  const { code, stderr, asked } = await runTests(
    { tests: [{ vars: { q: 'Hi' } }], ...written },
    { files: { 'p.txt': 'Dear {{ env.NONE }}' } },
  );
  expect(stderr).toContain(message);
  expect([code, asked]).toEqual([2, []]);
});

test('a test that passes by its threshold is no failure anywhere', async () => {
  const tests = [
    {
      vars: { q: 'Lyon' },
      threshold: 0.5,
      assert: [
        { type: 'equals', value: 'Paris' },
        { type: 'contains', value: 'Lyon' },
      ],
    },
    { vars: { q: 'Rome' }, assert: [{ type: 'contains', value: 'Oslo' }] },
    {
      vars: { q: 'Bern' },
      threshold: 0.5,
      assert: [{ type: 'javascript', value: '0.2' }],
    },
  ];
  const { code, stdout, stderr, cwd } = await runTests({ tests });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('row 1: contains');
  expect(stdout + stderr).not.toContain('row 0:');
  const junit = await readFile(join(cwd, 'out', 'junit.xml'), 'utf8');
  const failing = [...junit.matchAll(/name="(row [^"]*)"[^>]*>\s*<(failure|error)/g)];
  expect(failing.map(([, name]) => name)).toEqual(['row 1', 'row 1: contains', 'row 2']);
  const exported = await runCli(['export', 'out', '--only-failed'], { cwd });
  const ids = exported.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(ids.sort()).toEqual([1, 2]);
});

test('code sees the test and the response, and CSV cells give it thresholds', async () => {
  const { rows } = await runTests(
    {
      tests: [
        {
          description: 'first',
          metadata: { k: 'v' },
          vars: { q: 'Hi' },
          assert: [
            { type: 'javascript', value: 'context.test.metadata.k === "v"' },
            { type: 'javascript', value: 'context.test.description === "first"' },
            { type: 'javascript', value: 'context.providerResponse.tokenUsage.total === 15' },
          ],
        },
        'file://t.csv',
      ],
    },
    {
      files: {
        't.csv': 'q,__expected1,__expected2\nHo,javascript(0.5): 0.4,javascript(0.5): 0.6\n',
      },
    },
  );
  expect(rows.map(({ checks }) => checks?.map(({ passed }) => passed))).toEqual([
    [true, true, true],
    [false, true],
  ]);
});

test('contains-json wants an object', async () => {
  const values = ['42', 'true', 'it is 42', '{"a": 1}', 'so: {"a": 1}.'];
  const { rows } = await runTests(
    {
      prompts: ['Say {{ q }}'],
      tests: values.map((q) => ({ vars: { q }, assert: [{ type: 'contains-json' }] })),
    },
    { reply: ({ messages: [asked] }) => asked?.content.slice('Say '.length) ?? '' },
  );
  expect(rows.map(({ checks }) => checks?.[0]?.passed)).toEqual([false, false, false, true, true]);
});

test('what a prompt function makes is sent without prefix and suffix', async () => {
  const { asked } = await runTests(
    {
      prompts: ['file://p.mjs'],
      tests: [{ vars: { q: 'Hi' }, options: { prefix: '[', suffix: ']' } }],
    },
    {
      files: {
        'p.mjs':
          'export default ({ vars }) => [{ role: "system", content: "S" }, { role: "user", content: vars.q }];',
      },
    },
  );
  expect(asked[0]?.messages).toEqual([
    { role: 'system', content: 'S' },
    { role: 'user', content: 'Hi' },
  ]);
});

test('a run of a promptfoo config is shown with its prompts and scored again by the config', async () => {
  const { cwd } = await runTests({
    prompts: ['Say {{ q }}'],
    tests: [{ vars: { q: 'Hi' }, assert: [{ type: 'javascript', value: 'output === "Say Hi"' }] }],
  });
  const shown = await runCli(['show', 'out', '--row', '0'], { cwd });
  expect(shown.stdout).not.toContain('unknown');
  expect(shown.stdout).toMatch(/user +│ Say Hi/);
  const scored = await runCli(['score', 'out', 'promptfooconfig.json'], { cwd });
  expect(scored.code, scored.stderr).toBe(0);
  expect(scored.stdout).toMatch(/pass_rate +100\.0/);
});
