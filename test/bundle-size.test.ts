import { copyFile, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { beforeAll, describe, expect, it, test } from 'vitest';
import packageConfig from '../tsdown.config.ts';

const maxBytes = 20_480;
/** Names that the interpreter of chat templates cannot do without, even when minified. */
const jinja = /strftime_now|tojson|add_generation_prompt/;

const prompts = `
  import { compilePrompt, createShotPool, fillPrompt, formatOf, joinSpans, plainFormat, tracePrompt }
    from 'typecase/prompt';
  const text = compilePrompt({
    promptTemplate: { template: 'Q: {q}\\nA: {a}' }, outputColumn: 'a', format: plainFormat,
  });
  const round = [{ role: 'HUMAN', prompt: '{q}' }, { role: 'BOT', prompt: '{a}' }];
  const dialogue = (metaTemplate) => compilePrompt({
    promptTemplate: { template: { begin: ['</E>'], round }, ice_token: '</E>' },
    iceTemplate: { template: { round } },
    hasShots: true, outputColumn: 'a',
    format: formatOf({ takes: 'text', metaTemplate, path: [] }),
  });
  const row = { q: '2+2?', a: '4' };
  const traced = (program) => {
    const shots = createShotPool(program, [{ id: 0, row: { q: '1+1?', a: '2' } }]).take([0]);
    return joinSpans(tracePrompt(program, { id: 1, row }, shots).spans);
  };
  const own = { round: [{ role: 'HUMAN', begin: 'U:' }, { role: 'BOT', begin: ' B:', generate: true }] };
  globalThis.made = [fillPrompt(text, row).text, traced(dialogue('phi3')), traced(dialogue(own))];
`;
const made = [
  'Q: 2+2?\nA:',
  '<|user|>\n1+1?<|end|>\n<|assistant|>\n2<|end|>\n<|user|>\n2+2?<|end|>\n<|assistant|>\n',
  'U:1+1? B:2U:2+2? B:',
];

const withChatTemplates = `
  import { loadChatTemplate, renderChatTemplate, traceChatTemplate } from 'typecase/prompt';
  ${prompts}
  const template = loadChatTemplate('{{ messages[0].content | upper }}');
  const messages = [{ role: 'user', content: 'hi' }];
  const chat = formatOf({ takes: 'text', chatTemplate: { template }, path: [] });
  const program = compilePrompt({ promptTemplate: { template: '{q}' }, format: chat });
  const spans = [{ text: 'hi', origin: { type: 'separator' } }];
  const addGenerationPrompt = true;
  made.push(
    renderChatTemplate(template, { messages, addGenerationPrompt }),
    joinSpans(traceChatTemplate(template, { messages: [{ role: 'user', spans }], addGenerationPrompt })),
    fillPrompt(program, { q: 'yes' }).text,
  );
`;

/** The package as it is published, without its type declarations. */
let folder = '';
const quiet = { config: false, dts: false, logLevel: 'silent' } as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-bundle-'));
  await copyFile('package.json', join(folder, 'package.json'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await build({ ...packageConfig, ...quiet, clean: false, outDir: join(folder, 'dist') });
}, 60_000);

/** A program that uses the package as one script for a page. */
async function bundle(name: string, program: string): Promise<string> {
  const cwd = join(folder, name);
  await mkdir(cwd);
  await writeFile(join(cwd, 'page.js'), program);
  const settings = { format: 'iife', platform: 'browser', minify: true, noExternal: /.*/ } as const;
  await build({ ...quiet, ...settings, cwd, entry: 'page.js' });
  return readFile(join(cwd, 'dist', 'page.iife.js'), 'utf8');
}

function run(script: string): unknown {
  const context = createContext({});
  runInContext(script, context);
  return JSON.parse(runInContext('JSON.stringify(made)', context));
}

describe('a page that imports typecase/prompt', () => {
  it('is small without chat templates', async () => {
    const script = await bundle('prompts', prompts);
    expect(run(script)).toEqual(made);
    expect(script).not.toMatch(jinja);
    expect(gzipSync(script).length).toBeLessThanOrEqual(maxBytes);
  });

  it('gets chat templates with their functions', async () => {
    const script = await bundle('chat-templates', withChatTemplates);
    expect(run(script)).toEqual([...made, 'HI', 'HI', 'YES']);
    expect(script).toMatch(jinja);
  });
});

/** A file of the build with those that it imports, theirs included. */
async function loadedWith(name: string): Promise<Set<string>> {
  const names = new Set([name]);
  for (const one of names) {
    const text = await readFile(join(folder, 'dist', one), 'utf8');
    const imports = text.matchAll(/^(?:import|export)\b(?:[^;"]*?from)?\s*"\.\/([^"]+)"/gm);
    for (const [, imported = ''] of imports) names.add(imported);
  }
  return names;
}

test('commands are loaded in few files, and help without them', async () => {
  const files = await readdir(join(folder, 'dist'));
  const command = files.find((file) => /^run-command-[\w-]+\.js$/.test(file));
  const start = await loadedWith('cli.js');
  expect(start.size).toBeLessThanOrEqual(2);
  const run = await loadedWith(command ?? '');
  expect(run.size).toBeGreaterThan(5);
  expect(run.size).toBeLessThanOrEqual(16);
  // The worker of local models shares two modules with a run.
  expect((await loadedWith('local-worker.js')).size).toBeLessThanOrEqual(6);
});
