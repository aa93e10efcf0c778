import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'tsdown';
import { beforeAll, describe, expect, it } from 'vitest';

/** A page's view of `src/prompt`: one script, no Node. */
let script = '';

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'typecase-browser-'));
  await build({
    config: false,
    entry: { prompt: 'src/exports/prompt.ts' },
    format: 'iife',
    globalName: 'typecase',
    platform: 'browser',
    noExternal: /.*/,
    dts: false,
    outDir,
    logLevel: 'silent',
  });
  script = await readFile(join(outDir, 'prompt.iife.js'), 'utf8');
}, 60_000);

describe('src/prompt in a browser', () => {
  it('refers to nothing of Node', () => {
    expect(script).not.toMatch(/['"]node:|\brequire\(|\bprocess\.|\bBuffer\b/);
  });

  it('composes prompts where only the language itself is there', () => {
    const context = createContext({});
    runInContext(script, context);
    const result = runInContext(
      `
      var format = typecase.formatOf({ takes: 'text', metaTemplate: 'chatml', path: [] });
      var round = [{ role: 'HUMAN', prompt: '{q}' }, { role: 'BOT', prompt: '{a}' }];
      var program = typecase.compilePrompt({
        promptTemplate: { template: { begin: ['</E>'], round }, ice_token: '</E>' },
        iceTemplate: { template: { round } },
        hasShots: true, outputColumn: 'a', format,
      });
      var shots = typecase.createShotPool(program, [{ id: 0, row: { q: '1+1?', a: '2' } }]).take([0]);
      var traced = typecase.tracePrompt(program, { id: 1, row: { q: '2+2?', a: '4' } }, shots);
      var chat = typecase.loadChatTemplate(
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
      );
      JSON.stringify([
        typecase.joinSpans(traced.spans),
        typecase.renderChatTemplate(chat, { messages: [{ role: 'user', content: 'hi' }], addGenerationPrompt: true }),
      ]);
      `,
      context,
    );
    expect(JSON.parse(result)).toEqual([
      '<|im_start|>user\n1+1?<|im_end|>\n<|im_start|>assistant\n2<|im_end|>\n' +
        '<|im_start|>user\n2+2?<|im_end|>\n<|im_start|>assistant\n',
      '<user>hi<assistant>',
    ]);
  });
});
