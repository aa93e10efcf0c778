import { toPython } from '../../../python/convert.ts';
import { pyEquals } from '../../../python/operators.ts';
import { regexReplace } from '../prompts/regex-replace.ts';

export type MatchOptions = Readonly<Record<string, unknown>>;

/** The share of answers that equal the gold answer, after what is to be ignored was taken out. */
export function exactMatch(answer: unknown, gold: unknown, options: MatchOptions): number {
  if (Array.isArray(answer)) {
    const scores = answer.map((one) => exactMatch(one, gold, options));
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  }
  const [got, want] = [ignoring(answer, options), ignoring(gold, options)];
  return pyEquals(toPython(got), toPython(want)) ? 1 : 0;
}

const punctuation = /[!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]/g;

function ignoring(value: unknown, options: MatchOptions): unknown {
  if (typeof value !== 'string') return value;
  const { regexes_to_ignore, ignore_case, ignore_punctuation, ignore_numbers } = options;
  const patterns = Array.isArray(regexes_to_ignore) ? regexes_to_ignore.map(String) : [];
  let text = patterns.reduce((rest, pattern) => regexReplace(rest, pattern, '', 0), value);
  if (ignore_case) text = text.toLowerCase();
  if (ignore_punctuation) text = text.replaceAll(punctuation, '');
  return ignore_numbers ? text.replaceAll(/\d/g, '') : text;
}
