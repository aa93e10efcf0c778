import { opencompassRange } from '../../src/compat/data/opencompass-range.ts';
import { firstOption } from '../../src/compat/scoring/first-option.ts';
import { DataError } from '../../src/errors.ts';
import {
  firstNumber,
  lastOption,
  opencompassPostprocessors,
} from '../../src/score/extract/opencompass-postprocess.ts';
import { decode } from './codec.ts';
import { compare } from './compare.ts';
import type { Handlers } from './handler.ts';
import { type Json, type JsonObject, textAt } from './json.ts';

const options = 'ABCD';
const withCushion = firstOption({ options });
const withoutCushion = firstOption({ options, cushion: false });

/** Post-processors that the vectors name apart from the registered ones. */
const processors: Readonly<Record<string, (text: string) => Json>> = {
  first_option_ABCD: withCushion,
  first_option_ABCD_nocushion: withoutCushion,
  last_option_ABCD: (text) => lastOption(text, options),
  first_number: firstNumber,
};

/** Row ranges and answer post-processors. */
export const opencompassDataHandlers: Handlers = {
  load_partial_dataset: (vector) => {
    const expected: JsonObject =
      vector.error === undefined ? { output: vector.output ?? null } : { refused: true };
    return compare(expected, runRange(vector));
  },
  postprocess: (vector) => {
    const { group: _, text: __, ...expected } = vector;
    const text = textAt(vector, 'text');
    const actual = Object.keys(expected).map((name) => {
      const process = processors[name] ?? opencompassPostprocessors.get(name);
      return [name, process ? process(text) : null] as const;
    });
    return compare(expected, Object.fromEntries(actual));
  },
};

function runRange(vector: JsonObject): JsonObject {
  try {
    const range = decode(vector.size ?? null) as Parameters<typeof opencompassRange>[1];
    return { output: opencompassRange(Number(vector.n), range) };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { refused: true };
  }
}
