import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../../src/run/store/open-run.ts';
import { cli } from '../build-cli.ts';
import { runCli } from '../run-cli.ts';
import { browserPath, launch } from './browser.ts';
import { longLength, startViewerRuns, type ViewerRuns } from './viewer-runs.ts';

/** Machines that run tests may be busy. */
const patient = { timeout: 20_000 };
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.skipIf(browserPath === undefined)('the pages of the viewer', { timeout: 150_000 }, () => {
  let viewer: ViewerRuns;
  let browser: Browser;

  beforeAll(async () => {
    [viewer, browser] = await Promise.all([startViewerRuns(), launch()]);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await viewer?.close();
  });

  /** A page that may not ask anybody else, nor fail. */
  async function open(
    path: string,
    {
      width = 1280,
      colorScheme = 'light',
    }: { width?: number; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    page.setDefaultTimeout(30_000);
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('dialog', (dialog) => problems.push(`dialog ${dialog.message()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(viewer.url)) problems.push(request.url());
    });
    await page.goto(`${viewer.url}${path}`);
    return { page, problems };
  }

  async function chipsOf(page: Page): Promise<string[]> {
    const texts = await page.locator('.chip').allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, ' '));
  }

  /** Waits until all of the log and the data is read. */
  async function settled(page: Page): Promise<void> {
    await page.locator('.list-note').waitFor();
    await expect.poll(() => page.locator('.list-note').innerText(), patient).not.toMatch(/reading/);
  }

  /** The verdicts of the rows side by side. */
  function cellsOf(page: Page): Promise<string[][]> {
    return page
      .locator('.row.matrix')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('.matrix-cell .sr')].map((cell) =>
            (cell.textContent ?? '').replace(/:\s*$/, ''),
          ),
        ),
      );
  }

  const evaluation = (dataset: string) => encodeURIComponent(`["recorded","${dataset}"]`);

  test('a run opens on its failures, with true counts', async () => {
    const { page, problems } = await open('/');
    await page.getByRole('link', { name: 'exact', exact: true }).click();
    await page.locator('.row .badge').first().waitFor();
    const run = await openRun(join(viewer.folder, 'runs/exact'));
    const ends = { right: 0, wrong: 0, unscored: 0 };
    for await (const { outcome, score } of run.rows({ dataset: 'sums' })) {
      if (outcome === 'unscored') ends.unscored += 1;
      else ends[score === 1 ? 'right' : 'wrong'] += 1;
    }
    expect(ends.wrong).toBeGreaterThan(15);
    const all = ends.right + ends.wrong + ends.unscored;
    await settled(page);
    const chips = await chipsOf(page);
    expect(chips).toContain(`not right ${all - ends.right}`);
    expect(chips).toContain(`right ${ends.right}`);
    expect(chips).toContain(`all ${all}`);
    expect(await page.locator('.chip[aria-pressed=true]').innerText()).toMatch(/^not right/);
    expect(await page.locator('.row .badge').allInnerTexts()).not.toContain('right');
    await page.close();
    expect(problems).toEqual([]);
  });

  test('rows are searched, sorted, and opened by keys; every state has an address', async () => {
    const { page, problems } = await open(`/run?run=exact&e=${evaluation('sums')}&show=all`);
    await page.locator('.row .badge').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('12 + 13');
    await page.getByText('1 row').first().waitFor();
    expect(await page.locator('.row .id').allInnerTexts()).toEqual(['#12']);
    expect(page.url()).toContain('q=12');
    await page.reload();
    await page.getByText('1 row').first().waitFor();
    await page.locator('#find-row').fill('');
    await page.getByText('70 rows').waitFor();
    await page.getByRole('button', { name: 'length' }).click();
    await page.locator('.row:has-text("characters: open the row")').waitFor();
    expect(await page.locator('.row .id').first().innerText()).toBe('#69');
    await page.getByRole('button', { name: /^row/ }).click();
    await page.locator('.row .id:has-text("#0")').waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '#1 sums' }).waitFor();
    await page.locator('.row-page >> text=2 of 70').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: '#2 sums' }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: '#0 sums' }).waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  test('a row shows its prompt with origins, the answer, the rule; notes are kept', async () => {
    const { page, problems } = await open('/row?run=exact&model=recorded&dataset=sums&id=6');
    await page.locator('.turn pre .span').first().waitFor();
    expect((await page.locator('.turn pre').innerText()).trim()).toBe('6 + 7?\nAnswer:');
    await page.locator('.span.o-field').first().hover();
    await page.getByRole('tooltip').waitFor();
    expect(await page.getByRole('tooltip').innerText()).toMatch(
      /column question .* exact\.yaml:\d+/,
    );
    await page.keyboard.press('w');
    expect(await page.locator('.turn pre').innerText()).toContain('6·+·7?⏎');
    expect(page.url()).toContain('space=1');
    await page.locator('.turn pre').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.span.is-here').count()).toBe(1);
    expect(await page.getByRole('tooltip').innerText()).toContain('column question');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tooltip').innerText()).toContain('written in the template');
    expect(await page.locator('.why').innerText()).toMatch(
      /rule exact.*the answer is wrong.*looser reading/s,
    );
    await page.keyboard.press('g');
    await page.locator('.grade [aria-pressed=true]').waitFor();
    await page.getByRole('textbox', { name: 'Note' }).fill('right, in words');
    await page.locator('h1').click();
    await page.getByText('Saved in notes.jsonl').waitFor();
    await expect
      .poll(() => readFile(join(viewer.folder, 'runs/exact/notes.jsonl'), 'utf8'), patient)
      .toMatch(/"note":"right, in words","grade":"right"/);
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue(), patient)
      .toBe('right, in words');
    const agreement = await (await fetch(`${viewer.url}/api/notes?run=exact`)).json();
    expect(agreement).toMatchObject({ graded: 1, rows: 1, onlyHuman: 1 });
    await page.goto(`${viewer.url}/run?run=exact`);
    await page.getByText('1 row graded by people · 0 as scored').waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  test('failures are grouped by the checks that failed, with true counts and an address', async () => {
    const config = `models: [{ abbr: recorded, type: Replay, path: answers.jsonl }]
datasets:
  - abbr: checked
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer, test_range: '[:60]' }
    infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { type: GenInferencer } }
    eval_cfg:
      evaluator:
        - { type: contains, name: 'holds the sum' }
        - { type: regex, value: '^[0-9]+$', name: 'a number alone' }
        - { type: not-equals, value: '1', name: 'not 1' }
`;
    await writeFile(join(viewer.folder, 'checked.yaml'), config);
    const { code, stderr } = await runCli(['run', 'checked.yaml'], { cwd: viewer.folder });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const counts = new Map<string, number>();
    const run = await openRun(join(viewer.folder, 'runs/checked'));
    for await (const { checks = [] } of run.rows({ dataset: 'checked' })) {
      for (const { name, passed } of checks) {
        if (!passed) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    expect([...counts.keys()].sort()).toEqual(['a number alone', 'holds the sum', 'not 1']);
    const { page, problems } = await open('/run?run=checked');
    await settled(page);
    const groups = async () => {
      const texts = await page.locator('.reasons button').allInnerTexts();
      return texts.map((text) => text.replace(/\s+/g, ' ').trim());
    };
    const wanted = [...counts].sort(([, left], [, right]) => right - left);
    expect(await groups()).toEqual(wanted.map(([name, rows]) => `${rows} ${name}`));
    for (const [name, rows] of wanted) {
      await page.locator('.reasons button', { hasText: name }).click();
      await page.locator('.reasons button[aria-pressed=true]', { hasText: name }).waitFor();
      expect(new URL(page.url()).searchParams.get('check')).toBe(name);
      await page.reload();
      await settled(page);
      expect(await page.locator('.list-note').innerText()).toMatch(new RegExp(`^${rows} rows?\\b`));
    }
    await page.locator('.row a').first().click();
    await page.locator('.checks li').first().waitFor();
    expect(page.url()).toContain('check=not+1');
    await page.locator('.row-page >> text=1 of 1').waitFor();
    await page.keyboard.press('g');
    await page.locator('.grade [aria-pressed=true]').waitFor();
    await page.goto(`${viewer.url}/run?run=checked`);
    await page
      .getByText('1 row graded by people · 0 as scored · 1 scored neither right nor wrong')
      .waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  test('the command that is copied shows the prompt of the row', async () => {
    const { page, problems } = await open('/row?run=number&model=recorded&dataset=sums&id=67');
    await page.locator('.turn pre .span').first().waitFor();
    const prompt = await page.locator('.turn pre').evaluate((element) => element.textContent);
    await page.evaluate(() => {
      const told = globalThis as unknown as { copied?: string };
      navigator.clipboard.writeText = async (text) => {
        told.copied = text;
      };
    });
    await page.locator('summary', { hasText: 'copy' }).click();
    await page.getByRole('button', { name: 'typecase view' }).click();
    await page.getByRole('button', { name: 'copied' }).waitFor();
    const copied = await page.evaluate(() => (globalThis as { copied?: string }).copied);
    expect(copied).toBe(
      'typecase view number.yaml --model recorded --dataset sums --row 67 --run runs/number',
    );
    const typecase = `typecase() { '${process.execPath}' '${cli}' "$@"; }`;
    const { stdout } = await promisify(execFile)('sh', ['-c', `${typecase}; ${copied} --json`], {
      cwd: viewer.folder,
    });
    const {
      views: [view],
    } = JSON.parse(stdout);
    expect(view.prompts[0].prompt.messages).toEqual([{ role: 'user', content: prompt }]);
    await page.close();
    expect(problems).toEqual([]);
  });

  test('a row shows where the answer was found, and leads on without a list', async () => {
    const { page, problems } = await open('/row?run=number&model=recorded&dataset=sums&id=6');
    expect(await page.locator('mark').innerText()).toBe('13');
    await page.getByText('7 of 70 in the list').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: '#7 sums' }).waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  test('long texts come in pieces, and as a file', async () => {
    const { page, problems } = await open('/row?run=exact&model=recorded&dataset=sums&id=69');
    const more = page.getByRole('button', { name: 'show more' }).first();
    await more.waitFor();
    await page.getByText('40,000 of 10,000,001 characters').first().waitFor();
    await more.click();
    await page.getByText('80,000 of 10,000,001 characters').first().waitFor();
    const href = await page.getByRole('link', { name: 'download' }).first().getAttribute('href');
    const file = await (await fetch(`${viewer.url}${href}`)).text();
    expect(file.length).toBe(longLength);
    await page.close();
    expect(problems).toEqual([]);
  });

  test('evaluations stand side by side', async () => {
    const { page, problems } = await open(
      `/run?run=exact&e=${evaluation('sums')}&e=${evaluation('sums-verbose')}`,
    );
    await page.locator('.row.matrix').first().waitFor();
    await settled(page);
    const texts = await chipsOf(page);
    expect(texts).toContain('all 70');
    await page.locator('.chip:has-text("only B right")').click();
    await page.getByRole('link', { name: '#6 ✎' }).waitFor();
    const shown = await page.locator('.row.matrix').allInnerTexts();
    expect(texts).toContain(`only B right ${shown.length}`);
    await page.close();
    expect(problems).toEqual([]);
  });

  test('data and answers are text, never markup', async () => {
    const { page, problems } = await open(
      `/run?run=exact&e=${evaluation('sums')}&q=hacked&show=all`,
    );
    await page.locator('.row .text:has-text("onerror")').waitFor();
    for (let id = 60; id < 69; id++) {
      await page.goto(`${viewer.url}/row?run=exact&model=recorded&dataset=sums&id=${id}`);
      await page.locator('.turn pre .span').first().waitFor();
    }
    await page.goto(`${viewer.url}/row?run=pictures&model=eyes&dataset=pictures&id=0`);
    await page.locator('img.media').waitFor();
    await expect
      .poll(
        () =>
          page.locator('img.media').evaluate((image) => (image as HTMLImageElement).naturalWidth),
        patient,
      )
      .toBe(1);
    await page.goto(`${viewer.url}/row?run=pictures&model=eyes&dataset=pictures&id=1`);
    await page.locator('img.media').waitFor();
    await expect
      .poll(
        () =>
          page.locator('img.media').evaluate((image) => (image as HTMLImageElement).naturalWidth),
        patient,
      )
      .toBe(8);
    await page.waitForTimeout(300);
    expect(await page.locator('main :is(iframe, svg, script, object)').count()).toBe(0);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await page.close();
    expect(problems).toEqual([]);
  });

  test('a sweep says what to use, and leads to its rows', async () => {
    const { page, problems } = await open('/sweep?run=sweep');
    await page.locator('.heat td').first().waitFor();
    expect(await page.locator('.heat td').count()).toBe(4);
    expect(await page.locator('.ranks polyline').count()).toBe(2);
    expect(await page.getByRole('img', { name: /0-shot: .*; 1-shot: / }).count()).toBe(1);
    const change = page.getByRole('link', { name: /change with the template/ });
    const [changing = ''] = /\d+/.exec(await change.innerText()) ?? [];
    // Tall enough for all rows to be drawn.
    await page.setViewportSize({ width: 1280, height: 2400 });
    await change.click();
    await page.locator('.row.matrix').first().waitFor();
    expect(await page.locator('.matrix-head .headline').count()).toBe(4);
    await settled(page);
    expect(await chipsOf(page)).toContain(`changed with the template ${changing}`);
    const cells = await cellsOf(page);
    // Cells stand as arrow 0, arrow 1, given 0, given 1: rows that shots alone changed are not here.
    expect(cells).toHaveLength(Number(changing));
    for (const [a0, a1, g0, g1] of cells) expect([a0 !== g0, a1 !== g1]).toContain(true);
    await page.locator('.chip:has-text("all"):not(:has-text("right"))').click();
    await expect.poll(() => page.locator('.row.matrix').count(), patient).toBe(24);
    const all = await cellsOf(page);
    const differing = all.filter((row) => new Set(row).size > 1).length;
    expect(differing).toBeGreaterThan(Number(changing));
    const alone = [0, 1, 2, 3].map(
      (place) =>
        all.filter(
          (row) => row.filter((one) => one === 'right').length === 1 && row[place] === 'right',
        ).length,
    );
    const onlyChips = (await chipsOf(page)).filter((text) => text.startsWith('only'));
    const wanted = alone.flatMap((rows, place) =>
      rows > 0 ? `only ${'ABCD'[place]} right ${rows}` : [],
    );
    expect(onlyChips).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(0);
    await page.locator(`.chip:has-text("${wanted.at(-1)?.replace(/ \d+$/, '')}")`).click();
    await expect
      .poll(() => page.locator('.row.matrix').count(), patient)
      .toBe(alone.findLast((rows) => rows > 0));
    await page
      .getByRole('button', { name: 'Compare latent-operation.arrow.0-shot with another' })
      .click();
    await page
      .getByRole('button', { name: 'Compare latent-operation.given.1-shot with another' })
      .click();
    await expect.poll(() => page.locator('.matrix-head .headline').count(), patient).toBe(2);
    await settled(page);
    const texts = await chipsOf(page);
    await page.locator('.chip:has-text("only A right")').click();
    await page.locator('.chip[aria-pressed=true]:has-text("only A right")').waitFor();
    const [, first = ''] = /only A right (\d+)/.exec(texts.join('\n')) ?? [];
    await expect.poll(() => page.locator('.row.matrix').count(), patient).toBe(Number(first));
    await page.close();
    expect(problems).toEqual([]);
  });

  test('two runs are compared: the verdict first, then the rows that changed', async () => {
    const { page, problems } = await open('/?pick=exact');
    await page.getByLabel('Pick number to compare').click();
    expect(page.url()).toMatch(/pick=exact&pick=number/);
    await page.getByRole('link', { name: 'Compare the two' }).click();
    await page.locator('.flip').first().waitFor();
    const sums = page.locator('.compare-task').first();
    const [all = 0, inB = 0, inA = 0] = (await sums.locator('.chip b').allInnerTexts()).map(Number);
    expect(all).toBe(inA + inB);
    await sums.getByRole('button', { name: /better in B/ }).click();
    expect(page.url()).toContain('side=b');
    expect(await sums.locator('.flip').count()).toBe(inB);
    expect(await sums.locator('.flip').first().innerText()).toMatch(/better in\s+B/);
    const leftOut = sums.locator('.left-out');
    expect(await leftOut.locator('h3').innerText()).toMatch(/^\d+ rows? not compared/i);
    expect(await leftOut.innerText()).toMatch(/unscored in (?:A|B)/);
    expect(await leftOut.evaluate((block) => getComputedStyle(block).borderLeftStyle)).toBe(
      'solid',
    );
    expect(
      await leftOut.getByRole('link', { name: 'B', exact: true }).first().getAttribute('href'),
    ).toContain('/row?run=number');
    await page.locator('.flip > summary').first().click();
    await page.locator('.diff-ins').first().waitFor();
    await page.getByRole('link', { name: 'row in A' }).click();
    await page.locator('.turn pre .span').first().waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  test('runs that share no task are compared by a pick of each', async () => {
    const { page } = await open('/compare?a=pictures&b=sweep');
    await page.getByText('no task in common').waitFor();
    for (const [side, place] of [
      ['A', 1],
      ['B', 2],
    ] as const) {
      const picks = page.getByLabel(`Evaluation of ${side}`);
      await expect.poll(() => picks.locator('option').count(), patient).toBeGreaterThan(1);
      await picks.selectOption({ index: place });
    }
    await page
      .getByText(/different data|no row|not the same data|same rows/i)
      .first()
      .waitFor();
    await page.goto(
      `${viewer.url}/compare?a=exact&b=exact&ea=${evaluation('sums')}&eb=${evaluation('sums-verbose')}`,
    );
    await page.locator('.flip').first().waitFor();
    expect(await page.locator('h1').innerText()).toMatch(/B|difference/);
    await page.close();
  });

  test('the list names what scores are of, and the workbench opens by itself', async () => {
    const { page, problems } = await open('/');
    await page.locator('.runs > li').first().waitFor();
    const lines = await page.locator('.run-score').allInnerTexts();
    expect(lines.every((line) => /accuracy|checks/.test(line))).toBe(true);
    await page.getByRole('link', { name: 'Workbench' }).click();
    await page.waitForURL(/run=/);
    await page.locator('.cm-content').waitFor();
    await page.goto(
      `${viewer.url}/run?run=exact&e=${evaluation('sums')}&e=${evaluation('sums-verbose')}`,
    );
    await page.locator('.row.matrix').first().waitFor();
    expect(await page.locator('h1').innerText()).toBe('sums, sums-verbose side by side');
    await page.close();
    expect(problems).toEqual([]);
  });

  const addresses = [
    '/',
    `/run?run=exact&e=${evaluation('sums')}`,
    `/run?run=exact&e=${evaluation('sums')}&e=${evaluation('sums-verbose')}`,
    '/row?run=exact&model=recorded&dataset=sums&id=67',
    '/sweep?run=sweep',
    '/compare?a=exact&b=number',
    '/workbench?run=exact&dataset=sums&model=recorded&id=6',
  ];

  test.each(['light', 'dark'] as const)(
    'nothing serious for screen readers, %s',
    async (colorScheme) => {
      for (const address of addresses) {
        const { page } = await open(address, { colorScheme });
        await page.waitForLoadState('networkidle');
        await page.evaluate(await readFile(axe, 'utf8'));
        const found = await page.evaluate(async () => {
          const { violations } = await (
            globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
          ).axe.run();
          interface Violation {
            id: string;
            impact: string;
            nodes: { html: string; failureSummary: string }[];
          }
          return violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
        });
        expect({ address, found }).toEqual({ address, found: [] });
        await page.close();
      }
    },
  );

  test.each([390, 1280, 2560])('pages fit into %i pixels', async (width) => {
    for (const address of addresses) {
      const { page } = await open(address, { width });
      await page.waitForLoadState('networkidle');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect({ address, wide }).toEqual({ address, wide: width });
      await page.close();
    }
  });
});
