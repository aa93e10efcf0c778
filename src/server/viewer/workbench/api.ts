import * as z from 'zod';

/** What the workbench and the server say to each other. */

const text = z.string();
const count = z.number().int().min(0);
const record = z.record(z.string(), z.unknown());

/** A config by its name in the list, or the one that a run names. */
const configName = { config: text.optional(), run: text.optional() };

/** The most characters of templates: more is no template that somebody writes. */
const maxTemplate = 200_000;

const templateText = z.object({ form: z.enum(['text', 'yaml']), text: text.max(maxTemplate) });

const place = z.object({ line: count, column: count });

export const configList = z.object({
  configs: z.array(z.object({ name: text, config: text.optional(), run: text.optional() })),
});
export type ConfigList = z.infer<typeof configList>;

export const benchQuery = z.object(configName);
export const benchDetails = z.object({
  /** How it is asked for. */
  ...configName,
  name: text,
  folder: text,
  /** The name of the config, if it has changed since the run that names it. */
  changed: text.optional(),
  models: z.array(z.object({ abbr: text, takes: z.enum(['text', 'messages']) })),
  datasets: z.array(
    z.object({
      abbr: text,
      templates: templateText.optional(),
      problem: text.optional(),
      evaluator: text,
    }),
  ),
  formats: z.array(z.object({ name: text, summary: text })),
  evaluators: z.array(z.object({ name: text, summary: text })),
});
export type BenchDetails = z.infer<typeof benchDetails>;

const edited = {
  ...configName,
  dataset: text,
  model: text.optional(),
  templates: templateText.optional(),
  format: text.optional(),
};

export const promptBody = z.object({ ...edited, row: count.optional() });
export type PromptBody = z.infer<typeof promptBody>;

const problem = z.object({
  code: text,
  message: text,
  hint: text.optional(),
  at: place.optional(),
});
export type BenchProblem = z.infer<typeof problem>;

export const benchPrompt = z.object({
  /** Why there is none. */
  problem: problem.optional(),
  id: count.optional(),
  previous: count.optional(),
  next: count.optional(),
  row: record.optional(),
  columns: z.array(text),
  view: record.optional(),
  /** What may be wrong, with its place in the text that is edited. */
  lint: z.array(
    z.object({
      kind: z.enum(['warning', 'note']),
      code: text,
      message: text,
      hint: text.optional(),
      at: place.optional(),
    }),
  ),
  /** What the page makes the prompts of this row from. */
  kit: text.optional(),
  /** Why only the server can make them. */
  noKit: text.optional(),
});
export type BenchPrompt = z.infer<typeof benchPrompt>;
export type BenchRemark = BenchPrompt['lint'][number];

export const rescoreBody = z.object({
  run: text,
  model: text,
  dataset: text,
  evaluator: text,
});
const scoreOf = z.object({ metric: text, score: record.optional(), plain: z.boolean().optional() });
export const rescored = z.object({
  before: scoreOf.optional(),
  after: scoreOf,
  /** Rows that were looked at one by one; of very many, the first ones. */
  rows: count,
  changed: z.array(
    z.object({
      id: count,
      answer: text,
      gold: text.optional(),
      before: text,
      after: text,
    }),
  ),
  changedRows: count,
});
export type Rescored = z.infer<typeof rescored>;

export const tryBody = z.object({ ...edited, rows: z.number().int().min(1).max(200) });
export const tryQuery = z.object({ id: text });
const trySide = z.object({
  state: z.enum(['waiting', 'running', 'done', 'stopped', 'failed']),
  done: count,
  total: count,
  /** The name of the run in the list of runs, when it is there. */
  run: text.optional(),
  problem: text.optional(),
});
export const tryState = z.object({
  id: text,
  isOver: z.boolean(),
  before: trySide,
  after: trySide,
});
export type TryState = z.infer<typeof tryState>;

export const saveBody = z.object({
  ...edited,
  name: text.min(1).max(100),
  as: z.enum(['config', 'template']),
});
export const saved = z.object({ file: text, command: text });
export type Saved = z.infer<typeof saved>;

export const mediumQuery = z.object({ sha256: text.regex(/^[0-9a-f]{8,64}$/) });

export const workbenchRoutes = [
  {
    method: 'get',
    path: '/api/workbench/configs',
    summary: 'The configs that the workbench can open',
    reply: configList,
  },
  {
    method: 'get',
    path: '/api/workbench/config',
    summary:
      'A config: its models, its datasets and their templates; without a name the first that opens',
    query: benchQuery,
    reply: benchDetails,
  },
  {
    method: 'post',
    path: '/api/workbench/prompt',
    summary: 'What a run would send for a row with edited templates; sends nothing',
    body: promptBody,
    reply: benchPrompt,
  },
  {
    method: 'get',
    path: '/api/workbench/media',
    summary: 'An image or sound of the prompt viewed last',
    query: mediumQuery,
  },
  {
    method: 'post',
    path: '/api/workbench/rescore',
    summary: 'How another evaluator would score the saved answers; asks and changes nothing',
    body: rescoreBody,
    reply: rescored,
  },
  {
    method: 'post',
    path: '/api/workbench/try',
    summary: 'Asks the model some rows with the templates of the config and with the edited ones',
    body: tryBody,
    reply: tryState,
  },
  {
    method: 'get',
    path: '/api/workbench/try',
    summary: 'The progress of a try',
    query: tryQuery,
    reply: tryState,
  },
  {
    method: 'post',
    path: '/api/workbench/stop',
    summary: 'Stops a try after the requests in flight',
    body: tryQuery,
    reply: tryState,
  },
  {
    method: 'post',
    path: '/api/workbench/save',
    summary: 'Writes a new config, or a new template file, next to the config',
    body: saveBody,
    reply: saved,
  },
] as const;
