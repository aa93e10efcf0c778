import * as z from 'zod';
import { dataFormats } from '../../data/row-stream.ts';
import type { RunFile } from './run-file.ts';

export const currentFormat = 2;

const component = z.looseObject({ type: z.string() });
const components = z.union([component, z.array(component)]);

const evalConfig = z.looseObject({
  evaluator: component,
  circular: z.enum(['rotations', 'permutations']).optional(),
  predRole: z.string().optional(),
  predPostprocessor: components.optional(),
  datasetPostprocessor: components.optional(),
});

const settings = z.looseObject({
  source: z.string().exactOptional(),
  model: z.string().exactOptional(),
  limit: z.number().exactOptional(),
  ids: z.array(z.number()).exactOptional(),
  where: z.string().exactOptional(),
  maxOutLen: z.number().exactOptional(),
});

const model = z.looseObject({
  name: z.string(),
  identity: z.record(z.string(), z.unknown()).optional(),
  facts: z.record(z.string(), z.unknown()).optional(),
  compat: z.enum(['opencompass', 'aisbench']).optional(),
});

const template = z.looseObject({
  dataset: z.string(),
  task: z.string(),
  version: z.string(),
  dialect: z.string().optional(),
  hash: z.string(),
});

const inferencer = z.looseObject({ type: z.string().optional() });

const dataset = z.looseObject({
  abbr: z.string(),
  evalCfg: evalConfig.optional(),
  inferCfg: z.looseObject({ inferencer: inferencer.optional() }).optional(),
});

const bound = z.number().nullable();

const metric = z.looseObject({
  dataset: z.string(),
  name: z.string(),
  direction: z.enum(['higher', 'lower']),
  range: z.tuple([bound, bound]),
});

const sourceFile = z.looseObject({
  name: z.string(),
  format: z.enum(dataFormats),
  bytes: z.number(),
  sha256: z.string(),
  revision: z.string().exactOptional(),
});

const data = z.looseObject({
  dataset: z.string(),
  files: z.array(sourceFile).default([]),
  scoring: z.array(z.string()).optional(),
  hash: z.string().optional(),
  documents: z.number().optional(),
  synthetic: z.boolean().optional(),
});

/** Unknown keys are kept: scoring again writes the file anew. */
const current = z.looseObject({
  format: z.literal(currentFormat),
  typecase: z.string(),
  command: z.enum(['run', 'sweep', 'lm-eval']),
  config: z.string().optional(),
  configSha256: z.string().optional(),
  folder: z.string().optional(),
  folderFromRun: z.string().optional(),
  settings,
  models: z.array(model),
  templates: z.array(template),
  datasets: z.array(dataset),
  metrics: z.array(metric),
  data: z.array(data),
});

/** A `run.json` of any version so far, as the current one. */
export const runFileSchema: z.ZodType<RunFile> = z.preprocess(migrate, current);

/** Version 0.1 wrote no format, and left out what there was nothing to say of. */
function migrate(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('format' in value) return value;
  const isSweep = 'settings' in value && Object.hasOwn(Object(value.settings), 'axes');
  return {
    typecase: '0.1',
    command: isSweep ? 'sweep' : 'run',
    settings: {},
    models: [],
    templates: [],
    datasets: [],
    metrics: [],
    data: [],
    ...value,
    format: currentFormat,
  };
}
