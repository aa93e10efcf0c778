import { Command } from 'commander';
import { verifyBundle, writeBundle } from '../../api/bundle.ts';
import { displayPath } from '../../base/display-path.ts';
import { countOf, formatCount } from '../../base/format.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { BundleCheck, BundleVerification } from '../../study/bundle/verify-bundle.ts';
import { writeJson } from '../../terminal/output.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { describeTerminal, fitTerminal, type Terminal } from '../../terminal/terminal.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

const doesNotHold = 1;

/** `typecase bundle`: a run as one file that another machine verifies. */
export async function runBundle(args: readonly string[]): Promise<number> {
  const options = parseBundleOptions(args);
  if (!options) return 0;
  const { source, file, verify, json } = options;
  if (verify && file !== undefined) {
    throw new UsageError('usage.conflicting_options', '`--verify` takes one file', {
      hint: 'Give only the bundle: `typecase bundle --verify FILE`.',
    });
  }
  const verified = verify ? await verifyBundle(source) : await writeBundle(source, file);
  if (json) writeJson('bundle', verified);
  else {
    const lines = renderChecks(verified, describeTerminal(process.stdout));
    const written = 'file' in verified ? [`Bundle: ${displayPath(String(verified.file))}`] : [];
    process.stdout.write(fitTerminal(`${[...lines, ...written].join('\n')}\n`, process.stdout));
  }
  return verified.holds ? 0 : doesNotHold;
}

const meanings: Readonly<Record<BundleCheck['kind'], string>> = {
  files: 'unchanged',
  rows: 'match their records',
  requests: 'match the keys in the log',
  prompts: 'rebuilt from template, row and examples',
  scores: 'recomputed from the answers',
  summary: 'recomputed from the scores',
};

function renderChecks(verification: BundleVerification, { colors }: Terminal): string[] {
  const { checks, holds, missing, total, stated } = verification;
  const lacking =
    missing === 0
      ? []
      : [colors.yellow(`${formatCount(missing)} of ${countOf(total, 'row')} are missing.`), ''];
  const lines = checks.flatMap(({ kind, verified, wrong, open }) => [
    `${kind.padEnd(10)}${formatCount(verified)} verified: ${meanings[kind]}`,
    ...wrong.map((text) => `          ${colors.red(`wrong: ${showControls(text)}`)}`),
    ...open.map((text) => `          ${colors.yellow(`not verified: ${showControls(text)}`)}`),
  ]);
  return [
    ...lacking,
    ...lines,
    '',
    `Stated, not verified: ${stated.join(', ')}.`,
    holds
      ? 'Everything that can be verified is correct.'
      : colors.red('The bundle is not correct.'),
  ];
}

interface BundleOptions {
  readonly source: string;
  readonly file?: string;
  readonly verify: boolean;
  readonly json: boolean;
}

/** Reads the arguments of `typecase bundle`, or prints its help and gives undefined. */
function parseBundleOptions(args: readonly string[]): BundleOptions | undefined {
  const parsed = parseArguments(describeBundle(), args);
  if (!parsed) return undefined;
  const [source, file] = parsed.processedArgs;
  const defaults = { verify: false, json: false };
  return { ...defaults, ...parsed.opts(), source, ...(file !== undefined && { file }) };
}

export function describeBundle(): Command {
  return addExamples(
    new Command('typecase bundle')
      .description('Packs a run into one file that another machine can verify.')
      .argument('<run>', 'run folder; with --verify, a bundle')
      .argument('[file]', 'bundle to write (default: <run name>.bundle.zip)')
      .option('--verify', 'verify a bundle; needs neither the run nor its config or data')
      .option('--json', 'print JSON'),
    [
      ['pack a run', 'typecase bundle runs/eval'],
      ['verify it elsewhere', 'typecase bundle --verify eval.bundle.zip'],
    ],
  );
}
