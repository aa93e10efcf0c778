import { extname } from 'node:path';
import { countOf } from '../../../base/format.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { loadEncoder } from '../../../evaluation/load-encoder.ts';
import type { Encode } from '../../../model/request-body.ts';
import { writeWhole } from '../../../run/store/write-whole.ts';
import { describeTerminal } from '../../../terminal/terminal.ts';
import type { ImageEncoder } from '../cache-study/images/image-encoder.ts';
import type { CacheLayers } from '../cache-study/simulate.ts';
import { type Experiment, openExperiments } from '../settings/open-experiments.ts';
import { buildLayers } from './build-layers.ts';
import { collectSamples, type StudySamples } from './collect-samples.ts';
import { jsonStudy } from './json-study.ts';
import { type Encoder, openEncoder } from './open-encoder.ts';
import { pageOfStudy } from './page-of-study.ts';
import { prefixSettingsOf } from './prefix-options.ts';
import { renderStudy } from './render-study.ts';
import { runStudy, type StudyResult } from './run-study.ts';
import { parseStudyOptions, type StudyOptions, studySettings } from './study-options.ts';
import { studyPage } from './study-page.ts';
import { loggedExperiments } from './summary-log.ts';
import { sweepSvg } from './sweep-svg.ts';
import { writeLogs } from './write-logs.ts';

interface Study {
  readonly result: StudyResult;
  readonly samples: StudySamples;
}

/** `typecase cache-study`: what a cache of answers would save on a dataset. */
export async function runCacheStudy(args: readonly string[]): Promise<number> {
  if (namesConfig(args)) {
    const { runPrefixStudy } = await import('./prefix-command.ts');
    return runPrefixStudy(args);
  }
  const options = parseStudyOptions(args);
  if (!options) return 0;
  checkReport(options);
  const studies = await makeStudies(options);
  if (studies.length === 0) return 0;
  if (options.report !== undefined) await writeReport(options.report, studies);
  if (options.json) {
    const [first, ...others] = studies.map(({ result }) => jsonStudy(result));
    const printed = isSpec(options) ? [first, ...others].filter(Boolean) : first;
    process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`);
  } else {
    const terminal = describeTerminal(process.stdout);
    const texts = studies.map(({ result, samples }) =>
      renderStudy(result, { samples, terminal, shownPairs: options.reportLimit }).join('\n'),
    );
    process.stdout.write(`${texts.join('\n\n')}\n`);
  }
  return 0;
}

/** A config comes first: its run is studied, not a dataset of GQA. */
function namesConfig([first = '-']: readonly string[]): boolean {
  return !first.startsWith('-');
}

function isSpec({ spec, specs }: StudyOptions): boolean {
  return (spec ?? specs) !== undefined;
}

async function makeStudies(options: StudyOptions): Promise<Study[]> {
  const { compat, sweep, maxWrong, tokenizer } = options;
  // what a terminal shows is short: a grid is for pages and machines, or for those who ask
  const isForPage = options.report !== undefined || options.json === true;
  const grid = options.grid ?? (isForPage ? undefined : false);
  const experiments = await withoutLogged(
    await openExperiments(options, studySettings(options)),
    options,
  );
  const encode = tokenizer === undefined ? undefined : await openTokenizer(tokenizer);
  const encoder = await openEncoder(options, compat);
  const imageEncoder =
    options.imageEncoder === undefined ? undefined : await openImages(options.imageEncoder);
  const { signal } = new AbortController();
  const studies: Study[] = [];
  try {
    for (const experiment of experiments) {
      const { settings } = experiment;
      const samples = await collectSamples(experiment, compat);
      reportMissingImages(samples, imageEncoder);
      const layers = await experiment.placing(() =>
        buildLayers({ experiment, samples, encoder, imageEncoder, options, signal }),
      );
      const asked = { sweep, grid, maxWrong, onProgress: showProgress };
      const result = runStudy({
        settings,
        samples,
        layers,
        encode,
        prefixSettings: prefixSettingsOf(options),
        encoder: encoderOf(layers, { encoder, options }),
        ...asked,
      });
      showProgress();
      const isOneOfMany = experiments.length > 1;
      await writeLogs({ experiment, samples, layers, result, options, isOneOfMany });
      studies.push({ result, samples });
    }
  } finally {
    await encoder.close?.();
    await imageEncoder?.close();
  }
  return studies;
}

/** What made the vectors, as far as they were not given. */
function encoderOf(
  { embedding, semantic }: CacheLayers,
  { encoder, options }: { readonly encoder: Encoder; readonly options: StudyOptions },
): string {
  const names = [...embedding, ...(semantic ? [semantic] : [])].map(({ name }) => name);
  const areGiven = names.length > 0 && names.every((name) => options.vectors.has(name));
  return areGiven ? 'given vectors' : encoder.name;
}

/** Leaves out what an earlier run has logged, if that is wanted. */
async function withoutLogged(
  experiments: readonly Experiment[],
  { resume, summaryLog }: StudyOptions,
): Promise<readonly Experiment[]> {
  if (!resume || summaryLog === undefined) return experiments;
  const logged = await loggedExperiments(summaryLog);
  return experiments.filter(({ settings }) => {
    const isLogged = logged.has(settings.name ?? '');
    if (isLogged) process.stderr.write(`${settings.name} is already in ${summaryLog}: skipped.\n`);
    return !isLogged;
  });
}

/** Shows how far a study is, on a line that is rewritten; an empty text wipes it off. */
function showProgress(text = ''): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}

async function openImages(folder: string): Promise<ImageEncoder> {
  const { openImageEncoder } = await import('../cache-study/images/image-encoder.ts');
  return openImageEncoder(folder);
}

/** Says how many samples have no image, where images are compared. */
function reportMissingImages(
  { images }: StudySamples,
  imageEncoder: ImageEncoder | undefined,
): void {
  const missing = images.filter((image) => image === undefined).length;
  if (!imageEncoder || missing === 0) return;
  process.stderr.write(
    `${missing} of ${countOf(images.length, 'image')} were not found: these samples have no image vector.\n`,
  );
}

function openTokenizer(file: string): Promise<Encode> {
  return loadEncoder(file, ['--tokenizer']);
}

function checkReport({ report, sweep }: StudyOptions): void {
  if (report === undefined) return;
  const extension = extname(report).toLowerCase();
  if (extension === '.html' || (extension === '.svg' && sweep !== false)) return;
  if (extension === '.svg') {
    throw new UsageError('usage.conflicting_options', 'A plot needs the thresholds of a sweep', {
      hint: 'Omit `--no-sweep`, or use a file that ends in .html.',
    });
  }
  throw new UsageError('gqa.unknown_report', `${report} is not a supported kind of report`, {
    hint: 'Use a file that ends in .html, or in .svg for the plot of a sweep.',
  });
}

async function writeReport(file: string, studies: readonly Study[]): Promise<void> {
  const [first] = studies;
  const isPlot = extname(file).toLowerCase() === '.svg';
  await writeWhole(
    file,
    isPlot && first ? sweepSvg(first.result).toString() : await pageOfStudy(studyPage(studies)),
  );
}
