import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startJudgeServer } from './judge-server.ts';
import { runCli, writeFolder } from './run-cli.ts';

/** Notes every address that a process connects to, before anything of Typecase is loaded. */
const watch = `
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';
import dns from 'node:dns';
const note = (text) => appendFileSync(process.env.SOCKETS_SEEN, text + '\\n');
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [[options]] = Array.isArray(args[0]) ? args : [args];
  note(options.path ?? (options.host ?? 'localhost') + ':' + options.port);
  return connect.apply(this, args);
};
const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  note('lookup ' + name);
  return lookup(name, ...rest);
};
`;

test('nothing but the endpoints of a config is connected to, and nothing by commands that ask nobody', async () => {
  await using server = await startJudgeServer();
  server.answer = () => '7';
  const rows = JSON.stringify({ question: 'What is 3 + 4?', answer: '7' });
  const folder = await writeFolder({ 'watch.mjs': watch, 'rows.jsonl': rows, seen: '' });
  const seen = join(folder, 'seen');
  const env = { NODE_OPTIONS: `--import ${join(folder, 'watch.mjs')}`, SOCKETS_SEEN: seen };
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' }],
    datasets: [
      {
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: { evaluator: { type: 'number' } },
      },
    ],
  };
  await writeFile(join(folder, 'c.json'), JSON.stringify(config));
  const call = async (...args: string[]) => {
    const { code, stderr } = await runCli(args, { cwd: folder, env });
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
  };
  await call('view', 'c.json');
  await call('plan', 'c.json');
  expect(await readFile(seen, 'utf8')).toBe('');
  await call('run', 'c.json', '--out', 'runs/a');
  const asked = (await readFile(seen, 'utf8')).trim().split('\n');
  expect(new Set(asked)).toEqual(new Set([new URL(server.url).host]));
  await call(
    'run',
    'task:arithmetic',
    '--model',
    'typecase-tiny',
    '--limit',
    '2',
    '--out',
    'runs/b',
  );
  await call('score', 'runs/a', '--evaluator', 'contains');
  await call('show', 'runs/a');
  await call('report', 'runs/a');
  await call('list', 'tasks');
  expect((await readFile(seen, 'utf8')).trim().split('\n')).toEqual(asked);
}, 120_000);
