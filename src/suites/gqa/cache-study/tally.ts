import { type ClusteredEstimate, clusteredMean } from '../../../stats/clustered-mean.ts';
import { sameAnswer } from '../scoring/answers.ts';
import type { CacheStep } from './simulate.ts';

/** Hits, and how many of them would have returned a wrong answer. */
export interface HitCounts {
  readonly hits: number;
  /** Hits of which both answers are known. */
  readonly judged: number;
  readonly wrong: number;
}

export interface StudyCounts extends HitCounts {
  readonly samples: number;
  /**
   * The share of wrong ones among judged hits, with its interval. Hits that return one stored answer
   * are right or wrong together, so they are a cluster. Nothing where fewer than two were returned.
   */
  readonly wrongShare?: ClusteredEstimate | undefined;
  /** By the layer that hit, in the order of the first hits. */
  readonly bySource: Readonly<Record<string, HitCounts>>;
}

const none: HitCounts = { hits: 0, judged: 0, wrong: 0 };

/** Adds up what a cache did. A missing answer is an empty text. */
export function countHits(steps: Iterable<CacheStep>, answers: readonly string[]): StudyCounts {
  const bySource: Record<string, HitCounts> = {};
  let samples = 0;
  let all = none;
  const verdicts: number[] = [];
  const stored: number[] = [];
  for (const { sample, source, from } of steps) {
    samples++;
    if (source === null || from === null) continue;
    const [own = '', reused = ''] = [answers[sample], answers[from]];
    const isJudged = own !== '' && reused !== '';
    const hit = {
      hits: 1,
      judged: Number(isJudged),
      wrong: Number(isJudged && !sameAnswer(own, reused)),
    };
    if (isJudged) {
      verdicts.push(hit.wrong);
      stored.push(from);
    }
    all = add(all, hit);
    bySource[source] = add(bySource[source] ?? none, hit);
  }
  const wrongShare = clusteredMean(verdicts, { clusters: stored, range: [0, 1] });
  return { samples, ...all, wrongShare, bySource };
}

function add(left: HitCounts, right: HitCounts): HitCounts {
  return {
    hits: left.hits + right.hits,
    judged: left.judged + right.judged,
    wrong: left.wrong + right.wrong,
  };
}
