import { countOf, formatCount } from '../../../base/format.ts';
import { escapeMarkup } from '../../../report/escape-markup.ts';
import type { StudySamples } from './collect-samples.ts';
import { describePrefixes, layerTable } from './render-study.ts';
import type { StudyResult } from './run-study.ts';
import { sweepSvg } from './sweep-svg.ts';
import { pairOf } from './write-logs.ts';

const shownPairs = 100;

/** Studies as one page that stands alone. */
export function studyHtml(
  studies: readonly { readonly result: StudyResult; readonly samples: StudySamples }[],
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Cache study</title>
<style>
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d0d7de; --paper: #fff; --wrong: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --paper: #0d1117; --wrong: #ff7b72; } }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; } p { color: var(--soft); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .pairs :is(th, td) { text-align: left; overflow-wrap: anywhere; }
.different { color: var(--wrong); } svg { width: 100%; max-width: 44rem; margin-top: 1.5rem; }
</style>
</head>
<body>
<h1>Cache study</h1>
${studies.map(studySection).join('\n')}
</body>
</html>
`;
}

function studySection({
  result,
  samples,
}: {
  readonly result: StudyResult;
  readonly samples: StudySamples;
}): string {
  const { settings, counts, distinct, encoder, sweep } = result;
  const [head = [], ...rows] = layerTable(result);
  const facts = `${countOf(counts.samples, 'sample')}, ${formatCount(distinct)} different chunk texts (${settings.chunk_source}), encoder ${encoder}.`;
  return `<section>
<h2>${escapeMarkup(settings.name ?? settings.dataset)}</h2>
<p>${escapeMarkup(facts)}</p>
<div class="wide"><table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table></div>
${sweep.length === 0 ? '' : sweepSvg(result)}
<p>${escapeMarkup(describePrefixes(result))}</p>
${pairTable(result, samples)}
</section>`;
}

function pairTable({ steps, counts }: StudyResult, samples: StudySamples): string {
  if (counts.hits === 0) return '';
  const hits = steps.filter(({ source }) => source !== null).slice(0, shownPairs);
  const rows = hits.map((step) => {
    const pair = pairOf(step, samples);
    const cells = [pair.id, pair.from, pair.source ?? '', (pair.score ?? 0).toFixed(3)];
    const isDifferent = pair.same_answer === false ? ' class="different"' : '';
    const answers = [pair.answer, pair.reused_answer].map(
      (text) => `<td${isDifferent}>${escapeMarkup(text)}</td>`,
    );
    return `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}${answers.join('')}</tr>`;
  });
  const titles = ['sample', 'reuses', 'layer', 'similarity', 'answer', 'reused answer'];
  return `<p>The first ${rows.length} of ${countOf(counts.hits, 'hit')}.</p>
<div class="wide"><table class="pairs">${row(titles, 'th')}${rows.join('')}</table></div>`;
}

function row(cells: readonly string[], tag: 'th' | 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escapeMarkup(cell)}</${tag}>`).join('')}</tr>`;
}
