import type { ConfigPath } from '../../errors.ts';
import { checkFields, namedFields } from '../../prompt/diagnostics.ts';
import { compilePrompt } from '../../prompt/program.ts';
import { fillPrompt } from '../../prompt/render.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { extractAnswer } from '../create-scorer.ts';
import { fencedBlocks, withoutBlankLines } from '../extract/code-block.ts';
import type { Extractor } from '../extract/extractor.ts';
import { unscored } from '../row-score.ts';
import type { RowScore, Scorer } from '../scorer.ts';
import { escapePattern } from '../text-matching.ts';
import type { JavascriptTests } from './javascript-tests.ts';
import { type LanguageName, languages } from './languages.ts';
import type { Limits, SandboxResult } from './sandbox.ts';

export interface CodeSettings {
  readonly language: LanguageName;
  /** What is run after the answer; columns as in any template, those of lists line by line. */
  readonly test: string;
  /** What is run before the answer. */
  readonly setup?: string | undefined;
  /** The column with the name that the answer must define: of several blocks, the last such. */
  readonly entryPoint?: string | undefined;
  readonly limits: Limits;
  readonly extractorsOf?: ((row: Row) => readonly Extractor[]) | undefined;
  /** Where these settings stand in the config. */
  readonly path?: ConfigPath | undefined;
}

const outcomes = ['passed', 'failed assertion', 'error', 'timed out', 'out of memory'] as const;
type Outcome = (typeof outcomes)[number];

/**
 * Runs the code of an answer with the row's tests, in a separate process with limits.
 *
 * @example
 * const limits = { timeoutMs: 5000, memoryMb: 512 };
 * const scorer = createCodeScorer({ language: 'javascript', test: '{test}', limits });
 * const answer = splitAnswer('```js\nconst twice = (n) => 2 * n;\n```');
 * const row = { test: 'if (twice(2) !== 4) throw new Error()' };
 * await scorer.scoreLater?.({ answer, gold: undefined, row }, signal);
 * // { type: 'scored', value: 1, compared: { got: 'passed', want: 'passed' }, … }
 */
export function createCodeScorer(settings: CodeSettings): Scorer {
  const { language, limits, extractorsOf, path = [] } = settings;
  const fillTest = textTemplate(settings.test);
  const fillSetup = textTemplate(settings.setup ?? '');
  const { program } = languages[language];
  return {
    metric: 'accuracy',
    direction: 'higher',
    range: [0, 1],
    traits: outcomes.map((name) => ({ name: measureOf(name), direction: 'higher', range: [0, 1] })),
    columns: [
      ...fillTest.fields.map((name) => ({ name, path: [...path, 'test'] })),
      ...fillSetup.fields.map((name) => ({ name, path: [...path, 'setup'] })),
    ],
    score: () => unscored('not run yet'),
    async scoreLater(input, signal, stop = signal) {
      const { row } = input;
      const extracted = extractAnswer(input, extractorsOf?.(row) ?? [answerCode(row, settings)]);
      if (extracted.type === 'unscored') return extracted;
      const [tests, setup] = [fillTest.fill(row), fillSetup.fill(row)];
      if (tests.type === 'missing') return unscored('no tests', tests.message);
      if (setup.type === 'missing') return unscored('no setup', setup.message);
      if (tests.text.trim() === '') return unscored('no tests');
      const read = await readBefore(language, tests.text);
      if (read?.runNothing) {
        return unscored('unusable tests', 'they define functions or classes but call none of them');
      }
      const [{ prepareLanguage }, { runInSandbox }] = await sandboxed();
      const { file, sandbox } = await prepareLanguage(language);
      const answer = setup.text === '' ? extracted.value : `${setup.text}\n${extracted.value}`;
      const result = await runInSandbox(sandbox, {
        interpreter: file,
        program: program({
          answer,
          tests: tests.text,
          watched: read?.watched,
          memoryMb: limits.memoryMb,
        }),
        limits,
        signal: stop,
      });
      return codeScore(extracted.value, result);
    },
  };
}

