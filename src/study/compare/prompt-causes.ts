import { countOf } from '../../base/format.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import type { Difference, Pairing } from './comparison.ts';

/** Settings that shape prompts, by where they stand, and what they are called. */
const shaping: readonly (readonly [kind: Difference['kind'], path: RegExp, cause: string])[] = [
  ['settings', /prompt_template\b|^template\b/, 'template'],
  ['settings', /\bice_template\b/, 'template of the examples'],
  ['settings', /\bshots_as\b/, 'form of the examples'],
  ['settings', /\bretriever\.ice_num\b/, 'number of examples'],
  ['settings', /\bretriever\.ice_(separator|eos_token)\b/, 'text between the examples'],
  ['settings', /\bseed\b/, 'seed'],
  ['settings', /\bretriever\.(?!seed\b|ice_)/, 'retriever'],
  ['settings', /\breader_cfg\b/, 'columns or splits'],
  ['settings', /\binferencer\.(?!max_out_len\b|stopping_criteria\b)/, 'inferencer'],
  ['settings', /^meta_template\b/, 'model format'],
  ['model', /^format\b/, 'model format'],
  ['model', /^compat\b/, 'compat'],
  ['model', /^tokenizer\b/, 'tokenizer'],
  ['model', /^max_seq_len\b/, 'max_seq_len'],
  ['data', /./, 'data'],
  ['version', /./, 'version of Typecase'],
];

/** What of all that differs may have made prompts differ. */
export function promptCauses(differences: readonly Difference[]): string[] {
  const causes = shaping.flatMap(([kind, path, cause]) => {
    const changes = differences.find((one) => one.kind === kind)?.changes ?? [];
    return changes.some((change) => path.test(change.path)) ? [cause] : [];
  });
  return [...new Set(causes)];
}

interface Evidence {
  readonly causes: readonly string[];
  readonly pairings: readonly Pairing[];
  readonly files: readonly RunFile[];
}

/** Why prompts differ, as far as the runs tell. */
export function describeCauses({ causes, pairings, files }: Evidence): string {
  const sum = (read: (pairing: Pairing) => number | undefined) =>
    pairings.reduce((total, pairing) => total + (read(pairing) ?? 0), 0);
  const others = sum(({ otherExamples }) => otherExamples);
  const dropped = [sum((one) => one.dropped?.a), sum((one) => one.dropped?.b)];
  const seen = [
    ...(others > 0 ? [`other examples in ${countOf(others, 'row')}`] : []),
    ...(dropped[0] === dropped[1]
      ? []
      : [`examples dropped in ${dropped[0]} rows of A and ${dropped[1]} of B`]),
  ];
  const named = causes.length > 0 ? `by ${causes.join(', ')}` : 'for no recorded reason';
  const old =
    causes.length === 0 && files.some(({ harness }) => harness === undefined)
      ? ['an older run.json lacks seed, model format and limits']
      : [];
  return [named, ...seen, ...old].join('; ');
}
