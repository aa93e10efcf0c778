import { countOf } from '../base/format.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { hasInterval } from '../stats/estimate.ts';
import { describeEvents } from './describe-events.ts';
import { figuresOf } from './describe-gates.ts';
import { scoreStyleOf } from './format-scores.ts';
import { failedGates } from './gate.ts';
import { nameRows } from './name-rows.ts';
import { html } from './page.ts';
import type { TaskRows } from './report-rows.ts';
import { describeReasons } from './score-table.ts';

/** How many rows of a dataset are named. */
const namedRows = 10;

/**
 * The run as JUnit test results: a suite for each model, a test for each dataset. A gate that is
 * missed is a failure with its figures; rows that are missing, or a task without any score, are an
 * error. Some rows that are not right are named in it.
 *
 * @example
 * junitXml(summary); // '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="first-run"…'
 */
export function junitXml(summary: RunSummary, tasks: readonly TaskRows[] = []): string {
  const cases = summary.results.map((result) => ({
    result,
    problem: problemOf(result, summary),
    details: [
      describeReasons(result),
      ...describeEvents(result),
      ...nameRows(result, { tasks, limit: namedRows }),
    ]
      .filter((line) => line !== '')
      .join('\n'),
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
  /** Why rows have no score, and rows that are not right. */
  readonly details: string;
}

interface Problem {
  readonly kind: 'failure' | 'error';
  readonly type: string;
  readonly message: string;
}

function problemOf(result: TaskResult, summary: RunSummary): Problem | undefined {
  const { score, rows } = result;
  if (rows.missing > 0) {
    const message = `${countOf(rows.missing, 'row')} of ${rows.total} missing`;
    return { kind: 'error', type: 'incomplete', message };
  }
  if (!score) {
    const message = `none of ${countOf(rows.total, 'row')} has a score`;
    return { kind: 'error', type: 'no-score', message };
  }
  const missed = failedGates(summary).filter(
    ({ model, dataset }) => model === result.model && dataset === result.dataset,
  );
  const [first] = missed;
  if (!first) return undefined;
  const style = scoreStyleOf(summary);
  const message = missed.map((gate) => figuresOf(gate, result, style)).join('; ');
  return { kind: 'failure', type: first.gate.replace('_', '-'), message };
}

function testCase({ result, problem, details }: Case): string {
  const { dataset, model, metric, score, allRows, rows, seconds, metrics = [], partial } = result;
  const properties = [
    ...(score ? [['metric', metric] as const, ['score', score.value] as const] : []),
    ...(hasInterval(score) && !partial
      ? [['low', score.low] as const, ['high', score.high] as const]
      : []),
    ...(allRows ? [['allRows', allRows.value] as const] : []),
    ...metrics.flatMap(({ name, score: other, allRows: all, rows: count }) => [
      [`metric.${name}`, other.value] as const,
      ...(all ? [[`metric.${name}.allRows`, all.value] as const] : []),
      ...(count === undefined ? [] : [[`metric.${name}.rows`, count] as const]),
      ...(hasInterval(other) && !partial
        ? [[`metric.${name}.low`, other.low] as const, [`metric.${name}.high`, other.high] as const]
        : []),
    ]),
    ...Object.entries(rows).map(([name, count]) => [`rows.${name}`, count] as const),
  ].map(
    ([name, value]) =>
      `        <property${attribute('name', name)}${attribute('value', value)}/>\n`,
  );
  const head = `${attribute('name', dataset)}${attribute('classname', model)}${attribute('time', seconds)}`;
  return [
    `    <testcase${head}>\n      <properties>\n${properties.join('')}      </properties>\n`,
    problem
      ? problemElement(problem, details)
      : details && `      ${element('system-out', details)}\n`,
    '    </testcase>\n',
  ]
    .filter(Boolean)
    .join('');
}

function problemElement({ kind, type, message }: Problem, details: string): string {
  const attributes = attribute('type', type) + attribute('message', message);
  return `      ${element(kind, details, attributes)}\n`;
}

function element(name: string, text: string, attributes = ''): string {
  return text === ''
    ? `<${name}${attributes}/>`
    : `<${name}${attributes}>${escapeXml(text)}</${name}>`;
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
