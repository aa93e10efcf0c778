import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/api/evaluate.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { startViewer, type Viewer } from '../../../src/server/viewer/start-viewer.ts';
import { coverPairs } from '../joints/all-pairs.ts';
import { callCommand } from '../joints/call-command.ts';
import { buildConfig, describeLevels, writeConfig } from '../joints/config-space.ts';
import { plainLevels } from '../joints/factors.ts';
import { endsWell } from '../joints/joint.ts';
import { type RecordingServer, startRecordingServer } from '../joints/recording-server.ts';
import { browserPath, launch } from './browser.ts';

/** Machines that run tests may be busy. */
const patient = { timeout: 30_000 };

interface Opened {
  readonly page: Page;
  readonly problems: string[];
}

/** A page that may not ask anybody else, nor fail. */
async function openPage(browser: Browser, address: URL): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address.origin)) problems.push(request.url());
  });
  await page.goto(address.href);
  return { page, problems };
}

/** Waits until the server has said what it makes of what stands in the editor. */
async function settled(page: Page, side = 0): Promise<void> {
  const prompt = page.locator('.live-prompt').nth(side);
  await prompt.waitFor();
  await expect.poll(() => prompt.getAttribute('data-current'), patient).toBe('true');
  await expect
    .poll(
      async () =>
        (await prompt.getAttribute('data-kit')) === 'false' ||
        (await prompt.getAttribute('data-agrees')) !== null,
      patient,
    )
    .toBe(true);
  expect(await prompt.getAttribute('data-agrees')).not.toBe('false');
}

/** The texts of all prompts that are shown, message by message. */
async function shownTexts(page: Page): Promise<string[][]> {
  const tabs = page.locator('.live-prompt .tabs button');
  const texts: string[][] = [];
  const count = await tabs.count();
  for (let tab = 0; tab < Math.max(1, count); tab++) {
    if (count > 0) await tabs.nth(tab).click();
    texts.push(await page.locator('.live-prompt .turn pre').allTextContents());
  }
  return texts;
}

interface WireBody {
  readonly prompt?: string | readonly string[];
  readonly messages?: readonly { readonly content: unknown }[];
}

/** The texts of a request, as the page would show them. */
function sentTexts(text: string): string[] {
  const { prompt, messages } = JSON.parse(text) as WireBody;
  if (messages) return [JSON.stringify(messages.map(({ content }) => textIn(content)))];
  return [prompt ?? []].flat().map((one) => JSON.stringify([one]));
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('');
}

