import { JsonProblem, readJson } from '../../../data/json-reader.ts';
import { entriesOf, getKey, isMapping } from '../../../prompt/mapping.ts';
import { type ReplyReader, share } from './reply-reader.ts';

const tags: Readonly<Record<string, number>> = {
  correct: 1,
  正确: 1,
  yes: 1,
  incorrect: 0,
  错误: 0,
  no: 0,
};

/** Evaluations by demands or tags, by the names of the functions that read replies. */
export const rubricReaders: Readonly<Record<string, ReplyReader>> = {
  flames_postprocess: {
    direction: 'higher',
    range: [0, Number.POSITIVE_INFINITY],
    isGraded: true,
    metric: 'score',
    read(reply) {
      const points = /分数=(\d+)/u.exec(reply)?.[1];
      return points === undefined ? undefined : { value: Number(points) };
    },
  },
  charm_memory_postprocess: {
    ...share,
    metric: 'accuracy',
    read(reply) {
      const tag = /\[(incorrect|correct|正确|错误|Yes|No)\]/iu.exec(reply)?.[1]?.toLowerCase();
      const value = tag === undefined ? undefined : tags[tag];
      return value === undefined ? undefined : { value };
    },
  },
  advancedif_rubric_postprocess: {
    ...share,
    metric: 'accuracy',
    datasetMetrics: [
      {
        name: 'micro_pass_rate',
        ...share,
        type: 'sums',
        measure: (sums) => (sums[1] ? (sums[0] ?? 0) / sums[1] : 0),
      },
    ],
    read(reply) {
      const written = /\{[\s\S]*?"SATISFIED_ALL_REQUIREMENTS"[\s\S]*\}/.exec(reply)?.[0];
      const judgement = jsonOf(written);
      const said = wordOf(judgement) ?? markedWord(reply);
      if (said === undefined) return undefined;
      const checks = isMapping(judgement) ? getKey(judgement, 'rubrics_check') : undefined;
      const decisions = isMapping(checks) ? entriesOf(checks).map(([, value]) => value) : [];
      const met = decisions.filter((one) => typeof one === 'string' && /yes/i.test(one));
      return { value: Number(said === 'YES'), counts: [met.length, decisions.length] };
    },
  },
  atlas_judge_postprocess: {
    ...share,
    metric: 'accuracy',
    read(reply) {
      const labels = atlasLabels(reply.split('</think>').at(-1) ?? '');
      if (!labels) return undefined;
      return { value: Number(labels.every((label) => label === 'A')) };
    },
  },
};

function wordOf(judgement: unknown): string | undefined {
  const said = isMapping(judgement) ? getKey(judgement, 'SATISFIED_ALL_REQUIREMENTS') : undefined;
  const word = typeof said === 'string' ? said.trim().toUpperCase() : '';
  return word === 'YES' || word === 'NO' ? word : undefined;
}

function markedWord(reply: string): string | undefined {
  return /"SATISFIED_ALL_REQUIREMENTS"\s*:\s*"(YES|NO)"/i.exec(reply)?.[1]?.toUpperCase();
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : readJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return undefined;
  }
}

/** The labels of the parts of an answer; nothing where the reply has none that can be read. */
function atlasLabels(reply: string): readonly unknown[] | undefined {
  const fenced = (/```json([\s\S]*?)```/.exec(reply) ?? /```([\s\S]*?)```/.exec(reply))?.[1];
  const rest = (mark: string) => reply.split(mark).at(-1);
  const tries =
    fenced === undefined
      ? [`{"judgements"${rest('"judgements"')}`, `{"judgements": [{"label"${rest('"label"')}}]}`]
      : [fenced];
  const value = tries.map((text) => jsonOf(withEscapes(text.trim()))).find((one) => one != null);
  const list = isMapping(value) ? getKey(value, 'judgements') : value;
  const items = Array.isArray(list) ? list : [list];
  if (!items.every(isMapping)) return undefined;
  const labels = items.map((item) => getKey(item, 'label'));
  return labels.includes(undefined) ? undefined : labels;
}

/** Backslashes that begin no escape, as formulas have them, stand for themselves. */
function withEscapes(text: string): string {
  return text.replace(/(?<!\\)\\(?![\\/"bfnrtu])/g, '\\\\');
}
