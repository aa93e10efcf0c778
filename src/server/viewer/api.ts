import * as z from 'zod';
import {
  isRowFilter,
  type RowCounts,
  type RowFilter,
  rowSorts,
} from '../../report/snapshot/row-query.ts';
import { verdicts } from '../../run/row-sample.ts';

export type { RowFilter } from '../../report/snapshot/row-query.ts';

/** What the page and the server say to each other. The page has the types of it alone. */

const count = z.number().int().min(0);
const text = z.string();
const record = z.record(z.string(), z.unknown());

const measurement = z.union([
  z.looseObject({ value: z.number(), low: z.number(), high: z.number() }),
  z.looseObject({ value: z.number(), interval: z.enum(['too few', 'partial']) }),
]);

const runState = z.enum(['done', 'incomplete', 'running', 'damaged']);

const metricKind = {
  metric: text,
  plain: z.literal(true).optional(),
  direction: z.literal('lower').optional(),
};

/** All that evaluations scored by one metric came to. */
const listedMetric = z.object({
  ...metricKind,
  evaluations: count,
  /** Of one evaluation alone. */
  score: measurement.optional(),
  partial: z.literal(true).optional(),
  /** The scores there are, each once, upwards. */
  scores: z.array(z.number()),
  /** Evaluations without a score. */
  without: count,
});
export type ListedMetric = z.infer<typeof listedMetric>;

const listedRun = z.object({
  id: text,
  command: text,
  state: runState,
  /** Of a folder that cannot be read. */
  problem: text.optional(),
  config: text.optional(),
  startedAt: text.optional(),
  changedAt: z.number(),
  seconds: z.number().optional(),
  models: z.array(text),
  datasets: count,
  metrics: z.array(listedMetric),
  evaluations: count,
  rows: z
    .object({ total: count, scored: count, unscored: count, failed: count, missing: count })
    .optional(),
  /** In words, since it may be the least that is known. */
  cost: text.optional(),
  sent: count.optional(),
});
export type ListedRun = z.infer<typeof listedRun>;

export const runList = z.object({
  folders: z.array(text),
  runs: z.array(listedRun),
  /** Runs beyond this many are not listed. */
  more: count,
});
export type RunList = z.infer<typeof runList>;

const evaluationName = z.object({ model: text, dataset: text });

export const runDetails = z.object({
  id: text,
  folder: text,
  state: runState,
  file: record,
  summary: record.optional(),
  evaluations: z.array(
    z.object({
      model: text,
      dataset: text,
      /** Evaluations with the same number were asked about the same data. */
      data: count,
      bytes: z.number(),
    }),
  ),
  sweep: record.optional(),
  live: z
    .object({
      owner: text,
      canStop: z.boolean(),
      /** How the process is getting on, as it says itself. */
      progress: z
        .object({
          done: count,
          failed: count,
          inFlight: count,
          perSecond: z.number(),
          /** All rows, and how long those that are left will take, once they are counted. */
          total: count.optional(),
          secondsLeft: z.number().optional(),
          waitMs: z.number(),
          slowestMs: z.number().optional(),
          /** Who answers, where it is not the process itself. */
          reach: text.optional(),
        })
        .optional(),
    })
    .optional(),
  canResume: z.boolean(),
});
export type RunDetails = z.infer<typeof runDetails>;

/** A sweep has as many as it has cells. */
const mostSideBySide = 256;

export const rowsQuery = z.object({
  run: text,
  /** Model and dataset, as `["model","dataset"]`; several are put side by side. */
  e: z.array(text).min(1).max(mostSideBySide),
  show: z
    .custom<RowFilter>((name) => typeof name === 'string' && isRowFilter(name))
    .default('problems'),
  /** For each of them a number: rows that changed are those that differ among evaluations of one number. */
  within: z
    .string()
    .regex(/^\d{1,4}(?:\.\d{1,4})*$/)
    .transform((numbers) => numbers.split('.').map(Number))
    .optional(),
  reason: text.optional(),
  /** A check that rows did not pass. */
  check: text.optional(),
  q: text.max(1000).optional(),
  sort: z.enum(rowSorts).default('id'),
  order: z.enum(['up', 'down']).default('up'),
  min: z.coerce.number().optional(),
  max: z.coerce.number().optional(),
  from: z.coerce.number().int().min(0).default(0),
  /** Rows around this one, wherever that is. */
  near: z.coerce.number().int().min(0).optional(),
  count: z.coerce.number().int().min(1).max(200).default(60),
});
export type RowsQuery = z.infer<typeof rowsQuery>;

