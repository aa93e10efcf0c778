import { countOf } from '../base/format.ts';
import { isNotRight } from '../run/row-sample.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { hasInterval } from '../stats/estimate.ts';
import { describeEvents } from './describe-events.ts';
import { figuresOf } from './describe-gates.ts';
import { scoreStyleOf } from './format-scores.ts';
import { failedGates } from './gate.ts';
import { html } from './markup.ts';
import { describeCheck, describeEnd, endsOf, type NamedEnd, nameRows } from './name-rows.ts';
import type { TaskRows } from './report-rows.ts';
import { describeReasons } from './score-table.ts';

/** How many rows of a dataset are named in its own test. */
const namedRows = 10;

/**
 * The run as JUnit test results: a suite for each model, with a test for each dataset, for each of its
 * rows and for each check of a row. A gate that is missed is a failure of the dataset, with its figures;
 * rows that are missing, or a task without any score, are an error. A row that is not right is a
 * failure with its reason, or skipped where the dataset passes a gate that allows for some. A run that
 * is held against a baseline has a suite for that, with what it breaks.
 *
 * @example
 * junitXml(summary); // '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="first-run"…'
 */
export function junitXml(summary: RunSummary, tasks: readonly TaskRows[] = []): string {
  const cases = summary.results.map((result): Case => {
    const ends = endsOf(result, tasks);
    const named = nameRows(result, { tasks, limit: namedRows });
    const left = tasks.some((task) => task.ends)
      ? result.rows.total - result.rows.missing - ends.length
      : 0;
    const details = [
      describeReasons(result),
      ...describeEvents(result),
      ...named,
      left > 0
        ? `${countOf(left, 'more row')} without ${left === 1 ? 'its' : 'their'} own test case`
        : '',
    ];
    return {
      result,
      problem: problemOf(result, summary),
      details: details.filter((line) => line !== '').join('\n'),
      rows: ends.flatMap((end) => rowCases(end, isAllowedFor(result, summary))),
    };
  });
  const models = [...new Set(summary.results.map(({ model }) => model))];
  const suites = models.map((model) => {
    const own = cases.filter(({ result }) => result.model === model);
    const attributes = `${attribute('name', model)}${totals(own)}`;
    return `  <testsuite${attributes}>\n${own.map(testCases).join('')}  </testsuite>\n`;
  });
  const against = baselineCases(summary);
  if (against.length > 0) {
    const attributes = `${attribute('name', 'baseline')}${totals([], against)}`;
    const tests = against.map((one) => rowCase(one, attribute('classname', 'baseline')));
    suites.push(`  <testsuite${attributes}>\n${tests.join('')}  </testsuite>\n`);
  }
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites${attribute('name', summary.name)}${totals(cases, against)}>\n${suites.join('')}</testsuites>\n`
  );
}

interface Case {
  readonly result: TaskResult;
  readonly problem: Problem | undefined;
  /** Why rows have no score, and rows that are not right. */
  readonly details: string;
  readonly rows: readonly RowCase[];
}

/** A row, or a check of one. */
interface RowCase {
  readonly name: string;
  readonly seconds: number;
  readonly problem: Problem | undefined;
}

interface Problem {
  readonly kind: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
}

/** One test: what the run breaks of the gates that hold it to an earlier one. */
function baselineCases({ baseline }: RunSummary): RowCase[] {
  if (!baseline) return [];
  const { folder, broken } = baseline;
  const problem =
    broken.length > 0
      ? ({ kind: 'failure', type: 'baseline', message: broken.join(' ') } as const)
      : undefined;
  return [{ name: `${folder} (A), this run (B)`, seconds: 0, problem }];
}

/** Whether a gate lets some rows of a task be wrong, and none is missed. */
function isAllowedFor(
  { model, dataset }: TaskResult,
  { gates = [], baseline }: RunSummary,
): boolean {
  const own = gates.filter((gate) => gate.model === model && gate.dataset === dataset);
  const { gates: compared = [], broken = [] } = baseline ?? {};
  const allows = own.some(({ gate }) => gate === 'fail_under') || compared.length > 0;
  return allows && broken.length === 0 && own.every(({ passed }) => passed);
}

function rowCases(end: NamedEnd, isAllowed: boolean): RowCase[] {
  const { id, checks = [], ms = 0 } = end;
  const kind = isAllowed ? 'skipped' : end.outcome === 'failed' ? 'error' : 'failure';
  const problem = isNotRight(end)
    ? ({ kind, type: end.verdict, message: describeEnd(end) } as const)
    : undefined;
  return [
    { name: `row ${id}`, seconds: ms / 1000, problem },
    ...checks.map((check) => ({
      name: `row ${id}: ${check.name}`,
      seconds: 0,
      problem: check.passed
        ? undefined
        : ({
            kind: isAllowed || !problem ? 'skipped' : 'failure',
            type: 'check',
            message: describeCheck(check),
          } as const),
    })),
  ];
}

function problemOf(result: TaskResult, summary: RunSummary): Problem | undefined {
  const { score, rows } = result;
  if (rows.missing > 0) {
    const message = `${countOf(rows.missing, 'row')} of ${rows.total} missing`;
    return { kind: 'error', type: 'incomplete', message };
  }
  if (result.partial) return { kind: 'error', type: 'incomplete', message: 'some rows missing' };
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

function testCases(one: Case): string {
  const { model, dataset } = one.result;
  const classname = attribute('classname', `${model}.${dataset}`);
  return testCase(one) + one.rows.map((row) => rowCase(row, classname)).join('');
}

function rowCase({ name, seconds, problem }: RowCase, classname: string): string {
  const head = `    <testcase${attribute('name', name)}${classname}${attribute('time', seconds)}`;
  return problem ? `${head}>\n${problemElement(problem, '')}    </testcase>\n` : `${head}/>\n`;
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
  const attributes =
    (kind === 'skipped' ? '' : attribute('type', type)) + attribute('message', message);
  return `      ${element(kind, details, attributes)}\n`;
}

function element(name: string, text: string, attributes = ''): string {
  return text === ''
    ? `<${name}${attributes}/>`
    : `<${name}${attributes}>${escapeXml(text)}</${name}>`;
}

function totals(cases: readonly Case[], others: readonly RowCase[] = []): string {
  const all = [...cases.flatMap((one) => [one, ...one.rows]), ...others];
  const count = (kind: Problem['kind']) =>
    all.filter(({ problem }) => problem?.kind === kind).length;
  const seconds = cases.reduce((sum, { result }) => sum + result.seconds, 0);
  return (
    attribute('tests', all.length) +
    attribute('failures', count('failure')) +
    attribute('errors', count('error')) +
    attribute('skipped', count('skipped')) +
    attribute('time', Number(seconds.toFixed(3)))
  );
}

const plainText = /^[\w .:-]*$/;

// XML has no room for most control characters.
function escapeXml(text: string): string {
  if (plainText.test(text)) return text;
  const clean = text.replaceAll(
    /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
    '\ufffd',
  );
  return html`${clean}`.toString();
}

function attribute(name: string, value: string | number): string {
  return ` ${name}="${escapeXml(String(value))}"`;
}
