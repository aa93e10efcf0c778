import { countOf, formatCount } from '../../../base/format.ts';
import { type Html, type HtmlPart, html, htmlLines, page, raw } from '../../../report/page.ts';
import type { StudySamples } from './collect-samples.ts';
import { gridSvgs } from './grid-svg.ts';
import { prefixSection } from './prefix-html.ts';
import { describeAdvice, layerTable } from './render-study.ts';
import type { StudyResult } from './run-study.ts';
import { studyStyle } from './study-style.ts';
import { sweepSvg } from './sweep-svg.ts';
import { pairOf } from './write-logs.ts';

const shownPairs = 100;

/** Studies as one page that stands alone. */
export function studyHtml(
  studies: readonly { readonly result: StudyResult; readonly samples: StudySamples }[],
): string {
  const body = html`<h1>Cache study</h1>
${htmlLines(studies.map(studySection))}`;
  return page({ title: 'Cache study', style: studyStyle, body });
}

function studySection({
  result,
  samples,
}: {
  readonly result: StudyResult;
  readonly samples: StudySamples;
}): Html {
  const { settings, counts, distinct, encoder, sweep } = result;
  const [head = [], ...rows] = layerTable(result);
  const facts = `${countOf(counts.samples, 'sample')}, ${formatCount(distinct)} different chunk texts (${settings.chunk_source}), encoder ${encoder}.`;
  return html`<section>
<h2>${settings.name ?? settings.dataset}</h2>
<p>${facts}</p>
<div class="wide"><table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td'))}</table></div>
${sweep.length > 0 && sweepSvg(result)}
${result.advice && html`<p class="advice">${describeAdvice(result.advice)}</p>`}
${result.grid && html`<div class="grids">${gridSvgs(result.grid).map(({ caption, tone, svg }) => html`<figure class="${tone}"><figcaption>${caption}</figcaption>${svg}</figure>`)}</div>`}
${prefixSection(result.prefixes)}
${pairTable(result, samples)}
</section>`;
}

function pairTable({ steps, counts }: StudyResult, samples: StudySamples): HtmlPart {
  if (counts.hits === 0) return undefined;
  const hits = steps.filter(({ source }) => source !== null).slice(0, shownPairs);
  const rows = hits.map((step) => {
    const pair = pairOf(step, samples);
    const cells = [pair.id, pair.from, pair.source ?? '', (pair.score ?? 0).toFixed(3)];
    const tone = pair.same_answer === false && html` class="different"`;
    const answers = [pair.answer, pair.reused_answer].map((text) => html`<td${tone}>${text}</td>`);
    return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}${answers}</tr>`;
  });
  const titles = ['sample', 'reuses', 'layer', 'similarity', 'answer', 'reused answer'];
  return html`<p>The first ${rows.length} of ${countOf(counts.hits, 'hit')}.</p>
<div class="wide"><table class="pairs">${row(titles, 'th')}${rows}</table></div>`;
}

function row(cells: readonly string[], tag: 'th' | 'td'): Html {
  return html`<tr>${cells.map((cell) => html`<${raw(tag)}>${cell}</${raw(tag)}>`)}</tr>`;
}