describe.skipIf(browserPath === undefined)('the workbench', { timeout: 200_000 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
  });

  describe('shows what a run sends', () => {
    let server: RecordingServer;
    /** One in so many of those that view and run are compared by; all are compared without a browser. */
    const every = 12;
    const table = coverPairs()
      .configs.filter(
        ({ model, ask, template }) =>
          model !== 'local' && template !== 'media' && !ask.endsWith('every'),
      )
      .filter((_, index) => index % every === 0)
      .map((levels) => ({ levels, title: describeLevels(levels, plainLevels) || 'plain' }));

    beforeAll(async () => {
      server = await startRecordingServer();
    });

    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
    });

    test.each(table)('$title', async ({ levels }) => {
      const folder = await mkdtemp(join(tmpdir(), 'typecase-bench-'));
      const file = await writeConfig(buildConfig(levels, server.url), folder);
      server.clear();
      const { code, stderr } = await callCommand([
        'run',
        file,
        '--out',
        join(folder, 'out'),
        '--json',
      ]);
      expect(endsWell(code, stderr) ? '' : stderr).toBe('');
      const sent = new Set(server.requests.flatMap(({ body }) => sentTexts(body)));
      const viewer = await startViewer({
        folders: [folder],
        configs: [file],
        host: '127.0.0.1',
        port: 0,
      });
      try {
        server.clear();
        const { page, problems } = await openPage(browser, new URL('/workbench', viewer.url));
        await settled(page);
        const isMade = (await page.locator('.live-prompt').getAttribute('data-made')) === 'page';
        const source = await page.locator('.bench-source').innerText();
        expect(isMade || /media|number of examples/.test(source)).toBe(true);
        for (const texts of await shownTexts(page)) {
          const shown = JSON.stringify(texts);
          // A text that follows an answer is not known before it.
          if (!shown.includes('⟨answer')) expect([...sent]).toContain(shown);
        }
        expect(server.requests).toEqual([]);
        await page.close();
        expect(problems).toEqual([]);
      } finally {
        await viewer.close();
        await rm(folder, { recursive: true });
      }
    });
  });

  describe('by hand', () => {
    let folder = '';
    let model: Server;
    let asked = 0;
    let viewer: Viewer;
    const rows = Array.from({ length: 24 }, (_, id) => ({
      question: `${id} + 1`,
      answer: String(id + 1),
      answers: 'none',
    }));

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'typecase-bench-'));
      // It answers in words, unless it is told to give digits.
      model = createServer((request, reply) => {
        let text = '';
        request.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        request.on('end', () => {
          asked += 1;
          const { messages } = JSON.parse(text) as { messages: { content: string }[] };
          const said = messages.map(({ content }) => content).join('\n');
          const sum = Number(/(\d+) \+ 1/.exec(said)?.[1]) + 1;
          const content = said.includes('digits') ? String(sum) : `It is ${sum}.`;
          reply.setHeader('content-type', 'application/json');
          reply.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
        });
      });
      await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
      const { port } = model.address() as AddressInfo;
      await writeFile(
        join(folder, 'sums.yaml'),
        `# Sums, for a model that talks.
models:
  - { abbr: talker, type: OpenAI, base_url: 'http://127.0.0.1:${port}/v1', model: talker }
  - { abbr: writer, type: OpenAICompletions, base_url: 'http://127.0.0.1:${port}/v1', model: writer }
datasets:
  - abbr: sums
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg:
      prompt_template: { template: "{question} = ?" } # short
      inferencer: { type: GenInferencer, max_out_len: 16 }
    eval_cfg: { evaluator: { type: exact } }
  - abbr: turns
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg:
      prompt_template:
        template:
          round:
            - { role: HUMAN, prompt: "{question}?" }
            - { role: BOT, prompt: "{answer}" }
      inferencer: { type: GenInferencer, max_out_len: 16 }
    eval_cfg: { evaluator: { type: exact } }
`,
      );
      await writeFile(
        join(folder, 'rows.jsonl'),
        rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
      );
      await mkdir(join(folder, 'runs'));
      await evaluate(await loadConfig(join(folder, 'sums.yaml')), {
        out: join(folder, 'runs/sums'),
        models: ['talker'],
      });
      viewer = await startViewer({
        folders: [join(folder, 'runs')],
        configs: [join(folder, 'sums.yaml')],
        host: '127.0.0.1',
        port: 0,
      });
    }, 60_000);

    afterAll(async () => {
      await viewer?.close();
      model?.close();
      await rm(folder, { recursive: true });
    });

    const open = (query: string) => openPage(browser, new URL(`/workbench?${query}`, viewer.url));
    const promptOf = (page: Page, side = 0) =>
      page.locator('.live-prompt').nth(side).locator('.turn pre').first().textContent();

    async function typeAtEnd(page: Page, text: string, side = 0): Promise<void> {
      await page.locator('.cm-content').nth(side).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(text);
    }

    test('the prompt follows the keys, columns are completed, mistakes are marked', async () => {
      const { page, problems } = await open('dataset=sums&model=talker&id=3');
      await settled(page);
      expect(await promptOf(page)).toBe('3 + 1 = ?');
      const before = asked;
      await typeAtEnd(page, ' In digits, {ques');
      await page.locator('.cm-tooltip-autocomplete li:has-text("question")').waitFor();
      // A list that has just come up takes no keys yet.
      await page.waitForTimeout(300);
      await page.keyboard.press('Enter');
      await expect.poll(() => promptOf(page), patient).toBe('3 + 1 = ? In digits, 3 + 1');
      await settled(page);
      expect(await page.locator('.live-prompt').getAttribute('data-made')).toBe('page');
      await page.keyboard.type(' {anwsers}');
      await page.locator('.lint .lint-warning:has-text("anwsers")').waitFor();
      expect(await page.locator('.lint .lint-warning').innerText()).toMatch(/\{answers\}/);
      await page.locator('.cm-lintRange-warning, .cm-lint-marker-warning').first().waitFor();
      await page.keyboard.press('Control+z');
      await page.reload();
      await settled(page);
      expect(await promptOf(page)).toMatch(/^3 \+ 1 = \? In digits/);
      await page.getByRole('button', { name: 'undo all' }).click();
      await expect.poll(() => promptOf(page), patient).toBe('3 + 1 = ?');
      await page.locator('h1').click();
      await page.keyboard.press('j');
      await expect.poll(() => promptOf(page), patient).toBe('4 + 1 = ?');
      expect(page.url()).toContain('id=4');
      expect(asked).toBe(before);
      await page.close();
      expect(problems).toEqual([]);
    });

    test('errors are where they are, in the text and in words', async () => {
      const { page, problems } = await open('dataset=turns&model=writer&id=0');
      await settled(page);
      await typeAtEnd(page, '\n  roundd: 1');
      await page.locator('.live-prompt [role=alert]').waitFor();
      await page.locator('.cm-lint-marker-error').waitFor();
      await page.getByRole('button', { name: 'undo all' }).click();
      await settled(page);
      await expect.poll(() => page.locator('.live-prompt [role=alert]').count(), patient).toBe(0);
      await page.close();
      expect(problems).toEqual([]);
    });

    test('two formats side by side', async () => {
      const { page, problems } = await open('dataset=turns&model=writer&id=1');
      await settled(page);
      await page.getByRole('button', { name: 'side by side' }).click();
      await settled(page, 1);
      await page.getByText('Both sides give the same prompt').waitFor();
      await page.getByLabel('Format of B').selectOption('chatml');
      await expect
        .poll(() => promptOf(page, 1), patient)
        .toBe('<|im_start|>user\n1 + 1?<|im_end|>\n<|im_start|>assistant\n');
      expect(await promptOf(page, 0)).not.toContain('im_start');
      await page.locator('.diff-ins:has-text("im_start")').first().waitFor();
      await page.close();
      expect(problems).toEqual([]);
    });

    test('a try asks the model, and shows the difference; saved answers are scored again', async () => {
      const { page, problems } = await open('run=sums&dataset=sums&model=talker&id=0');
      await settled(page);
      await page.getByLabel('Evaluator').selectOption('number');
      const before = asked;
      await page.getByRole('button', { name: 'Score by number' }).click();
      await page.locator('.rescored').waitFor();
      expect(await page.locator('.rescored').innerText()).toMatch(/exact: 0\.0 .*number: 100\.0/s);
      expect(await page.locator('.rescored').innerText()).toContain('24 of 24 rows');
      expect(asked).toBe(before);
      const kept = await readFile(join(folder, 'runs/sums/summary.json'), 'utf8');
      expect(kept).toContain('"score"');
      await typeAtEnd(page, ' Answer in digits.');
      await settled(page);
      await page.getByRole('button', { name: 'Try on 20 rows' }).click();
      await page.locator('.try-difference .compare-grid').waitFor();
      expect(await page.locator('.try-difference .compare-grid').innerText()).toMatch(
        /A\s+0\.0\s+B\s+100\.0/,
      );
      expect(await page.locator('.flip').count()).toBe(20);
      // Of the twenty rows as they are, the run has the answers, or the model was asked once each.
      expect(asked - before).toBeLessThanOrEqual(40);
      const after = asked;
      await page.getByRole('button', { name: 'Try on 20 rows' }).click();
      await page.locator('.try-state:has-text("done")').waitFor();
      await page.locator('.try-difference .compare-grid').waitFor();
      expect(asked).toBe(after);
      await page.close();
      expect(problems).toEqual([]);
    });

    test('what was edited is saved as a new file, and nothing is written over', async () => {
      const { page, problems } = await open(
        'config=&dataset=sums&model=talker&id=0'.replace('config=&', ''),
      );
      await settled(page);
      await typeAtEnd(page, ' In digits.');
      await settled(page);
      const name = page.getByLabel('Name of the new file');
      await name.fill('digits');
      await page.getByRole('button', { name: 'as config' }).click();
      await page.locator('[role=status]:has-text("Written")').waitFor();
      const text = await readFile(join(folder, 'digits.yaml'), 'utf8');
      expect(text).toContain('# Sums, for a model that talks.');
      const written = await loadConfig(join(folder, 'digits.yaml'));
      expect(written.datasets[0]?.inferCfg.promptTemplate?.config.template).toBe(
        '{question} = ? In digits.',
      );
      expect(written.datasets[1]).toEqual(
        (await loadConfig(join(folder, 'sums.yaml'))).datasets[1],
      );
      await page.getByRole('button', { name: 'as config' }).click();
      await page.locator('[role=alert]:has-text("already")').waitFor();
      await name.fill('../outside');
      await page.getByRole('button', { name: 'as template' }).click();
      await page.locator('[role=alert]:has-text("not a valid file name")').waitFor();
      await name.fill('digits template');
      await page.getByRole('button', { name: 'as template' }).click();
      await page.locator('[role=status]:has-text("digits template.yaml")').waitFor();
      const { code, stdout } = await callCommand([
        'list',
        'templates',
        join(folder, 'digits template.yaml'),
      ]);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('0 + 1 = ? In digits.'),
      });
      expect((await readdir(folder)).filter((one) => one.includes('draft'))).toEqual([]);
      await page.close();
      // What is refused is an answer of the server.
      expect(problems.filter((one) => !/40[09]|400/.test(one))).toEqual([]);
    });
  });
});
