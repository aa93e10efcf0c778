import * as z from 'zod';
import { nearestName } from '../../base/nearest-name.ts';
import { ConfigError, DataError, formatPath, TypecaseError } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import { strictMapping } from '../../schema/strict-mapping.ts';
import { componentType } from '../component/component.ts';
import { amount, nonEmptyText } from '../component/option-kinds.ts';
import type { ScoringParts } from '../evaluators/scoring-parts.ts';
import type { RowMetricName, Scorer, ScorerJudge } from '../scorer.ts';
import { createChecksScorer, rowPath } from './checks-scorer.ts';
import type { ChecksOfRows } from './judges-of-checks.ts';
import { type BuiltCheck, checkBuilt, nameChecks, namesOfChecks } from './name-checks.ts';
import { type ReadCheck, readCheck, share } from './read-check.ts';
import { readJson } from './same-json.ts';
import { loadSchemaValidator } from './schema-validator.ts';
import type { TransformFunction } from './transform-answer.ts';

/** The column in which rows bring checks of their own. */
export const checksColumn = 'checks';

const setError = 'a mapping of names to `threshold`, `weight` and `name`';

const sets = z.record(
  z.string(),
  strictMapping({
    threshold: share.optional().describe('The weighted mean from which it passes'),
    weight: amount.optional().describe('How much it counts; 1 by default'),
    name: nonEmptyText.optional().describe('What it is called; its key by default'),
  }),
  { error: setError },
);

const transforms = z
  .custom<Readonly<Record<string, TransformFunction>>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((one) => typeof one === 'function'),
    { error: 'functions by name, in a TypeScript or JavaScript config' },
  )
  .meta({ not: {}, tsType: 'Readonly<Record<string, TransformFunction>>' });

export const checksEvaluators = {
  checks: componentType({
    summary: 'several checks: those of the config and those in the column `checks` of the row',
    options: {
      checks: z
        .array(z.unknown(), { error: 'a list of checks' })
        .optional()
        .describe('The checks; a list instead of the evaluator means the same'),
      threshold: share
        .optional()
        .describe('The weighted mean from which a row passes, even if single checks fail'),
      threshold_column: nonEmptyText
        .optional()
        .describe(
          'The column with the threshold of each row; a row without one must pass all checks',
        ),
      sets: sets
        .optional()
        .describe('Sets of checks, by the name in `set`; each counts as one check'),
      transforms: transforms
        .optional()
        .describe('Functions that change an answer before the checks that name them'),
      tool_calls_as_answer: z
        .boolean({ error: 'true or false' })
        .optional()
        .describe(
          'Whether checks see the JSON of tool calls instead of the text; false by default',
        ),
      whole_reply: z
        .boolean({ error: 'true or false' })
        .optional()
        .describe(
          'Whether checks see the reply as it came, with thoughts and the white space around it; false by default',
        ),
    },
    build({ checks = [], ...options }, parts: ScoringParts, { path }): Scorer {
      // A list in place of an evaluator stands where the evaluator does.
      const read = checks.map((check, index) => readCheck(check, [...path, index]));
      const known = { sets: options.sets, transforms: options.transforms ?? {} };
      for (const check of read) refuseUnknown(check, known);
      const ofSets = namesOfSets(read, options.sets);
      const built = buildAll(read, parts, ofSets);
      return createChecksScorer(built, {
        ofRows: checksOfRows(read, parts, { ...known, ofConfig: namesOfChecks(read, ofSets) }),
        threshold: options.threshold,
        thresholdColumn: options.threshold_column,
        sets: new Map(Object.entries(options.sets ?? {})),
        transforms: new Map(Object.entries(options.transforms ?? {})),
        callsAsAnswer: options.tool_calls_as_answer,
        seesWhole: options.whole_reply,
      });
    },
  }),
};

/** What checks name. */
interface NamedParts {
  /** Left out, sets need no settings, and each name is one. */
  readonly sets?: Readonly<Record<string, unknown>> | undefined;
  readonly transforms: Readonly<Record<string, unknown>>;
}

/** Refuses a set or a transform that nobody defines. */
function refuseUnknown({ set, transforms, path }: ReadCheck, named: NamedParts): void {
  const asked = [
    ...(set === undefined || !named.sets ? [] : [{ key: 'set', name: set, among: named.sets }]),
    ...transforms.map((name) => ({ key: 'transform', name, among: named.transforms })),
  ];
  for (const { key, name, among } of asked) {
    if (Object.hasOwn(among, name)) continue;
    const at = [...path, key];
    const near = nearestName(name, Object.keys(among));
    throw new ConfigError(
      'config.not_found',
      `${formatPath(at)} is \`${name}\`, but \`${key}s\` has no such name`,
      { path: at, hint: near ? `Did you mean \`${near}\`?` : `Add it to \`${key}s\`.` },
    );
  }
}

