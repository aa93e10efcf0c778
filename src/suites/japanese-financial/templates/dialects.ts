import { hintForName } from '../../../base/nearest-name.ts';
import { ConfigError } from '../../../errors.ts';

/** Releases of the original harness that make different prompts under the same names. */
export const dialects = ['v0.1.0', 'v0.2.0', 'main'] as const;
export type Dialect = (typeof dialects)[number];

/** How a dialect puts a prompt together, beyond the texts of its templates. */
export interface DialectRules {
  readonly seed: number;
  /** Documents are evaluated in a drawn order; draws of examples go on with the same generator. */
  readonly shufflesDocuments: boolean;
  /** One example more than wanted is drawn, in case the document itself is among them. */
  readonly drawsSpare: boolean;
  /** A separator stands even where no example is left. */
  readonly keepsEmptySeparator: boolean;
  /** The environment variable `SYSTEM_PROMPT` takes the place of the template's system prompt. */
  readonly readsSystemPrompt: boolean;
  /** White space at the end of a context counts as the beginning of the continuation. */
  readonly movesTrailingSpace: boolean;
  /** Results have measures by the length of the choices. */
  readonly hasNormalizedMetrics: boolean;
}

export const rulesOf: Readonly<Record<Dialect, DialectRules>> = {
  'v0.1.0': {
    seed: 42,
    shufflesDocuments: true,
    drawsSpare: true,
    keepsEmptySeparator: true,
    readsSystemPrompt: true,
    movesTrailingSpace: false,
    hasNormalizedMetrics: false,
  },
  'v0.2.0': {
    seed: 1234,
    shufflesDocuments: false,
    drawsSpare: false,
    keepsEmptySeparator: true,
    readsSystemPrompt: false,
    movesTrailingSpace: true,
    hasNormalizedMetrics: true,
  },
  main: {
    seed: 1234,
    shufflesDocuments: false,
    drawsSpare: false,
    keepsEmptySeparator: false,
    readsSystemPrompt: false,
    movesTrailingSpace: true,
    hasNormalizedMetrics: true,
  },
};

/** The dialect of this name. */
export function dialectNamed(name: string): Dialect {
  const found = dialects.find((dialect) => dialect === name);
  if (found) return found;
  throw new ConfigError('task.unknown_dialect', `unknown dialect \`${name}\``, {
    hint: hintForName(name, { names: dialects, kind: 'Dialects' }),
  });
}
