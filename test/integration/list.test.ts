import { beforeAll, expect, test } from 'vitest';
import { buildCli } from './build-cli.ts';
import { runCli } from './run-cli.ts';

beforeAll(buildCli);

test('formats, each with a dialogue written in it', async () => {
  const { stdout } = await runCli(['list', 'formats']);
  expect(stdout).toContain(`
  phi3  Phi-3: <|user|> … <|end|>
  │ <|system|>
  │ Be brief.<|end|>
  │ <|user|>
  │ 1+1=?<|end|>
  │ <|assistant|>
  │ 2<|end|>
  │ <|user|>
  │ 2+2=?<|end|>
  │ <|assistant|>
  │ ▮
`);
});

test('evaluators, each with an answer that it finds right', async () => {
  const { stdout } = await runCli(['list', 'evaluators', '--json']);
  const { evaluators, postprocessors } = JSON.parse(stdout);
  expect(evaluators).toContainEqual({
    name: 'number',
    summary: expect.any(String),
    options: ['tolerance', 'relative_tolerance'],
    scored: { answer: '6 boxes of 3 make **18**.', gold: '18', score: 1 },
  });
  for (const { scored } of evaluators) expect(scored?.score ?? 1).toBe(1);
  expect(postprocessors.length).toBeGreaterThan(10);
});

test('retrievers', async () => {
  const { code, stdout } = await runCli(['list', 'retrievers']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}FixKRetriever {11}\S.*\n +options: fix_id_list, /m);
});

test.each([[['list']], [['list', 'formts']]])('%j names what there is', async (args) => {
  const { code, stderr } = await runCli(args);
  expect(code).toBe(2);
  expect(stderr).toContain('typecase list --help');
});
