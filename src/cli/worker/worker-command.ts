import { Command } from 'commander';
import { loadConfig } from '../../config/load-config.ts';
import { modelDefaults } from '../../config/run-defaults.ts';
import { shownAddress } from '../../queue/redis.ts';
import { QueueWorker } from '../../queue/worker.ts';
import { countValue } from '../../terminal/option-values.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import { queueAddress } from '../../terminal/run/run-options.ts';
import { stopSignal } from '../../terminal/serving.ts';

/** `typecase worker`: answers requests of runs that go through a queue, until it is told to stop. */
export async function runWorker(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeWorker(), args);
  if (!parsed) return 0;
  const { concurrency, models, queue: given = true }: WorkerFlags = parsed.opts();
  const [source] = parsed.processedArgs;
  const { queue = '' } = queueAddress(given, { command: 'worker' });
  const abort = new AbortController();
  const worker = await QueueWorker.open({
    queue,
    concurrency,
    models,
    config: source === undefined ? undefined : await loadConfig(source),
    signal: abort.signal,
    onEvent: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(
    `Worker ${process.pid} at ${shownAddress(queue)}, ${concurrency} requests at once. Ctrl-C finishes what is in flight and stops.\n`,
  );
  await stopSignal();
  process.stderr.write('Finishing what is in flight. Ctrl-C again stops at once.\n');
  await worker.drain();
  return 0;
}

interface WorkerFlags {
  readonly queue?: string | true;
  readonly concurrency: number;
  readonly models?: readonly string[];
}

function describeWorker(): Command {
  return new Command('typecase worker')
    .description('Asks models for runs that go through a queue (`typecase run … --queue`).')
    .argument(
      '[config]',
      'config whose models it knows itself: needed for functions, headers and provider packages',
    )
    .option('--queue <address>', 'Redis, such as redis://host:6379 (default: TYPECASE_QUEUE)')
    .option(
      '--concurrency <n>',
      'at most so many requests at once',
      countValue,
      modelDefaults.batchSize,
    )
    .option('--models <names...>', 'answer for these models only, by their abbr')
    .helpOption('-h, --help', 'this text');
}
