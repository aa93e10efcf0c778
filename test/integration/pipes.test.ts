import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, loadConfig } from '../../src/index.ts';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

const config = {
  models: [{ abbr: 'm', type: 'Replay', answer_column: 'answer' }],
  datasets: [
    {
      abbr: 'd',
      path: 'rows.jsonl',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
      eval_cfg: { evaluator: { type: 'exact' } },
    },
  ],
};

/** Puts a pipe in the place of a file, which nobody ever writes to. */
function makePipe(file: string): void {
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
}

test('pipes in the place of files are refused, and not waited for', async () => {
  const folder = await writeFolder({
    'rows.jsonl': '{"question": "1 + 1", "answer": "2"}\n',
    'config.json': JSON.stringify(config),
  });
  const at = (name: string) => join(folder, name);
  const [model] = config.models;
  const withTokenizer = { ...config, models: [{ ...model, tokenizer: 'pipe.json' }] };
  writeFileSync(at('tokenizer.json'), JSON.stringify(withTokenizer));
  makePipe(at('pipe.json'));
  await evaluate(await loadConfig(at('config.json')), { out: at('run') });
  for (const name of ['run.json', 'summary.json']) {
    cpSync(at('run'), at(`no-${name}`), { recursive: true });
    makePipe(join(at(`no-${name}`), name));
  }
  const commands = [
    ['run', at('tokenizer.json'), '--out', at('out')],
    ['leaderboard', at('pipe.json')],
    ['score', at('no-run.json')],
    ['show', at('no-run.json'), '--row', '0'],
    ['compare', at('no-run.json'), at('run')],
    ['compare', at('no-summary.json'), at('run')],
    ['bundle', at('no-run.json')],
  ];
  for (const command of commands) {
    const { code, stderr } = await callCommand(command);
    expect([command[0], stderr]).toEqual([command[0], expect.stringContaining('is a pipe')]);
    expect(code).toBe(2);
  }
});
