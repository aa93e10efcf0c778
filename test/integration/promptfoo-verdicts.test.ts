import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startChatServer } from '../functions/chat-server.ts';
import { answerTo } from '../promptfoo/answers.ts';
import {
  configNames,
  environment,
  prepareConfig,
  recorded,
  verdictsOfRun,
} from '../promptfoo/compare.ts';
import { runCli } from './run-cli.ts';

const verdicts = JSON.parse(await readFile(recorded, 'utf8'));

test('every config has its recorded verdicts', async () => {
  expect(Object.keys(verdicts).sort()).toEqual(await configNames());
});

test.each(await configNames())(
  '%s: each assertion and test passes or fails as in promptfoo',
  async (name) => {
    await using server = await startChatServer(answerTo);
    const folder = await prepareConfig(name);
    onTestFinished(() => rm(folder, { recursive: true }));
    const args = ['run', 'promptfooconfig.json', '--out', 'ours'];
    const ended = await runCli(args, { cwd: folder, env: environment(server.url) });
    // Rows without an output failed: that is more than a gate that did.
    expect(ended.code, ended.stderr).toBe(name === 'no-output' ? 3 : 1);
    expect(await verdictsOfRun(join(folder, 'ours'))).toEqual(verdicts[name]);
  },
);