function buildAll(
  read: readonly ReadCheck[],
  { buildInner }: ScoringParts,
  taken: readonly string[] = [],
): BuiltCheck[] {
  if (!buildInner) throw new TypeError('checks inside checks');
  const names = nameChecks(read, taken);
  return read.map((check, index) => {
    const scorer = buildInner(check);
    const built = { ...check, name: names[index] ?? check.type, scorer };
    checkBuilt(built);
    return built;
  });
}

/** What rows bring is built once for each kind: many rows bring the same. */
function checksOfRows(
  configured: readonly ReadCheck[],
  parts: ScoringParts,
  named: NamedParts & { readonly ofConfig: readonly RowMetricName[] },
): ChecksOfRows {
  const known = new Map<string, readonly BuiltCheck[]>();
  const embedder = configured.find(({ component }) => component.type === 'similar')?.component
    .embedder;
  const readAll = (written: readonly unknown[]) =>
    inRow(() =>
      written.map((check, index) => {
        const read = readCheck(check, rowPath(index));
        refuseUnknown(read, named);
        return withEmbedder(read, embedder);
      }),
    );
  const build: ChecksOfRows['build'] = async (row, taken) => {
    const written = writtenChecks(row);
    if (written.length === 0) return [];
    const key = holdsFunction(written) ? undefined : JSON.stringify(written);
    const found = key === undefined ? undefined : known.get(key);
    if (found) return found;
    const read = readAll(written);
    if (read.some(({ component }) => component.type === 'json-schema')) await loadSchemaValidator();
    const built = inRow(() => buildAll(read, parts, taken));
    if (key !== undefined && known.size < maxKnown) known.set(key, built);
    return built;
  };
  const namesIn: ChecksOfRows['namesIn'] = (row, taken) => [
    ...named.ofConfig,
    ...namesOfChecks(readAll(writtenChecks(row)), taken),
  ];
  const judges = new Map<string, readonly ScorerJudge[]>();
  const judgesIn: ChecksOfRows['judgesIn'] = (row) => {
    const asking = readAll(writtenChecks(row)).filter(
      ({ component: { type } }) => type === 'judge',
    );
    if (asking.length === 0) return [];
    const key = JSON.stringify(asking.map(({ component }) => component));
    const found =
      judges.get(key) ??
      inRow(() => buildAll(asking, parts)).flatMap(({ scorer }) => scorer.judge ?? []);
    if (judges.size < maxKnown) judges.set(key, found);
    return found;
  };
  return { build, namesIn, judgesIn };
}

const maxKnown = 10_000;

function withEmbedder(check: ReadCheck, embedder: unknown): ReadCheck {
  const { component } = check;
  if (component.type !== 'similar' || component.embedder !== undefined) return check;
  return { ...check, component: { ...component, embedder } };
}

/** A list, one check, or either as JSON, as CSV files have it. */
export function writtenChecks(row: Row): readonly unknown[] {
  const value = row[checksColumn];
  if (value === undefined || value === null || value === '') return [];
  const read = typeof value === 'string' ? readJson(value)?.value : value;
  if (read === undefined) {
    throw new DataError('data.bad_checks', `\`${checksColumn}\` of the row is not JSON`, {
      hint: 'Write a list such as [{"type": "contains", "value": "Paris"}].',
    });
  }
  return Array.isArray(read) ? read : [read];
}

function holdsFunction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'function';
  return Object.values(value).some(holdsFunction);
}

/** A set without settings is called as the checks say. */
function namesOfSets(
  read: readonly ReadCheck[],
  settings: Readonly<Record<string, { readonly name?: string | undefined }>> = {},
): readonly string[] {
  const keys = [...new Set(read.flatMap(({ set }) => set ?? []))];
  return keys.map((key) => settings[key]?.name ?? key);
}

/** What is wrong with the checks of a row is said of the row. */
function inRow<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    const place = error.path ? ` (${formatPath(error.path)})` : '';
    throw new DataError('data.bad_checks', `${error.message}${place}`, {
      hint: error.hint,
      cause: error,
    });
  }
}
