import { basename, extname } from 'node:path';
import type * as z from 'zod';
import type { ConfigPath } from '../errors.ts';
import { buildInfer } from './build-infer.ts';
import { camelKeys } from './camel-keys.ts';
import type { DatasetConfig, RowSource } from './config.ts';
import type { Report } from './problems.ts';
import type { datasetSchema } from './schema.ts';

/** Builds a dataset from its checked form. */
export function buildDataset(
  dataset: z.output<typeof datasetSchema>,
  source: ConfigPath,
  report: Report,
): DatasetConfig {
  const { type, name, path, rows, n, k, media, reader_cfg, infer_cfg, eval_cfg } = dataset;
  const { trainSplit = 'train', testSplit = 'test', ...reader } = camelKeys(reader_cfg);
  const rowSource = path ?? rows ?? { type: 'inline', rows: [] };
  return {
    source,
    abbr: dataset.abbr ?? deriveAbbr(rowSource, testSplit),
    type,
    name,
    rows: rowSource,
    stamp: stampOf(dataset),
    n,
    k: k === undefined ? undefined : [k].flat(),
    media: media && camelKeys(media),
    readerCfg: { ...reader, trainSplit, testSplit },
    inferCfg: buildInfer(infer_cfg, [...source, 'infer_cfg'], report),
    evalCfg: eval_cfg && camelKeys(eval_cfg),
  };
}

function stampOf({ task, version, version_hash: hash }: z.output<typeof datasetSchema>) {
  if (task === undefined || version === undefined || hash === undefined) return undefined;
  return { task, version, hash };
}

function deriveAbbr(rows: RowSource, testSplit: string): string {
  const path = rows.type === 'file' ? rows.path : rows.type === 'files' && rows.paths[testSplit];
  return path ? basename(path, extname(path)) : '';
}
