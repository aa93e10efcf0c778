import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { contentHash } from '../base/content-hash.ts';
import type { ModelConfig } from '../config/config.ts';
import { ConfigError, formatPath } from '../errors.ts';
import type { Meter } from '../evaluation/judges.ts';
import type { GenerateOptions, GenerateRequest, Model } from '../model/model.ts';
import type { RunReach } from '../run/run-control.ts';
import { batchFileName } from '../run/store/run-folder.ts';
import { batchApi } from './batch-api.ts';
import { type BatchLimits, BatchLine } from './batch-line.ts';
import { BatchLog } from './batch-log.ts';

/** What providers take in one batch. */
const providerLimits: BatchLimits = { requests: 50_000, bytes: 190_000_000 };

/** How much of the memory the requests that wait may take: all that belongs to one is several times its size. */
const heldShare = 1 / 10;

/**
 * Asks models through the batch API of their endpoint: slower, at half the price with most providers. A run ends when its batches
 * have, or is stopped and started again later: it collects what it sent.
 */
export class Batches implements RunReach {
  readonly #log: BatchLog;
  readonly #limits: BatchLimits;
  readonly #folder: string;
  readonly #end = new AbortController();
  readonly #lines: BatchLine[] = [];
  #hasFiles = false;
  #unrecorded = () => 0;
  readonly #mostHeld = getHeapStatistics().heap_size_limit * heldShare;

  private constructor(folder: string, log: BatchLog, limits: BatchLimits) {
    this.#folder = folder;
    this.#log = log;
    this.#limits = limits;
  }

  /** For the run in a folder. */
  static async open(
    { path }: { readonly path: string },
    limits: BatchLimits = providerLimits,
  ): Promise<Batches> {
    return new Batches(path, await BatchLog.read(join(path, batchFileName)), limits);
  }

  /** A model that is asked in batches. Judges are asked as always: verdicts wait for answers. */
  readonly meter: Meter = (model, config) => {
    if (config.judge) return model;
    requireBatches(model, config);
    // Two names of one model have batches of their own.
    const identity = contentHash([config.abbr, model.identity]);
    const open = this.#log.open.filter((batch) => batch.model === identity);
    const addresses = [config.baseUrl, ...(config.otherUrls ?? [])];
    const apis = addresses.map((baseUrl) => batchApi({ ...config, baseUrl }, this.#end.signal));
    const line = new BatchLine({
      ...{ model, identity, apis, open, log: this.#log, limits: this.#limits },
      ...{ abbr: config.abbr, newFile: () => this.#newFile(), signal: this.#end.signal },
      unrecorded: () => this.#unrecorded(),
    });
    this.#lines.push(line);
    // What the model finds out later shows through.
    return Object.create(model, {
      generate: {
        value: (request: GenerateRequest, options: GenerateOptions) => line.ask(request, options),
      },
    });
  };

  /** A file for as long as the run goes on. A start that was killed left its own behind. */
  #newFile(): string {
    const mayStay = this.#hasFiles ? [] : readdirSync(this.#folder);
    this.#hasFiles = true;
    for (const name of mayStay.filter((other) => other.startsWith(`${batchFileName}.`))) {
      rmSync(join(this.#folder, name), { force: true });
    }
    return join(this.#folder, `${batchFileName}.${randomUUID()}`);
  }

  /** As many as two batches, unless they are so long that the memory holds fewer. */
  readonly roomFor = (abbr: string): number => {
    const held = this.#lines.reduce((total, { heldBytes }) => total + heldBytes, 0);
    if (held < this.#mostHeld) return 2 * this.#limits.requests;
    const own = this.#lines.filter((line) => line.abbr === abbr);
    return own.reduce((total, { waiting }) => total + waiting, 0);
  };
  readonly isEager = true;

  watch(unrecorded: () => number): void {
    this.#unrecorded = unrecorded;
  }

  get state(): string {
    const open = this.#lines.flatMap((line) => line.open);
    const sum = (of: 'done' | 'size') => open.reduce((total, batch) => total + batch[of], 0);
    if (open.length === 0) return 'gathering a batch';
    const count = open.length === 1 ? '1 batch' : `${open.length} batches`;
    return `${count}: ${sum('done')} of ${sum('size')} answered`;
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('the run ended'));
    await Promise.all(this.#lines.map((line) => line.close()));
  }
}

function requireBatches(model: Model, { abbr, source, stream }: ModelConfig): void {
  const isEndpoint = model.target !== undefined && 'url' in model.target;
  const reason = !isEndpoint
    ? 'has no endpoint with a batch API'
    : model.loglikelihoodModel
      ? 'is asked for loglikelihoods, which batch APIs do not return'
      : stream
        ? 'has `stream: true`, but batches are not streamed'
        : undefined;
  if (reason === undefined) return;
  throw new ConfigError('batch.not_possible', `${formatPath(source)}: \`${abbr}\` ${reason}`, {
    path: source,
    hint: 'Run without `--batch`.',
  });
}
