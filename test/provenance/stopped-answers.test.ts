import { expect, test } from 'vitest';
import { describeEvents, summaryMarkdown } from '../../src/exports/report.ts';
import { evaluate } from '../../src/index.ts';
import { startModelServer } from './model-server.ts';
import { runTask } from './small-task.ts';

const model = { type: 'OpenAI', meta_template: undefined };

test.each([
  [
    'content_filter',
    '6 of 6 answers were stopped by a content filter',
    ', stopped by a content filter',
  ],
  ['error', '6 of 6 answers were stopped by a server error', ', stopped by a server error'],
  ['tool_calls', '6 of 6 answers ended with tool calls', ''],
  ['stop', undefined, ''],
])('empty answers that end with %s are told', async (finish, line, reason) => {
  const server = await startModelServer(() => ({ text: null, finish }));
  const { result, out, config } = await runTask(server.url, { model });
  const [task] = result.summary.results;
  expect(task?.reasons).toEqual([{ reason: `empty answer${reason}`, rows: 6 }]);
  expect(task && describeEvents(task)).toEqual(line === undefined ? [] : [line]);
  if (line !== undefined) expect(summaryMarkdown(result.summary)).toContain(line);
  const again = await evaluate(config, { out });
  expect(again.summary.results[0]?.stopped).toEqual(task?.stopped);
});
