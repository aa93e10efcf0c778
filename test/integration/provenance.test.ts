import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const task = ['task:arithmetic/equation', '--model', 'typecase-tiny', '--limit', '3'];

test('a run is shown, bundled, verified elsewhere and explained by the command line', async () => {
  const cwd = await writeFolder({});
  const call = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd });
    return { code, text: stdout + stderr };
  };
  expect(await call('run', ...task, '--shots', '2', '--out', 'a')).toMatchObject({
    code: 0,
    text: expect.stringContaining('Examples drawn with seed 0.'),
  });
  const shown = await call('show', 'a', '--row', '2', '--json');
  const [row] = JSON.parse(shown.text).rows;
  expect(row).toMatchObject({
    id: 2,
    model: 'typecase-tiny',
    record: { examples: row.prompt.shots },
  });
  expect((await call('show', 'a', '--row', '2')).text).toMatch(
    /^typecase-tiny · [\s\S]*\nAnswer\n/,
  );
  expect((await call('show', 'a', '--row', '9')).text).toContain('error[show.no_such_row]');
  expect((await call('bundle', 'a')).text).toContain('Bundle: a.bundle.zip');
  const elsewhere = await writeFolder({});
  const bundle = join(elsewhere, 'x.zip');
  const bytes = await readFile(join(cwd, 'a.bundle.zip'));
  await writeFile(bundle, bytes);
  const verify = () => runCli(['bundle', '--verify', 'x.zip'], { cwd: elsewhere });
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Everything that can be verified is correct.'),
  });
  const changed = bytes.indexOf('summary.json') + 30;
  bytes[changed] = (bytes[changed] ?? 0) ^ 1;
  await writeFile(bundle, bytes);
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('wrong: summary.json is damaged'),
  });
  const { text } = await call('cache', 'explain', ...task, '--shots', '1', '--out', 'a');
  expect(text).toMatch(/3 rows? \(.*\) to be sent|1 row \(0\) to be sent/);
  expect(text).toMatch(/prompt differs from character \d+: /);
}, 120_000);

test('view warns of a prompt that does not fit, and plan counts it', async () => {
  const cwd = await writeFolder({
    'rows.jsonl': '{"q":"What is the sum of one and one?","a":"2"}\n',
    'c.yaml': `models:
  - { abbr: m, type: OpenAI, base_url: "http://127.0.0.1:9", model: x, max_seq_len: 20, max_out_len: 16 }
datasets:
  - abbr: d
    path: rows.jsonl
    reader_cfg: { input_columns: [q], output_column: a }
    infer_cfg: { prompt_template: { template: "{q}" } }
`,
  });
  const view = await runCli(['view', 'c.yaml'], { cwd });
  expect(view.stdout).toContain('the prompt and its answer do not fit max_seq_len');
  const plan = await runCli(['plan', 'c.yaml'], { cwd });
  expect(plan.stdout).toContain('Length: m on d: 1 row does not fit even without examples');
});
