import { countOf, formatCount } from '../../../base/format.ts';
import type { StudyBlock, StudyPage } from '../../../report/snapshot/study-page.ts';
import type { StudySamples } from './collect-samples.ts';
import { gridFigures } from './grid-svg.ts';
import { prefixBlocks, tableOf } from './prefix-blocks.ts';
import { describeAdvice, layerTable, percent, wrongText } from './render-study.ts';
import type { StudyResult } from './run-study.ts';
import { sweepSvg } from './sweep-svg.ts';
import { pairOf } from './write-logs.ts';

const shownPairs = 100;

/** Studies as a page shows them. */
export function studyPage(
  studies: readonly { readonly result: StudyResult; readonly samples: StudySamples }[],
): StudyPage {
  return {
    title: 'Cache study',
    sections: studies.map(({ result, samples }) => ({
      title: result.settings.name ?? result.settings.dataset,
      blocks: [
        { type: 'text', text: factsOf(result) },
        tableOf(layerTable(result)),
        ...sweepBlocks(result),
        ...(result.advice
          ? [{ type: 'advice' as const, text: describeAdvice(result.advice) }]
          : []),
        ...(result.grid ? [{ type: 'figures' as const, figures: gridFigures(result.grid) }] : []),
        ...prefixBlocks(result.prefixes),
        ...pairBlocks(result, samples),
      ],
    })),
  };
}

function factsOf({ settings, counts, distinct, encoder }: StudyResult): string {
  return `${countOf(counts.samples, 'sample')}, ${formatCount(distinct)} different chunk texts (${settings.chunk_source}), encoder ${encoder}.`;
}

/** Hits at each threshold, drawn and in figures. */
function sweepBlocks(result: StudyResult): StudyBlock[] {
  const { sweep } = result;
  if (sweep.length === 0) return [];
  const caption = 'Hits, of samples, by threshold: what was right, wrong and not judged';
  const rows = sweep.map((point) => [
    String(point.threshold),
    percent(point.hits, point.samples),
    percent(point.hits - point.judged, point.samples),
    wrongText(point),
  ]);
  return [
    { type: 'figures', figures: [{ caption, svg: sweepSvg(result).toString() }] },
    tableOf([['threshold', 'hits', 'not judged', 'wrong, of judged hits'], ...rows]),
  ];
}

function pairBlocks({ steps, counts }: StudyResult, samples: StudySamples): StudyBlock[] {
  if (counts.hits === 0) return [];
  const hits = steps.filter(({ source }) => source !== null).slice(0, shownPairs);
  const pairs = hits.map((step) => pairOf(step, samples));
  return [
    { type: 'text', text: `The first ${pairs.length} of ${countOf(counts.hits, 'hit')}.` },
    {
      type: 'table',
      isText: true,
      head: ['sample', 'reuses', 'layer', 'similarity', 'answer', 'reused answer'],
      rows: pairs.map((pair) => [
        pair.id,
        pair.from,
        pair.source ?? '',
        (pair.score ?? 0).toFixed(3),
        pair.answer,
        pair.reused_answer,
      ]),
      marked: pairs.flatMap((pair, index) => (pair.same_answer === false ? [index] : [])),
    },
  ];
}
