import { basename } from 'node:path';
import { Command } from 'commander';
import { localFolder } from '../../config/local-folder.ts';
import { findLocalModel } from '../../evaluation/find-local-model.ts';
import { openLocal } from '../../model/local/open-local.ts';
import type { RequestLimits } from '../../server/model/request-limits.ts';
import { startModelServer } from '../../server/model/start-model-server.ts';
import { countValue, portValue } from '../../terminal/option-values.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import { listenAt, stopSignal } from '../../terminal/serving.ts';

/** `typecase serve-model`: answers requests until it is told to stop. */
export async function runServeModel(args: readonly string[]): Promise<number> {
  const options = parseServeModelOptions(args);
  if (!options) return 0;
  const { path, batchSize } = options;
  const limits = limitsOf(options);
  const folder = localFolder({ folder: process.cwd() }, { path });
  const parts = await openLocal({ path: await findLocalModel(folder), batchSize });
  const name = options.name ?? nameOf(path, parts.folder.name);
  const server = await listenAt(
    () => startModelServer(parts, { ...options, name, limits }),
    options,
  );
  process.stdout.write(`${name} at ${server.url}/v1\nCtrl-C stops.\n`);
  await stopSignal();
  process.stderr.write('Stopping: requests in flight are answered. Ctrl-C again stops at once.\n');
  await server.close();
  return 0;
}

/** Those that are set; the others are the server's own. */
function limitsOf({ maxAnswers, maxTokens }: ServeModelOptions): Partial<RequestLimits> {
  return {
    ...(maxAnswers !== undefined && { answers: maxAnswers }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
  };
}

function nameOf(path: string, folderName: string): string {
  const [, repository] = /^hf:\/\/([^/@]+\/[^/@]+)/.exec(path) ?? [];
  return repository === undefined ? folderName : basename(repository);
}

interface ServeModelOptions {
  readonly path: string;
  readonly host: string;
  readonly port: number;
  readonly name?: string;
  readonly batchSize?: number;
  readonly maxAnswers?: number;
  readonly maxTokens?: number;
}

/** Reads the arguments of `typecase serve-model`, or prints its help and gives undefined. */
function parseServeModelOptions(args: readonly string[]): ServeModelOptions | undefined {
  const parsed = parseArguments(describeServeModel(), args);
  return parsed && { ...parsed.opts(), path: parsed.processedArgs[0] };
}

function describeServeModel(): Command {
  return new Command('typecase serve-model')
    .description("Serves a local ONNX model in the way of OpenAI's API.")
    .argument(
      '<model>',
      'folder of the model, an .onnx file in it, hf://owner/name, or typecase-tiny',
    )
    .option('--port <number>', 'port to listen on; 0 for any free one', portValue, 8000)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--name <name>', "what the API calls the model; the folder's name by default")
    .option('--batch-size <number>', 'the most texts that are computed together', countValue)
    .option(
      '--max-answers <number>',
      'the most answers that one request may ask for, prompts times n (default: 1024)',
      countValue,
    )
    .option(
      '--max-tokens <number>',
      'the most tokens of one request, read and written (default: 1000000)',
      countValue,
    )
    .helpOption('-h, --help', 'this text');
}
