import type { TextLogprobs } from '../../model/loglikelihood.ts';

/** What a model said of the tokens of a text, as logs and caches hold it. */
export interface StoredLogprobs {
  /** How many tokens it has in common with the first text of its request; they are left out here. */
  readonly shared?: number | undefined;
  readonly starts: readonly number[];
  /** 32 where the values have no more: nine digits then say all. */
  readonly bits?: 32 | undefined;
  /** JSON has no infinity. */
  readonly values: readonly (number | null | typeof impossible)[];
  /** One character a token: `1` for one that was the likeliest. */
  readonly likeliest?: string | undefined;
}

const impossible = '-Infinity';
const floatDigits = 9;

/** What was said of the texts of a request, in a form to be stored: nothing of it is lost. */
export function storeLogprobs(logprobs: readonly TextLogprobs[]): StoredLogprobs[] {
  return logprobs.map((said, index) => {
    const shared = index === 0 ? 0 : sharedTokens(said, logprobs[0]);
    const { starts, likeliest } = said;
    const values = said.values.slice(shared);
    const isFloat = values.every((value) => value === null || Math.fround(value) === value);
    return {
      shared: shared > 0 ? shared : undefined,
      starts: starts.slice(shared),
      bits: isFloat ? 32 : undefined,
      values: values.map((value) => {
        if (value === Number.NEGATIVE_INFINITY) return impossible;
        return isFloat && value !== null ? Number(value.toPrecision(floatDigits)) : value;
      }),
      likeliest: likeliest
        ?.slice(shared)
        .map((isLikeliest) => Number(isLikeliest))
        .join(''),
    };
  });
}

function sharedTokens(one: TextLogprobs, other: TextLogprobs = one): number {
  if (!one.likeliest !== !other.likeliest) return 0;
  let count = 0;
  while (
    count < one.starts.length &&
    one.starts[count] === other.starts[count] &&
    one.values[count] === other.values[count] &&
    one.likeliest?.[count] === other.likeliest?.[count]
  )
    count += 1;
  return count;
}

/** What was stored; nothing if that is no such thing, or damaged. */
export function restoreLogprobs(stored: unknown): TextLogprobs[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  const restored: TextLogprobs[] = [];
  for (const one of stored) {
    const said = restoreOne(one, restored[0]);
    if (!said) return undefined;
    restored.push(said);
  }
  return restored;
}

function restoreOne(stored: unknown, first: TextLogprobs | undefined): TextLogprobs | undefined {
  const fields = Object(stored) as Partial<StoredLogprobs>;
  const { shared = 0, starts, bits, values, likeliest } = fields;
  if (!Array.isArray(starts) || !Array.isArray(values)) return undefined;
  const isWhole =
    starts.length === values.length &&
    starts.every(Number.isSafeInteger) &&
    values.every((value) => Number.isFinite(value) || value === null || value === impossible) &&
    (likeliest === undefined || likeliest.length === starts.length) &&
    Number.isInteger(shared) &&
    shared >= 0 &&
    shared <= (first?.starts.length ?? 0);
  if (!isWhole) return undefined;
  const own = values.map((value) => {
    if (value === impossible) return Number.NEGATIVE_INFINITY;
    return bits === 32 && value !== null ? Math.fround(value) : value;
  });
  return {
    starts: [...(first?.starts.slice(0, shared) ?? []), ...starts],
    values: [...(first?.values.slice(0, shared) ?? []), ...own],
    ...(likeliest !== undefined && {
      likeliest: [
        ...(first?.likeliest?.slice(0, shared) ?? []),
        ...Array.from(likeliest, (digit) => digit === '1'),
      ],
    }),
  };
}
