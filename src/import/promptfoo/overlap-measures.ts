/** How near an answer is to texts, as promptfoo measures it. */
export type Overlap = (answer: string, wanted: readonly string[]) => number;

function words(text: string): string[] {
  return text.toLowerCase().trim().split(/\s+/);
}

function ngrams(tokens: readonly string[], size: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + size <= tokens.length; start++) {
    const gram = tokens.slice(start, start + size).join('\u0001');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function sharedCount(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [gram, count] of one) sum += Math.min(count, other.get(gram) ?? 0);
  return sum;
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** BLEU of one sentence: sizes that the answer is too short for are left out, and no match counts 1e-7. */
export const bleu: Overlap = (answer, wanted) => {
  if (answer.trim() === '') return 0;
  const own = words(answer);
  const references = wanted.map(words);
  const precisions: number[] = [];
  for (let size = 1; size <= Math.min(4, own.length); size++) {
    const grams = ngrams(own, size);
    const best = Math.max(...references.map((other) => sharedCount(grams, ngrams(other, size))));
    precisions.push(best / total(grams));
  }
  const [length = 0] = references
    .map((other) => other.length)
    .sort((a, b) => Math.abs(a - own.length) - Math.abs(b - own.length) || a - b);
  const penalty = own.length > length ? 1 : Math.exp(1 - length / own.length);
  const logs = precisions.map((precision) => Math.log(precision === 0 ? 1e-7 : precision));
  return penalty * Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
};

/** GLEU: the lower of precision and recall over n-grams of 1 to 4 words, without full stops. */
export const gleu: Overlap = (answer, wanted) => {
  const plain = (text: string) => words(text).map((word) => word.replace(/\.+$/, ''));
  const own = plain(answer);
  if (own.every((word) => word === '')) return 0;
  return Math.max(
    ...wanted.map((text) => {
      const other = plain(text);
      let [matches, left, right] = [0, 0, 0];
      for (let size = 1; size <= 4; size++) {
        const [one, two] = [ngrams(own, size), ngrams(other, size)];
        matches += sharedCount(one, two);
        left += total(one);
        right += total(two);
      }
      return left === 0 || right === 0 ? 0 : matches / Math.max(left, right);
    }),
  );
};

/** ROUGE-1: F1 over the tokens of the Penn Treebank, small letters. */
export const rouge: Overlap = (answer, [wanted = '']) => {
  const [own, other] = [answer, wanted].map((text) => ngrams(treebankTokens(text), 1));
  const matches = own && other ? sharedCount(own, other) : 0;
  if (!own || !other || matches === 0) return 0;
  const [precision, recall] = [matches / total(own), matches / total(other)];
  return (2 * precision * recall) / (precision + recall);
};

/** Texts that the treebank takes apart: quotes, punctuation, brackets, dashes and contractions. */
const apart: readonly (readonly [RegExp, string])[] = [
  [/^"/g, ' `` '],
  [/([ ([{<])"/g, '$1 `` '],
  [/\.\.\.\.*/g, ' ... '],
  [/[;@#$%&]/g, ' $& '],
  [/([^.])(\.)([\])}>"']*)\s*$/g, '$1 $2$3 '],
  [/[,?!]/g, ' $& '],
  [/[\][(){}<>]/g, ' $& '],
  [/---*/g, ' -- '],
  [/"/g, " '' "],
  [/([^'])' /g, "$1 ' "],
  [/'([smd]) /g, " '$1 "],
  [/('ll|'re|'ve|n't) /g, ' $1 '],
  [/\b(can)(not)\b/g, '$1 $2'],
  [/\b(d)('ye)\b/g, '$1 $2'],
  [/\b(gim|lem)(me)\b/g, '$1 $2'],
  [/\b(gon|wan)(na)\b/g, '$1 $2'],
  [/\b(got)(ta)\b/g, '$1 $2'],
  [/\b(more)('n)\b/g, '$1 $2'],
  [/ ('t)(is|was)\b/g, ' $1 $2 '],
];

function treebankTokens(text: string): string[] {
  let spaced = text.toLowerCase();
  for (const [pattern, written] of apart) spaced = spaced.replace(pattern, written);
  return spaced.split(/\s+/).filter((token) => token !== '');
}
