import type { RunControl } from '../../run/run-control.ts';
import type { Terminal } from '../terminal.ts';

/** A request that waits longer than this for its answer is named. */
const namedAfterMs = 30_000;

/** Shows how a run comes along: one line that is rewritten on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #control: Pick<RunControl, 'progress' | 'countRows'>;
  /** How many rows there are, once they are counted. */
  #total: number | undefined;
  readonly #stream: NodeJS.WriteStream;
  readonly #terminal: Terminal;
  readonly #timer: NodeJS.Timeout;
  readonly #countTimer: NodeJS.Timeout;
  readonly #rows = new Rate();
  readonly #inputTokens = new Rate();
  readonly #outputTokens = new Rate();

  constructor(
    control: Pick<RunControl, 'progress' | 'countRows'>,
    { stream, terminal }: { stream: NodeJS.WriteStream; terminal: Terminal },
  ) {
    this.#control = control;
    this.#stream = stream;
    this.#terminal = terminal;
    this.#timer = setInterval(() => this.#show(), stream.isTTY ? 200 : 5000);
    this.#timer.unref();
    this.#countTimer = setTimeout(() => this.#count(), 1000);
    this.#countTimer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#countTimer);
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[2K');
  }

  /** Counts the rows of a run that takes long enough for anyone to wonder. */
  async #count(): Promise<void> {
    this.#total = await this.#control.countRows();
  }

  #show(): void {
    const line = this.#describe();
    if (!this.#stream.isTTY) this.#stream.write(`${line}\n`);
    else this.#stream.write(`\r\x1b[2K${line.slice(0, this.#terminal.width - 1)}`);
  }

  #describe(): string {
    const sum = this.#control.progress();
    const { slowest } = sum;
    const now = performance.now();
    const rate = this.#rows.at(now, sum.done);
    const [input, output] = [
      this.#inputTokens.at(now, sum.inputTokens),
      this.#outputTokens.at(now, sum.outputTokens),
    ];
    const left = this.#total === undefined ? undefined : this.#total - sum.done;
    // What matters most comes first: narrow terminals cut the line.
    return [
      this.#total === undefined ? `${sum.done} rows` : `${sum.done}/${this.#total} rows`,
      ...(left !== undefined && left > 0 && rate > 0 ? [`${duration(left / rate)} left`] : []),
      `${Math.round(rate)}/s`,
      ...(sum.failed > 0 ? [`${sum.failed} failed`] : []),
      `${sum.inFlight} in flight`,
      ...(sum.reach === undefined ? [] : [sum.reach]),
      ...(slowest && slowest.waitedMs > namedAfterMs
        ? [`row ${slowest.id} of ${slowest.dataset} waits ${duration(slowest.waitedMs / 1000)}`]
        : []),
      ...(sum.waitMs > 1000 ? [`told to wait ${duration(sum.waitMs / 1000)}`] : []),
      ...(sum.outputTokens > 0
        ? [
            `${sum.outputTokens} tokens out`,
            `${Math.round(input)}/s in, ${Math.round(output)}/s out`,
          ]
        : []),
      ...(sum.reused > 0 ? [`${sum.reused} reused`] : []),
    ].join(' · ');
  }
}

/** How fast a number grows in a second, evened out. */
class Rate {
  #last = 0;
  #lastAt = performance.now();
  #rate = 0;

  at(now: number, value: number): number {
    const recent = ((value - this.#last) / Math.max(1, now - this.#lastAt)) * 1000;
    this.#rate = this.#rate === 0 ? recent : this.#rate * 0.7 + recent * 0.3;
    this.#last = value;
    this.#lastAt = now;
    return this.#rate;
  }
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
