import { basename } from 'node:path';
import { Command } from 'commander';
import { localFolder } from '../../config/local-folder.ts';
import { findLocalModel } from '../../evaluation/find-local-model.ts';
import { openLocal } from '../../model/local/open-local.ts';
import type { RequestLimits } from '../../server/model/request-limits.ts';
import { startModelServer } from '../../server/model/start-model-server.ts';
import { countValue, portValue } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
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
  process.stdout.write(`${name} at ${server.url}/v1\nPress Ctrl-C to stop.\n`);
  await stopSignal();
  process.stderr.write('Finishing requests in flight. Press Ctrl-C again to stop at once.\n');
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

export function describeServeModel(): Command {
  return addExamples(
    new Command('typecase serve-model')
      .description('Serves a local ONNX model with an OpenAI-compatible API.')
      .argument('<model>', 'model folder, .onnx file, hf://owner/name, or typecase-tiny')
      .option('--port <number>', 'port; 0 for any free one', portValue, 8000)
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--name <name>', 'model name in the API (default: folder name)')
      .option('--batch-size <number>', 'maximum texts computed together', countValue)
      .option(
        '--max-answers <number>',
        'maximum answers per request, prompts × n (default: 1024)',
        countValue,
      )
      .option(
        '--max-tokens <number>',
        'maximum tokens per request, in and out (default: 1000000)',
        countValue,
      ),
    [
      ['the built-in model on port 8000', 'typecase serve-model typecase-tiny'],
      ['a model of your own, on any free port', 'typecase serve-model ./my-model --port 0'],
    ],
  );
}