const cell = z.object({
  verdict: z.enum(verdicts),
  score: z.number().optional(),
  answer: text,
  extracted: text.optional(),
  gold: text.optional(),
  reason: text.optional(),
  kind: text.optional(),
  finish: text.optional(),
  ms: z.number().optional(),
  tokensIn: z.number().optional(),
  tokensOut: z.number().optional(),
  length: count,
  /** The record is too large to be shown in a list. */
  isLarge: z.literal(true).optional(),
});
export type Cell = z.infer<typeof cell>;

export const rowsPage = z.object({
  /** All rows, whatever is asked for. */
  total: count,
  matching: count,
  from: count,
  counts: z.record(text, count) as z.ZodType<RowCounts>,
  reasons: z.array(z.object({ reason: text, rows: count })),
  /** Which checks rows did not pass; a row may be in several of these groups. */
  checks: z.array(z.object({ check: text, rows: count })),
  /** Share of the logs that was read; counts are true at 1. */
  progress: z.number(),
  isSearching: z.boolean(),
  damaged: count,
  /** Of a page that does not hold all: the rows that it has, and images and sounds that it has not. */
  held: z
    .object({ rows: count, mediaLeftOut: count, changedFirst: z.literal(true).optional() })
    .optional(),
  rows: z.array(
    z.object({
      id: count,
      cells: z.array(cell.nullable()),
      columns: z.record(z.string(), text).optional(),
      note: z.boolean().optional(),
    }),
  ),
  data: z.object({
    columns: z.array(text),
    inputs: z.array(text),
    isReading: z.boolean(),
    /** Why the data cannot be shown. */
    problem: text.optional(),
  }),
  running: z
    .object({
      score: measurement.optional(),
      metric: text.optional(),
      plain: z.literal(true).optional(),
      direction: z.literal('lower').optional(),
      /** The run was stopped: the rows reached are no random part, and the score has no interval. */
      partial: z.literal(true).optional(),
      rows: count,
    })
    .optional(),
});
export type RowsPage = z.infer<typeof rowsPage>;

export const rowQuery = z.object({
  run: text,
  model: text,
  dataset: text,
  id: z.coerce.number().int().min(0),
});
export type RowName = z.infer<typeof rowQuery>;

/** A text that was cut for the page. */
const cutText = z.object({
  path: z.array(z.union([text, count])),
  length: count,
  /** Where a site has all of it. */
  file: text.optional(),
});

export const note = z.object({
  model: text,
  dataset: text,
  id: count,
  note: text.optional(),
  grade: z.enum(['right', 'wrong']).optional(),
  at: text,
});
export type Note = z.infer<typeof note>;

export const rowRecord = z.object({
  id: count,
  model: text,
  dataset: text,
  verdict: z.enum(verdicts).optional(),
  /** The rule that compared: its name, what it is, and its metric. */
  rule: z.object({
    evaluator: text,
    summary: text.optional(),
    postprocessors: z.array(text),
    labels: text.optional(),
  }),
  record: record.optional(),
  parts: z.array(record),
  earlier: z.array(record),
  /** Without what the model thought, and what the prompt had said already. */
  spoken: text.optional(),
  note: note.optional(),
  cut: z.array(cutText),
});
export type RowDetails = z.infer<typeof rowRecord>;

export const rowPrompt = z.object({
  /** Why there is no prompt. */
  problem: text.optional(),
  /** Why the prompt could not be made again; shown is what the run kept of it. */
  kept: text.optional(),
  /** What has changed since the run. */
  changed: text.optional(),
  row: record.optional(),
  gold: z.unknown().optional(),
  /** Where in what was said the scorer found what it read: from, to. */
  extractedAt: z.tuple([count, count]).optional(),
  view: record.optional(),
  examples: z.array(z.object({ id: z.union([text, z.number()]), row: record })),
  /** Shows the row on a terminal: `typecase show`, */
  command: text,
  /** and what would be sent for it now: `typecase view`. */
  viewCommand: text.optional(),
  cut: z.array(cutText),
});
export type RowPrompt = z.infer<typeof rowPrompt>;

