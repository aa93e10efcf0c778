import { expect, test } from 'vitest';
import { compareHtml } from './compare-html.ts';
import { compareMarkdown } from './compare-markdown.ts';
import { describeFlip } from './describe-flip.ts';
import { sampleComparison, sampleTask } from './sample-comparison.ts';

const diffWords = (left: string, right: string) => [
  { type: 'removed' as const, text: left },
  { type: 'added' as const, text: right },
];
const page = (change: Parameters<typeof sampleComparison>[0] = {}) =>
  compareHtml(sampleComparison(change), { version: '0.1.0', diffWords });

test('the page stands alone, and what comes from a run is text', () => {
  const html = page({ warnings: ['<script>alert(1)</script>'] });
  expect(html).not.toContain('<script');
  expect(html).not.toMatch(/https?:/);
  expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'");
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain('<pre><del>It is &lt;3&gt;.</del></pre>');
  expect(html).toContain('<pre><ins>It is &lt;2&gt;.</ins></pre>');
});

test('the page says what differs, how sure it is, and which rows changed', () => {
  const html = page();
  for (const text of [
    '<b>different</b> in 502 of 502 rows',
    '<code>template</code> <del>{q} =</del> → <ins>Sum: {q} =</ins>',
    '<td class="number value better">+3.1</td>',
    '<td class="interval">[+1.0, +5.2]</td>',
    'B is better by 3.1 points',
    '2 unscored in A (no answer found): rows 3, 9',
    'Changed rows: 1 of 31',
    'row 17 · right only in B · gold 2',
  ]) {
    expect(html).toContain(text);
  }
});

test('the plot puts B on the right, whatever the direction of the metric', () => {
  const bars = (direction: 'higher' | 'lower') => {
    const scale = { metric: 'x', direction, isShare: true };
    return page({ tasks: [sampleTask({ scale })] }).match(/--low:[^"]*/)?.[0];
  };
  expect(bars('higher')).toBe('--low:59.615;--high:100;--value:79.808');
  expect(bars('lower')).toBe('--low:0;--high:40.385;--value:20.192');
});

test('prompts that cannot be made anew, texts that are the same, tasks without a result', () => {
  const [flip] = sampleTask().flips.shown;
  if (!flip) throw new Error('no flip');
  const same = { ...flip, b: { ...flip.b, answer: flip.a.answer }, noPrompt: 'A: no <config>' };
  const tasks = [
    sampleTask({ flips: { total: 1, shown: [same] } }),
    sampleTask({
      name: 'empty',
      result: undefined,
      leftOut: [],
      verdict: { type: 'nothing', text: 'No row is scored on both sides.' },
      flips: { total: 0, shown: [] },
    }),
  ];
  const html = page({ tasks });
  expect(html).toContain('Prompt not shown. A: no &lt;config&gt;.');
  expect(html).toContain('Answer, the same');
  expect(html).toContain('<td colspan="7">No row is scored on both sides.</td>');
  expect(html).toContain('by Holm’s method');
  const markdown = compareMarkdown(sampleComparison({ tasks }));
  expect(markdown).toContain('| empty | – | – | – | – | – | – | 0 |');
});

test('Markdown', () => {
  expect(compareMarkdown(sampleComparison())).toBe(`## runs/short against runs/long

- A: runs/short (m)
- B: runs/long (m)
- prompts: **different** in 502 of 502 rows
- model: the same
- settings: **different**: template: {q} = → Sum: {q} =
- ⚠️ A (runs/short) lacks 2 rows; the rows reached count, which are no random part.

| task | A | B | B − A | 95 % interval | p | rows |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| sums | 83.2 | 86.3 | +3.1 | \\[+1.0, +5.2\\] | 0.004 | 500 |

**B is better by 3.1 points, 95 % interval 1.0 to 5.2.**

- McNemar's exact test: p = 0.004 (mid-p 0.003); 23 right only in B, 8 only in A, 408 in both, 61 in neither.
- To be found 8 times in 10, a difference of 3.1 points takes 530 rows; 500 rows can show 3.2 points.
- Pairs need a score on both sides. Left out: 2 unscored in A (no answer found): rows 3, 9.

#### row 17 · right only in B · gold 2

A:

\`\`\`
It is <3>.
\`\`\`

B:

\`\`\`
It is <2>.
\`\`\`
`);
});

test('a fence in an answer does not end the block', () => {
  const side = { id: 1, score: 0, answer: '````\ncode\n````' };
  const flips = { total: 1, shown: [{ a: side, b: { ...side, score: 1 } }] };
  const markdown = compareMarkdown(sampleComparison({ tasks: [sampleTask({ flips })] }));
  expect(markdown).toContain('`````\n````\ncode\n````\n`````');
});

test.each([
  [0, 1, 'row 1, in B 2 · right only in B'],
  [1, 0, 'row 1, in B 2 · right only in A'],
  [0.25, 0.5, 'row 1, in B 2 · 25.0 in A, 50.0 in B'],
])('%d → %d', (a, b, text) => {
  const { scale } = sampleTask();
  const flip = { a: { id: 1, score: a, answer: '' }, b: { id: 2, score: b, answer: '' } };
  expect(describeFlip(flip, scale)).toBe(text);
});
