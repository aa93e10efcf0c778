import { countOf } from '../base/format.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { formatInterval, formatScore, scoreStyleOf } from './format-scores.ts';
import { isUnder } from './gate.ts';
import type { GateOptions } from './github-summary.ts';
import { html } from './page.ts';
import { describeReasons } from './score-table.ts';

/**
 * The run as JUnit test results: a suite for each model, a test for each dataset. A score under
 * the mark is a failure; rows that are missing, or a task without any score, are an error.
 *
 * @example
 * junitXml(summary, { failUnder: 0.9 });
 * // '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="first-run"…'
 */
export function junitXml(summary: RunSummary, { failUnder }: GateOptions = {}): string {
  const cases = summary.results.map((result) => ({
    result,
    problem: problemOf(result, { failUnder, summary }),
  }));
  const models = [...new Set(summary.results.map(({ model }) => model))];
  const suites = models.map((model) => {
    const own = cases.filter(({ result }) => result.model === model);
    const attributes = `${attribute('name', model)}${totals(own)}`;
    return `  <testsuite${attributes}>\n${own.map(testCase).join('')}  </testsuite>\n`;
  });
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites${attribute('name', summary.name)}${totals(cases)}>\n${suites.join('')}</testsuites>\n`
  );
}

interface Case {
  readonly result: TaskResult;
  readonly problem: Problem | undefined;
}

interface Problem {
  readonly kind: 'failure' | 'error';
  readonly type: string;
  readonly message: string;
}

function problemOf(
  result: TaskResult,
  { failUnder, summary }: { readonly failUnder: number | undefined; readonly summary: RunSummary },
): Problem | undefined {
  const { score, rows } = result;
  if (rows.missing > 0) {
    const message = `${countOf(rows.missing, 'row')} of ${rows.total} missing`;
    return { kind: 'error', type: 'incomplete', message };
  }
  if (!score) {
    const message = `none of ${countOf(rows.total, 'row')} has a score`;
    return { kind: 'error', type: 'no-score', message };
  }
  if (failUnder === undefined || !isUnder(result, failUnder)) return undefined;
  const style = scoreStyleOf(summary);
  const shown = `${formatScore(score.value, style, result)} ${formatInterval(score, style, result)}`;
  const side = result.direction === 'lower' ? 'above' : 'under';
  const mark = formatScore(failUnder, style, result);
  const message = `${result.metric} is ${shown}, ${side} ${mark}`;
  return { kind: 'failure', type: 'fail-under', message };
}

function testCase({ result, problem }: Case): string {
  const { dataset, model, metric, score, rows, seconds, metrics = [] } = result;
  const properties = [
    ...(score ? [['metric', metric] as const, ['score', score.value] as const] : []),
    ...(score ? [['low', score.low] as const, ['high', score.high] as const] : []),
    ...metrics.flatMap(({ name, score: { value, low, high } }) => [
      [`metric.${name}`, value] as const,
      [`metric.${name}.low`, low] as const,
      [`metric.${name}.high`, high] as const,
    ]),
    ...Object.entries(rows).map(([name, count]) => [`rows.${name}`, count] as const),
  ].map(
    ([name, value]) =>
      `        <property${attribute('name', name)}${attribute('value', value)}/>\n`,
  );
  const reasons = describeReasons(result);
  const head = `${attribute('name', dataset)}${attribute('classname', model)}${attribute('time', seconds)}`;
  return [
    `    <testcase${head}>\n      <properties>\n${properties.join('')}      </properties>\n`,
    problem &&
      `      <${problem.kind}${attribute('type', problem.type)}${attribute('message', problem.message)}/>\n`,
    reasons && `      <system-out>${escapeXml(reasons)}</system-out>\n`,
    '    </testcase>\n',
  ]
    .filter(Boolean)
    .join('');
}

function totals(cases: readonly Case[]): string {
  const count = (kind: Problem['kind']) =>
    cases.filter(({ problem }) => problem?.kind === kind).length;
  const seconds = cases.reduce((sum, { result }) => sum + result.seconds, 0);
  return (
    attribute('tests', cases.length) +
    attribute('failures', count('failure')) +
    attribute('errors', count('error')) +
    attribute('time', Number(seconds.toFixed(3)))
  );
}

// XML has no room for most control characters.
function escapeXml(text: string): string {
  const clean = text.replaceAll(
    /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
    '\ufffd',
  );
  return html`${clean}`.toString();
}

function attribute(name: string, value: string | number): string {
  return ` ${name}="${escapeXml(String(value))}"`;
}
