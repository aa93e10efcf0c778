import stringWidth from 'fast-string-width';
import { formatCount, oneLine } from '../../base/format.ts';
import {
  type EvaluationProgress,
  Rate,
  RowRate,
  type RunControl,
  type RunProgress,
} from '../../run/run-control.ts';
import type { Terminal } from '../terminal.ts';

/** A request that waits longer than this for its answer is named. */
const namedAfterMs = 30_000;
const barWidth = 20;
/** Evaluations that have a line of their own. */
const mostLines = 8;

/** Shows how a run comes along: lines that are rewritten on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #control: Pick<RunControl, 'progress'>;
  readonly #stream: NodeJS.WriteStream;
  readonly #terminal: Terminal;
  /** Whether the terminal can take lines back. */
  readonly #isRewritten: boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #countTimer: NodeJS.Timeout;
  readonly #rows = new RowRate();
  readonly #inputTokens = new Rate();
  readonly #outputTokens = new Rate();
  /** Lines on the terminal above the one that the cursor is in. */
  #above = 0;

  constructor(
    control: Pick<RunControl, 'progress' | 'countRows'>,
    { stream, terminal }: { stream: NodeJS.WriteStream; terminal: Terminal },
  ) {
    this.#control = control;
    this.#stream = stream;
    this.#terminal = terminal;
    this.#isRewritten = stream.isTTY === true && process.env.TERM !== 'dumb';
    this.#timer = setInterval(() => this.#show(), this.#isRewritten ? 200 : 5000);
    this.#timer.unref();
    // Rows are counted in a run that takes long enough for anyone to wonder.
    this.#countTimer = setTimeout(() => control.countRows(), 1000);
    this.#countTimer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#countTimer);
    if (this.#isRewritten) this.#stream.write(this.#erase());
  }

  #show(): void {
    const progress = this.#control.progress();
    const line = this.#describe(progress);
    if (!this.#isRewritten) {
      this.#stream.write(`${line}\n`);
      return;
    }
    const { done, total } = progress;
    const bar = total === undefined ? '' : `${barOf(done / total)} `;
    const lines = [...this.#evaluationLines(progress.evaluations), `${bar}${line}`];
    const erased = this.#erase();
    this.#above = lines.length - 1;
    const columns = (this.#stream.columns || this.#terminal.width) - 1;
    const cut = lines.map((text) => cutTo(text, columns));
    this.#stream.write(`${erased}${cut.join('\n')}`);
  }

  /** Removes what was shown last. */
  #erase(): string {
    const up = '\x1b[1A\x1b[2K'.repeat(this.#above);
    this.#above = 0;
    return `\r\x1b[2K${up}`;
  }

  /** Those that have begun and are not done, where there are several evaluations. */
  #evaluationLines(evaluations: readonly EvaluationProgress[]): string[] {
    if (evaluations.length < 2) return [];
    const open = evaluations.filter(({ done, total }) => done > 0 && done !== total);
    const room = Math.max(1, Math.min(mostLines, (this.#stream.rows || 24) - 3));
    const shown = open.slice(0, room);
    const names = shown.map(({ model, dataset }) => nameOf(model, dataset));
    const width = Math.max(0, ...names.map((name) => stringWidth(name)));
    const lines = shown.map(({ done, failed, total, ...rest }, index) => {
      const bar = total === undefined ? '' : `${barOf(done / total)} `;
      const rows =
        total === undefined ? formatCount(done) : `${formatCount(done)}/${formatCount(total)}`;
      const parts = [rows, ...scoreOf([rest]), ...(failed > 0 ? [`${failed} failed`] : [])];
      const name = names[index] ?? '';
      const padding = ' '.repeat(width - stringWidth(name));
      return `${name}${padding} ${bar}${parts.join(' · ')}`;
    });
    const more = open.length - shown.length;
    return more > 0 ? [...lines, `and ${formatCount(more)} more`] : lines;
  }

  #describe(sum: RunProgress): string {
    const { slowest, total } = sum;
    const now = performance.now();
    const { perSecond, secondsLeft } = this.#rows.at(now, sum);
    const [input, output] = [
      this.#inputTokens.at(now, sum.inputTokens),
      this.#outputTokens.at(now, sum.outputTokens),
    ];
    const done = formatCount(sum.done);
    // What matters most comes first: narrow terminals cut the line.
    return [
      total === undefined ? `${done} rows` : `${done}/${formatCount(total)} rows`,
      ...(sum.waitMs > 1000
        ? [`waiting ${duration(sum.waitMs / 1000)}: the server asked for a pause`]
        : []),
      ...scoreOf(sum.evaluations),
      ...(secondsLeft === undefined ? [] : [`${duration(secondsLeft)} left`]),
      `${formatCount(Math.round(perSecond))}/s`,
      ...(sum.failed > 0 ? [`${formatCount(sum.failed)} failed`] : []),
      `${formatCount(sum.inFlight)} in flight`,
      ...(sum.reach === undefined ? [] : [sum.reach]),
      ...(slowest && slowest.waitedMs > namedAfterMs
        ? [
            `row ${slowest.id} of ${oneLine(slowest.dataset)} waiting for ${duration(slowest.waitedMs / 1000)}`,
          ]
        : []),
      ...(sum.outputTokens > 0
        ? [
            `${formatCount(sum.outputTokens)} tokens out`,
            `${formatCount(Math.round(input))}/s in, ${formatCount(Math.round(output))}/s out`,
          ]
        : []),
      ...(sum.reused > 0 ? [`${formatCount(sum.reused)} reused`] : []),
    ].join(' · ');
  }
}

/**
 * As much of a line as fits: characters of Chinese and Japanese take two columns. The library's own cut
 * leaves the characters of bars out of account.
 */
function cutTo(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let used = 0;
  const characters = Array.from(text);
  const end = characters.findIndex((character) => {
    used += stringWidth(character);
    return used > columns;
  });
  return characters.slice(0, end).join('');
}

function nameOf(model: string, dataset: string): string {
  return oneLine(`${model} on ${dataset}`);
}

function barOf(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
}

/** The mean score of the rows scored so far; of several evaluations only where all of them are shares. */
function scoreOf(
  evaluations: readonly Pick<EvaluationProgress, 'scored' | 'score'>[],
): readonly string[] {
  const rows = evaluations.reduce((sum, { scored }) => sum + scored, 0);
  const isShare = evaluations.every(({ score = 0 }) => score >= 0 && score <= 1);
  if (rows === 0 || !isShare) return [];
  const sum = evaluations.reduce((total, { scored, score = 0 }) => total + scored * score, 0);
  return [`score ${((sum / rows) * 100).toFixed(1)} so far`];
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
