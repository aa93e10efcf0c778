import { toPython } from '../../python/convert.ts';
import { pyStr } from '../../python/repr.ts';
import { stripText } from '../../python/text.ts';
import type { PyValue } from '../../python/values.ts';
import { buildScorer, type CompileOptions, type ScorerConfig } from '../../score/build-scorer.ts';
import {
  buildComponent,
  type Components,
  type LocatedComponent,
  locateAll,
  optionColumns,
} from '../../score/component/component.ts';
import { runChain } from '../../score/extract/extractor.ts';
import { withoutThoughts } from '../../score/extract/opencompass-postprocess.ts';
import { buildExtractors } from '../../score/extract/postprocessors.ts';
import { openScorer } from '../../score/open-scorer.ts';
import { noGold, unscored, unusableGold } from '../../score/row-score.ts';
import type { ScoreInput, Scorer } from '../../score/scorer.ts';
import { loadSegmenter } from '../../score/segment/segmenter.ts';
import type { Compat } from '../compat.ts';
import { openCascade } from './cascade-scorer.ts';
import type { Cleaner } from './cleaners/cleaner.ts';
import { compatExtractors } from './compat-extractors.ts';
import type { Judged } from './judges/row-judge.ts';
import { refilledJudge } from './refill-columns.ts';
import { cleanerNamed, rowJudges } from './registry.ts';

/**
 * The scorer of OpenCompass or AISBench for the evaluators that are theirs; our own for others.
 * Every answer counts as they count it: an empty one is wrong, not unscored.
 */
export async function openCompatScorer(
  config: ScorerConfig,
  { compat, ...options }: CompileOptions & { readonly compat: Compat },
): Promise<Scorer> {
  const path = [...(options.source ?? []), 'eval_cfg'];
  const evaluator = { component: config.evaluator, path: [...path, 'evaluator'] };
  const { type } = config.evaluator;
  await loadWords([config.predPostprocessor, config.datasetPostprocessor]);
  if (type === 'CascadeEvaluator') {
    return openCascade(config, evaluator.path, (part) =>
      openCompatScorer(part, { compat, ...options }),
    );
  }
  if (type === 'MATHVerifyEvaluator') {
    return openMath({ ...config, evaluator: { ...config.evaluator, type: 'math' } }, options);
  }
  const judgeOptions = { ...options, asOriginal: true, postprocessors: compatExtractors };
  if (/^(?:LM|GenericLLM)Evaluator$/.test(type)) {
    const { readsReplies, replyJudges } = await import('./replies/reply-judge.ts');
    if (readsReplies(config.evaluator)) return buildScorer(config, replyJudges, judgeOptions);
  }
  if (!Object.hasOwn(rowJudges, type)) {
    return refilledJudge(await openScorer(config, judgeOptions));
  }
  const { judge, ...metrics } = buildComponent(rowJudges, evaluator, undefined);
  const locate = (key: string, components: Components | undefined) =>
    components && locateAll(components, [...path, key]);
  const ofAnswer = locate('pred_postprocessor', config.predPostprocessor);
  const ofGold = locate('dataset_postprocessor', config.datasetPostprocessor);
  const cleanAnswer = ofAnswer && buildCleaner(ofAnswer);
  const cleanGold = ofGold && buildCleaner(ofGold);
  return {
    direction: 'higher',
    range: [0, 1],
    ...metrics,
    columns: [evaluator, ...(ofAnswer ?? []), ...(ofGold ?? [])].flatMap(optionColumns),
    score(input) {
      if (input.gold === undefined || input.gold === null) return unscored(noGold);
      const apply = (clean: Cleaner | undefined, value: PyValue) =>
        clean ? clean(pyStr(value), input.row) : value;
      const prediction = apply(cleanAnswer, predictionOf(input, compat));
      const reference = apply(cleanGold, toPython(input.gold));
      const judged = judge(prediction, reference, input.row);
      const got = pyStr(prediction);
      if (judged === undefined) return unscored(unusableGold, `\`${pyStr(reference)}\``);
      const {
        value,
        metrics: further,
        counts,
        entry,
        skipped,
      }: Partial<Judged> & Pick<Judged, 'value'> = typeof judged === 'object'
        ? judged
        : { value: Number(judged) };
      if (skipped !== undefined) return unscored(skipped, got);
      return {
        type: 'scored',
        value,
        extracted: got,
        compared: { got, want: pyStr(reference) },
        ...(further && { metrics: further }),
        ...(counts && { counts }),
        ...(entry && { cell: JSON.stringify([entry]) }),
      };
    },
  };
}

const missed = ['no answer found', 'empty answer'];

/** Formulas by our own rules; an answer without one is wrong, as there. */
async function openMath(config: ScorerConfig, options: CompileOptions): Promise<Scorer> {
  const scorer = await openScorer(config, {
    ...options,
    asOriginal: true,
    postprocessors: compatExtractors,
  });
  return {
    ...scorer,
    score(input) {
      const score = scorer.score(input);
      if (score.type !== 'unscored' || !missed.includes(score.reason)) return score;
      const got = input.answer.answer;
      const compared = { got, want: pyStr(toPython(input.gold)) };
      return { type: 'scored', value: 0, extracted: got, compared };
    },
  };
}

/** Chinese words are those of a dictionary, which has to be there first. */
async function loadWords(chains: readonly (Components | undefined)[]): Promise<void> {
  const isCut = chains.flatMap(typesOf).includes('general_cn_postprocess');
  if (isCut) await loadSegmenter('zh');
}

function typesOf(chain: Components | undefined): string[] {
  return chain ? locateAll(chain, []).map(({ component }) => component.type) : [];
}

/** OpenCompass leaves out thoughts where the model says so, AISBench everywhere. */
function predictionOf({ answer: { raw }, label, thinking }: ScoreInput, compat: Compat) {
  if (label !== undefined) return toPython(label);
  if (thinking?.begin === undefined && compat === 'opencompass') return raw;
  const { begin = '<think>', end = '</think>' } = thinking ?? {};
  if (raw.includes(begin)) return withoutThoughts(raw, begin, end);
  const last = raw.lastIndexOf(end);
  return last < 0 ? raw : stripText(raw.slice(last + end.length));
}

/** Where one of their functions is named, it cleans; others look for the answer in turn. */
function buildCleaner(chain: readonly LocatedComponent[]): Cleaner {
  const [located] = chain;
  const own = located && chain.length === 1 && cleanerNamed(located.component.type);
  if (own) return own.build(located, undefined);
  const extractorsOf = buildExtractors(chain, compatExtractors);
  return (text, row) => runChain(extractorsOf(row), text).found?.value ?? '';
}
