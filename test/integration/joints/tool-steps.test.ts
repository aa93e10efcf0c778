import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChatBody, startChatServer } from '../../functions/chat-server.ts';
import { writeFolder } from '../run-cli.ts';
import { callCommand } from './call-command.ts';
import type { ViewDocument } from './documents.ts';

const configOf = (base_url: string, stream: boolean) => `export default {
  models: [{ abbr: 'm', type: 'OpenAI', model: 'm', base_url: '${base_url}', stream: ${stream}, max_out_len: 9 }],
  datasets: [{
    abbr: 'd',
    rows: [{ of: 'birds' }, { of: 'dogs' }],
    reader_cfg: { input_columns: ['of'], output_column: null },
    infer_cfg: {
      prompt_template: { template: 'How many {of}?' },
      tools: [{
        name: 'count',
        parameters: { type: 'object', properties: { of: { type: 'string' } } },
        run: ({ of }) => { if (of === 'dogs') throw new Error('no "dogs"'); return { of, count: 2.5 }; },
        version: '1',
      }],
    },
  }],
};`;

const called = (args: string, id?: string) => ({
  ...(id !== undefined && { id }),
  ...{ type: 'function', function: { name: 'count', arguments: args } },
});

/** Two calls at once, one more after their results, then an answer. */
function replyTo({ messages }: ChatBody) {
  const [{ content = '' } = {}] = messages;
  const of = content.includes('birds') ? '{"of": "birds"}' : '{"of":"dogs"}';
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return { content: 'Let me see', tool_calls: [called(of, 'a'), called(of)] };
  return results === 2 ? { tool_calls: [called('{"of":"cats"}', 'b')] } : `${results} results`;
}

test.each([false, true])(
  'every request of an answer with tools is shown of a run as it was sent; streamed: %s',
  async (stream) => {
    await using server = await startChatServer(replyTo);
    const folder = await writeFolder({ 'c.ts': configOf(server.url, stream) });
    const file = join(folder, 'c.ts');
    const out = join(folder, 'out');
    const bodiesIn = async (...more: string[]) => {
      const { stdout, stderr } = await callCommand(['view', file, '-a', '--rows', ':', ...more]);
      expect(stderr).toBe('');
      const { views } = JSON.parse(stdout) as ViewDocument;
      return views.flatMap(({ requests }) => requests.map(({ body }) => JSON.stringify(body)));
    };
    const ran = await callCommand(['run', file, '--out', out]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(server.bodies).toHaveLength(6);
    expect((await bodiesIn('--run', out, '--json')).sort()).toEqual(server.bodies.toSorted());
    expect((await bodiesIn('--json')).sort()).toEqual(
      server.bodies.filter((body) => !body.includes('"tool_calls"')).sort(),
    );
  },
);
