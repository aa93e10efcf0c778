import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { attack, chromium, expectHarmless, withoutPolicy } from '../page-in-browser.ts';
import { runCli, writeFolder } from './run-cli.ts';

/** Short enough for the name of a file. */
const named = `<img src=x onerror="document.documentElement.setAttribute('planted','')">`;

/** Says the attack, a different answer to either template, or refuses with it. */
async function startServer() {
  const server = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { messages: { content: string }[] };
    const text = messages.at(-1)?.content ?? '';
    const isRefused = /row 5\b/.test(text);
    const content = text.startsWith('Other') && /row [1-3]\b/.test(text) ? `no ${attack}` : attack;
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
    const choices = [{ message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response.end(
      JSON.stringify(isRefused ? { error: { message: attack } } : { choices, model: named }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => server.close() };
}

function configOf(url: string, template: string): object {
  return {
    models: [{ abbr: named, type: 'OpenAI', base_url: url, model: named }],
    datasets: [
      {
        abbr: named,
        rows: Array.from({ length: 12 }, (_, id) => ({
          [named]: attack,
          q: `row ${id} ${attack}`,
          a: attack,
        })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: `${template} ${attack} {q}` } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
}

test.skipIf(!chromium)(
  'what models, data, names and servers say runs in no page, with its policy and without',
  async () => {
    using server = await startServer();
    const templates = ['One', 'Other'].map((name) => ({
      name: `${name} ${named}`,
      prompt_template: { template: `${name} ${attack} {q}` },
    }));
    const cwd = await writeFolder({
      'one.json': JSON.stringify(configOf(server.url, 'One')),
      'other.json': JSON.stringify(configOf(server.url, 'Other')),
      'sweep.json': JSON.stringify({ ...configOf(server.url, 'One'), sweep: { templates } }),
    });
    const commands: readonly [exit: number, args: readonly string[]][] = [
      // A row is refused in each run.
      [3, ['run', 'one.json', '--out', 'one']],
      [3, ['run', 'other.json', '--out', 'other']],
      [3, ['sweep', 'sweep.json', '--out', 'sweep']],
      [0, ['compare', 'one', 'other', '--html', 'compare.html']],
    ];
    for (const [exit, command] of commands) {
      const { code, stderr } = await runCli(command, { cwd });
      expect([command, code, stderr]).toEqual([
        command,
        exit,
        expect.not.stringContaining('Sorry'),
      ]);
    }
    for (const file of [
      'one/report.html',
      'sweep/sweep.html',
      'sweep/report.html',
      'compare.html',
    ]) {
      const html = await readFile(join(cwd, file), 'utf8');
      expect([file, withoutPolicy(html) !== html]).toEqual([file, true]);
      await expectHarmless(html);
      await expectHarmless(withoutPolicy(html));
    }
  },
  300_000,
);
