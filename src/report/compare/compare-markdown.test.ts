import { expect, test } from 'vitest';
import { compareMarkdown } from './compare-markdown.ts';
import { describeFlip } from './describe-flip.ts';
import { sampleComparison, sampleTask } from './sample-comparison.ts';

test('a task without a result is a line of its own', () => {
  const empty = sampleTask({
    name: 'empty',
    result: undefined,
    leftOut: [],
    verdict: { type: 'nothing', text: 'No row is scored on both sides.' },
    flips: { total: 0, shown: [] },
  });
  const markdown = compareMarkdown(sampleComparison({ tasks: [sampleTask(), empty] }));
  expect(markdown).toContain('| empty | – | – | – | – | – | – | 0 |');
});

test('Markdown', () => {
  expect(compareMarkdown(sampleComparison())).toBe(`## runs/short vs runs/long

- A: runs/short (m)
- B: runs/long (m)
- prompts: **different** in 502 of 502 rows
- model: same
- settings: **different**: template: {q} = → Sum: {q} =
- ⚠️ A (runs/short) lacks 2 rows; only the rows reached count, and they are not a random sample.

| task | A | B | B − A | 95% interval | p | rows |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| sums | 83.2 | 86.3 | +3.1 | \\[+1.0, +5.2\\] | 0.004 | 500 |

**B is better by 3.1 points, 95% interval \\[1.0, 5.2\\].**

- McNemar's exact test: p = 0.004 (mid-p 0.003); 23 right only in B, 8 only in A, 408 in both, 61 in neither.
- With 80% power: detecting 3.1 points needs 530 rows; 500 rows can detect 3.2 points.
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
