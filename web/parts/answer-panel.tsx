import { countOf, formatCount } from '../../src/base/format.ts';
import { formatValue } from '../../src/prompt/values.ts';
import { verdictOf } from '../../src/run/row-sample.ts';
import { isWaiting, type RowRecord } from '../../src/run/store/row-record.ts';
import type { RowDetails, RowPrompt } from '../../src/server/viewer/api.ts';
import { source as pageSource } from '../client.ts';
import { ChecksList } from './checks-list.tsx';
import { capital } from './frame.tsx';
import { LongText, type TextSource } from './long-text.tsx';
import { Marked, placeIn } from './marked.tsx';
import { Worded } from './remark-list.tsx';
import { ShownText } from './shown-text.tsx';

interface AnswerProps {
  readonly details: RowDetails;
  readonly record: RowRecord;
  /** Its turns, samples or orders. */
  readonly parts: readonly RowRecord[];
  /** Where in what was said the scorer found what it read. */
  readonly extractedAt: RowPrompt['extractedAt'];
  readonly source: TextSource;
  readonly showsSpace: boolean;
}

/** The answer with what was taken from it, what was wanted, and why it is right or wrong. */
export function AnswerPanel(props: AnswerProps) {
  const { details, record, parts, extractedAt, source, showsSpace } = props;
  const { answer, reasoning, extracted, gold, finish, compared } = record;
  const { spoken } = details;
  const path = spoken === undefined ? ['record', 'answer'] : ['spoken'];
  const got = extracted === undefined ? undefined : formatValue(extracted);
  return (
    <section class="panel">
      <h2>
        Answer
        {finish !== undefined && <span class="soft small">ended by {finish}</span>}
        {record.from && (
          <span class="soft small">
            taken from {record.from === 'row' ? 'an equal row' : 'the cache'}
          </span>
        )}
      </h2>
      {reasoning !== undefined && (
        <details class="fold">
          <summary>Reasoning</summary>
          <LongText text={reasoning} path={['record', 'reasoning']} source={source}>
            {(text) => <pre>{text}</pre>}
          </LongText>
        </details>
      )}
      {spoken !== undefined && answer !== undefined && (
        <details class="fold">
          <summary>The whole answer, with its thinking</summary>
          <LongText text={answer} path={['record', 'answer']} source={source}>
            {(text) => <pre>{text}</pre>}
          </LongText>
        </details>
      )}
      {answer === undefined || answer === '' ? (
        <p class="soft">{nothingSaid(record)}</p>
      ) : (
        <LongText text={spoken ?? answer} path={path} source={source}>
          {(text) => (
            <pre class="text" tabIndex={0}>
              <Marked
                text={text}
                place={placeIn(text, got, isCut(source, path) ? undefined : extractedAt)}
                showsSpace={showsSpace}
              />
            </pre>
          )}
        </LongText>
      )}
      <div class="versus">
        {got !== undefined && got !== (spoken ?? answer) && (
          <div>
            <h3>Extracted</h3>
            <pre class="text">
              <ShownText text={got} showsSpace={showsSpace} />
            </pre>
          </div>
        )}
        {gold !== undefined && gold !== null && (
          <div>
            <h3>Gold</h3>
            <pre class="text">
              <ShownText text={formatValue(gold)} showsSpace={showsSpace} />
            </pre>
          </div>
        )}
      </div>
      {compared && !record.verdicts && (
        <p class="soft small">
          compared as {JSON.stringify(compared[0])} and {JSON.stringify(compared[1])}
        </p>
      )}
      <ChecksList record={record} />
      <Why details={details} record={record} parts={parts} />
    </section>
  );
}

function nothingSaid({ answer, toolCalls = [] }: RowRecord): string {
  if (toolCalls.length > 0) return 'The answer has no text: it only calls tools.';
  return answer === '' ? 'The answer is empty.' : 'No answer.';
}

/** Files keep both ends of a long text: places in it are others there. */
function isCut({ cut }: TextSource, path: readonly string[]): boolean {
  return pageSource.isAlone && cut.some((one) => one.path.join() === path.join());
}

/** By which rule the row is what it is. */
function Why({ details, record, parts }: Pick<AnswerProps, 'details' | 'record' | 'parts'>) {
  const { verdict = 'failed' } = details;
  const { reason, looser, notALabel, unnamed, ties, leak, dropped, tooLong, detail } = record;
  const texts = [
    reason ?? ruleText(details, record, parts),
    looser &&
      'The answer contains the gold answer under a looser reading. Is this the right evaluator?',
    notALabel && 'The gold answer is none of the labels, so the row cannot be right.',
    unnamed && 'The answer names no choice, and the first one was taken.',
    ties &&
      `These labels were equally likely: ${ties.map(formatValue).join(', ')}; the first was taken.`,
    leak !== undefined && `The examples give away the answer: ${leak}.`,
    dropped !== undefined && `${dropped} examples did not fit and were dropped.`,
    tooLong && 'The prompt does not fit the context even without examples.',
    record.checks ? undefined : detail,
  ].filter((text) => typeof text === 'string');
  return (
    <div class={`why tone-${verdict}`}>
      {texts.map((text) => (
        <p key={text}>
          <Worded text={text} />
        </p>
      ))}
    </div>
  );
}

/** What was compared, by which rule, and what came of it. */
function ruleText(
  { rule, verdict }: RowDetails,
  { checks, score, label, verdicts }: RowRecord,
  parts: readonly RowRecord[],
): string {
  const summary = rule.summary === undefined ? '' : ` (${rule.summary})`;
  const after = rule.postprocessors.length > 0 ? ` after ${rule.postprocessors.join(', ')}` : '';
  const named = `the rule ${rule.evaluator}${summary}${after}`;
  const figure = score === undefined ? 'no score' : String(Number(score.toFixed(3)));
  if (checks) {
    const failed = checks.filter(({ passed }) => !passed).map(({ name }) => name);
    const all = countOf(checks.length, 'check');
    if (failed.length === 0)
      return checks.length === 1 ? 'The check passed.' : `All ${all} passed.`;
    return `Not passed: ${failed.join(', ')}, of ${all}. The score is ${figure}.`;
  }
  if (parts.length > 1 && !parts.some(isWaiting)) {
    const right = parts.filter((part) => verdictOf(part, {}) === 'right').length;
    return `${formatCount(right)} of ${formatCount(parts.length)} answers are right by ${named}: ${figure}.`;
  }
  const isDecided = verdict === 'right' || verdict === 'wrong';
  if (verdicts) return isDecided ? `The judge finds it ${verdict}.` : `The judge gives ${figure}.`;
  if (!isDecided) return `${capital(named)} gives ${figure}.`;
  if (label !== undefined) {
    const is = verdict === 'right' ? 'is the gold answer' : 'is not the gold answer';
    return `The likeliest label, ${formatValue(label)}, ${is}.`;
  }
  return `By ${named}, the answer is ${verdict}.`;
}
