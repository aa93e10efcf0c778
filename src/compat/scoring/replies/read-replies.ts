import type { Component } from '../../../score/component/component.ts';
import { halfAdded, pairReaders } from './pair-readers.ts';
import type { ReplyReader } from './reply-reader.ts';
import { rubricReaders } from './rubric-readers.ts';
import { singleReaders } from './single-readers.ts';
import { verdictReaders } from './verdict-readers.ts';

/** What summarizers there read replies like. */
const summarizers: Readonly<Record<string, string>> = {
  AlignmentBenchSummarizer: 'alignbench_postprocess',
  AlpacaSummarizer: 'alpacaeval_postprocess',
  ArenaHardSummarizer: 'arenahard_postprocess',
  CharmMemSummarizer: 'charm_memory_postprocess',
  CompassArenaSummarizer: 'compassarena_postprocess',
  FlamesSummarizer: 'flames_postprocess',
  FofoSummarizer: 'fofo_postprocess',
  FollowBenchSummarizer: 'followbench_postprocess',
  MTBenchSummarizer: 'mtbench_postprocess',
  MTBench101Summarizer: 'mtbench101_postprocess',
  WildBenchPairSummarizer: 'wildbench_postprocess',
};

const readers: Readonly<Record<string, ReplyReader>> = {
  ...singleReaders,
  ...rubricReaders,
  ...pairReaders,
  ...verdictReaders,
};

/** How replies are read by a function or a summarizer of this name; nothing where that is not known. */
export function replyReader({ type, summary_type: summary }: Component): ReplyReader | undefined {
  const name = summarizers[type] ?? type;
  if (name === 'compassarena_postprocess' && summary === 'half_add') return halfAdded;
  return Object.hasOwn(readers, name) ? readers[name] : undefined;
}
