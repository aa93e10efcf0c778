import { Command } from 'commander';
import { countValue, portValue } from '../../terminal/option-values.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';

export interface ServeModelOptions {
  readonly path: string;
  readonly host: string;
  readonly port: number;
  readonly name?: string;
  readonly batchSize?: number;
}

/** Reads the arguments of `typecase serve-model`, or prints its help and gives undefined. */
export function parseServeModelOptions(args: readonly string[]): ServeModelOptions | undefined {
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
    .helpOption('-h, --help', 'this text');
}