/** Tests of Python are read by Python itself. */
async function readBefore(
  language: LanguageName,
  tests: string,
): Promise<JavascriptTests | undefined> {
  if (language === 'python') return undefined;
  const { readTests } = await import('./javascript-tests.ts');
  return readTests(tests);
}

/** Only where code is run. */
function sandboxed() {
  return Promise.all([import('./prepare-language.ts'), import('./sandbox.ts')]);
}

type FilledText =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'missing'; readonly message: string };

/** Fills the columns of a row into a text. */
function textTemplate(template: string): {
  readonly fields: readonly string[];
  readonly fill: (row: Row) => FilledText;
} {
  const program = compilePrompt({ promptTemplate: { template } });
  return {
    fields: namedFields(program),
    fill(row) {
      const values = Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, codeText(value)]),
      );
      const [missing] = checkFields(program, Object.keys(values));
      if (missing) return { type: 'missing', message: missing.message };
      const prompt = fillPrompt(program, values);
      return { type: 'text', text: prompt.type === 'text' ? prompt.text : '' };
    },
  };
}

function codeText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(formatValue).join('\n') : formatValue(value);
}

/** The code of an answer: a fenced block of the language, or all of an answer without any. */
function answerCode(row: Row, { language, entryPoint }: CodeSettings): Extractor {
  const { tags, definers } = languages[language];
  const name = entryPoint === undefined ? '' : escapePattern(codeText(row[entryPoint]));
  const definition = new RegExp(`\\b(?:${definers.join('|')})\\s+${name}\\b`);
  return {
    name: 'code',
    extract(text) {
      const blocks = fencedBlocks(text);
      if (blocks.length === 0) return withoutBlankLines(text, 0, text.length);
      const own = blocks.filter(({ tag }) => tags.includes(tag));
      const usable = own.length > 0 ? own : blocks.filter(({ tag }) => tag === '');
      const defining = name && usable.findLast(({ value }) => definition.test(value));
      return defining || usable.at(-1);
    },
  };
}

function measureOf(outcome: Outcome): string {
  return outcome.replaceAll(' ', '_');
}

function codeScore(code: string, result: SandboxResult): RowScore {
  const { report } = result;
  if (report?.outcome === 'bad tests') return unscored('unusable tests', report.detail);
  const outcome = outcomeOf(result);
  const metrics = outcomes.map((name) => [measureOf(name), Number(name === outcome)]);
  return {
    type: 'scored',
    value: Number(outcome === 'passed'),
    extracted: code,
    compared: { got: outcome, want: 'passed' },
    metrics: Object.fromEntries(metrics),
    detail: (isBroken(result) || !report ? detailOf(result) : report.detail) || undefined,
  };
}

/** Whether a program took too much of something, whatever it reported before. */
function isBroken({ ended }: SandboxResult): boolean {
  return ended === 'memory' || ended === 'processes' || ended === 'disk' || ended === 'output';
}

function outcomeOf(result: SandboxResult): Outcome {
  const { ended, code, output, report } = result;
  if (isBroken(result)) return ended === 'memory' ? 'out of memory' : 'error';
  if (report?.outcome === 'passed') return 'passed';
  if (report?.outcome === 'failed') return 'failed assertion';
  if (report?.outcome === 'memory') return 'out of memory';
  if (report) return 'error';
  // 152: the signal for too much time on the processor.
  if (ended === 'time' || code === 152) return 'timed out';
  const isOutOfMemory = code === 137 || /heap out of memory|MemoryError/.test(output);
  return ended === 'itself' && isOutOfMemory ? 'out of memory' : 'error';
}

function detailOf({ ended, code, output }: SandboxResult): string | undefined {
  if (ended === 'output') return 'too much output';
  if (ended === 'processes') return 'too many processes';
  if (ended === 'disk') return 'too much on disk';
  if (ended === 'memory') return undefined;
  if (ended === 'time' || code === 0) {
    return ended === 'time' ? undefined : 'the program ended before the tests did';
  }
  return output.trim().slice(-1000);
}
