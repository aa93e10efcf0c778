import { Command } from 'commander';
import { loadConfig } from '../../config/load-config.ts';
import { modelDefaults } from '../../config/run-defaults.ts';
import { shownAddress } from '../../queue/redis.ts';
import { QueueWorker } from '../../queue/worker.ts';
import { countValue } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
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
    `Worker ${process.pid} at ${shownAddress(queue)}, up to ${concurrency} concurrent requests. Press Ctrl-C to finish requests in flight and stop.\n`,
  );
  await stopSignal();
  process.stderr.write('Finishing requests in flight. Press Ctrl-C again to stop at once.\n');
  await worker.drain();
  return 0;
}

interface WorkerFlags {
  readonly queue?: string | true;
  readonly concurrency: number;
  readonly models?: readonly string[];
}

export function describeWorker(): Command {
  return addExamples(
    new Command('typecase worker')
      .description('Answers the requests of runs that use a queue (`typecase run … --queue`).')
      .argument(
        '[config]',
        'config with models that cannot travel through the queue: functions, headers, provider packages',
      )
      .option(
        '--queue <address>',
        'Redis address, such as redis://host:6379 (default: TYPECASE_QUEUE)',
      )
      .option(
        '--concurrency <n>',
        'maximum concurrent requests',
        countValue,
        modelDefaults.batchSize,
      )
      .option('--models <names...>', 'serve only these models, by abbr'),
    [
      ['on each machine', 'typecase worker --queue redis://10.0.0.5:6379'],
      ['then, anywhere', 'typecase run eval.yaml --queue redis://10.0.0.5:6379'],
    ],
  );
}
