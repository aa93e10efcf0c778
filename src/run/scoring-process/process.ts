import { contentHash } from '../../base/content-hash.ts';
import { type ScoringSettings, scorerOf } from '../../evaluation/scorer-of.ts';
import { prepareScorer } from '../../score/open-scorer.ts';
import type { Scorer } from '../../score/scorer.ts';
import { scoreWhole } from '../score-answer.ts';
import type { ScoringNotice, ScoringTask } from './messages.ts';
import { unpack } from './packed.ts';

const scorers = new Map<string, Promise<Scorer>>();

function scorerFor(recipe: ScoringSettings): Promise<Scorer> {
  const name = contentHash(recipe);
  const opened = scorers.get(name) ?? openScorer(recipe);
  scorers.set(name, opened);
  return opened;
}

async function openScorer(recipe: ScoringSettings): Promise<Scorer> {
  await prepareScorer(recipe.evalCfg);
  return scorerOf(recipe);
}

process.on('message', async (packed) => {
  const { recipe, judged } = unpack(packed) as ScoringTask;
  const score = scoreWhole(await scorerFor(recipe), judged);
  process.send?.({ score } satisfies ScoringNotice);
});
