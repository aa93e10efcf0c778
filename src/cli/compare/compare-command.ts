import { writeFile } from 'node:fs/promises';
import { type CompareOptions as CompareRunsOptions, compareNamed } from '../../api/compare-runs.ts';
import { standAlonePage } from '../../api/stand-alone-page.ts';
import { displayPath } from '../../base/display-path.ts';
import { pickOptions } from '../../config/known-options.ts';
import { openArgument } from '../../import/results/open-argument.ts';
import { brokenGates, compareGateNames } from '../../report/compare/compare-gates.ts';
import { compareMarkdown } from '../../report/compare/compare-markdown.ts';
import { writing } from '../../run/store/write-whole.ts';
import type { Comparison } from '../../study/compare/comparison.ts';
import { folderOfSide } from '../../study/compare/run-side.ts';
import { renderComparison } from '../../terminal/compare/render-comparison.ts';
import { renderFlips } from '../../terminal/compare/render-flips.ts';
import { writeJson } from '../../terminal/output.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { showControls } from '../../terminal/text/show-controls.ts';
import { type CompareOptions, parseCompareOptions } from './compare-options.ts';

const gateFailed = 1;
/** The rows of results do not come to the number that stands in them. */
const otherNumber = 3;
const shownFlips = 5;
/** A page or a program can take more than a screen. */
const keptFlips = 100;

/** `typecase compare`: two runs, row by row. */
export async function runCompare(args: readonly string[]): Promise<number> {
  const options = parseCompareOptions(args);
  if (!options) return 0;
  const { models, level, html, flips } = options;
  const isKept = html !== undefined || options.json;
  const limit = flips ?? (isKept ? keptFlips : shownFlips);
  const { comparison, problems, page } = await compareArguments(options, {
    ...{ models, level, flips: limit },
    why: options.why,
  });
  if (html !== undefined && page !== undefined) await writing(html, () => writeFile(html, page));
  print(comparison, options);
  for (const problem of problems) process.stderr.write(`${showControls(problem)}\n`);
  return judge(comparison, options) || (problems.length > 0 ? otherNumber : 0);
}

interface Compared {
  readonly comparison: Comparison;
  readonly problems: readonly string[];
  /** The page that was asked for. */
  readonly page?: string;
}

/** Results of other harnesses are opened for the comparison alone. */
async function compareArguments(
  { a, b, html, flips }: CompareOptions,
  options: CompareRunsOptions,
): Promise<Compared> {
  const left = await openArgument(a, options.models?.[0]);
  try {
    const right = a === b ? left : await openArgument(b, options.models?.[1]);
    try {
      const comparison = await compareNamed(left, right, options);
      const problems = [...new Set([...left.problems, ...right.problems])];
      if (html === undefined) return { comparison, problems };
      const { exportCompared } = await import('../../server/viewer/export/export-comparison.ts');
      const folders = { a: folderOfSide(left.argument), b: folderOfSide(right.argument) };
      const isWhole = flips !== undefined;
      const { snapshot, text } = await exportCompared(comparison, folders, { isWhole });
      return { comparison, problems, page: await standAlonePage(snapshot, text) };
    } finally {
      await right.close();
    }
  } finally {
    await left.close();
  }
}

function print(comparison: Comparison, options: CompareOptions): void {
  const { json, markdown, html, flips = shownFlips } = options;
  if (json) {
    writeJson('compare', comparison);
    return;
  }
  const shown = withFlips(comparison, flips);
  if (markdown) {
    process.stdout.write(compareMarkdown(shown));
    return;
  }
  const terminal = describeTerminal(process.stdout);
  const lines = [
    ...renderComparison(shown, terminal),
    ...renderFlips(shown, terminal),
    ...(html === undefined ? [] : ['', `Page: ${displayPath(html)}`]),
  ];
  process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
}

function withFlips(comparison: Comparison, limit: number): Comparison {
  return {
    ...comparison,
    tasks: comparison.tasks.map((task) => ({
      ...task,
      flips: { ...task.flips, shown: task.flips.shown.slice(0, limit) },
    })),
  };
}

/** The exit code, with a word on the error channel when a gate fails. */
function judge(comparison: Comparison, options: CompareOptions): number {
  const broken = brokenGates(comparison, pickOptions(options, compareGateNames));
  for (const gate of broken) process.stderr.write(`${showControls(gate)}\n`);
  return broken.length > 0 ? gateFailed : 0;
}