export const textQuery = rowQuery.extend({
  of: z.enum(['record', 'prompt']),
  /** Where the text stands, as a list in JSON. */
  path: text,
  from: z.coerce.number().int().min(0).default(0),
});
export const textPiece = z.object({ text, from: count, length: count });

export const mediaQuery = rowQuery.extend({ sha256: text.regex(/^[0-9a-f]{8,64}$/) });

export const noteBody = z.object({
  run: text,
  ...evaluationName.shape,
  id: count,
  note: text.max(20_000).nullable().optional(),
  grade: z.enum(['right', 'wrong']).nullable().optional(),
});

export const agreement = z.object({
  graded: count,
  /** Rows that the grader and the evaluator both know. */
  rows: count,
  bothRight: count,
  bothWrong: count,
  onlyScorer: count,
  onlyHuman: count,
  kappa: measurement.optional(),
  notes: z.array(note),
});
export type Agreement = z.infer<typeof agreement>;

export const compareQuery = z.object({
  a: text,
  b: text,
  /** One evaluation of each, as `["model","dataset"]`; left out: those that belong together. */
  ea: text.optional(),
  eb: text.optional(),
  /** How many changed rows of each task. */
  flips: z.coerce.number().int().min(1).max(2000).default(100),
});
export const comparison = z.looseObject({
  differences: z.array(record),
  tasks: z.array(record),
  warnings: z.array(text),
});

export const failure = z.object({
  error: z.object({ code: text, message: text, hint: text.optional() }),
});
export type Failure = z.infer<typeof failure>;

export const runQuery = z.object({ run: text });
export const stopped = z.object({ done: z.literal(true) });

export const exportQuery = z.object({ at: text });

/** Every address of the server that gives data. */
export const routes = [
  {
    method: 'get',
    path: '/api/runs',
    summary: 'The runs in the served folders',
    reply: runList,
  },
  {
    method: 'get',
    path: '/api/run',
    summary: 'A run: its evaluations and results',
    query: runQuery,
    reply: runDetails,
  },
  {
    method: 'get',
    path: '/api/rows',
    summary: 'A page of rows, of one evaluation or of several side by side',
    query: rowsQuery,
    reply: rowsPage,
  },
  {
    method: 'get',
    path: '/api/row',
    summary: 'The log record of a row',
    query: rowQuery,
    reply: rowRecord,
  },
  {
    method: 'get',
    path: '/api/prompt',
    summary: 'What was sent for a row, rebuilt',
    query: rowQuery,
    reply: rowPrompt,
  },
  {
    method: 'get',
    path: '/api/text',
    summary: 'A piece of a long text',
    query: textQuery,
    reply: textPiece,
  },
  { method: 'get', path: '/api/download', summary: 'A long text as a file', query: textQuery },
  {
    method: 'get',
    path: '/api/media',
    summary: 'An image or a sound of a prompt',
    query: mediaQuery,
  },
  {
    method: 'get',
    path: '/api/notes',
    summary: 'Notes and grades by people, and how far they agree with the scores',
    query: runQuery,
    reply: agreement,
  },
  {
    method: 'post',
    path: '/api/notes',
    summary: 'Saves a note or grade with the run',
    body: noteBody,
    reply: note,
  },
  {
    method: 'get',
    path: '/api/compare',
    summary: 'Compares two runs',
    query: compareQuery,
    reply: comparison,
  },
  {
    method: 'get',
    path: '/api/export',
    summary: 'A page of the viewer as one file that works without a server',
    query: exportQuery,
  },
  {
    method: 'post',
    path: '/api/stop',
    summary: 'Stops a run after the requests in flight',
    body: runQuery,
    reply: stopped,
  },
  {
    method: 'post',
    path: '/api/resume',
    summary: 'Resumes an incomplete run',
    body: runQuery,
    reply: stopped,
  },
] as const;
