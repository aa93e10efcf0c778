import { formatValue } from '../../src/prompt/values.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import type { RowDetails } from '../../src/server/viewer/api.ts';
import { ChecksList } from './checks-list.tsx';
import { LongText, type TextSource } from './long-text.tsx';
import { ShownText } from './shown-text.tsx';

interface AnswerProps {
  readonly details: RowDetails;
  readonly record: RowRecord;
  readonly source: TextSource;
  readonly showsSpace: boolean;
}

/** The answer with what was taken from it, what was wanted, and why it is right or wrong. */
export function AnswerPanel({ details, record, source, showsSpace }: AnswerProps) {
  const { answer, reasoning, extracted, gold, finish, compared } = record;
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
      {answer === undefined ? (
        <p class="soft">No answer.</p>
      ) : (
        <LongText text={answer} path={['record', 'answer']} source={source}>
          {(text) => (
            <pre class="text" tabIndex={0}>
              <Marked text={text} part={got} showsSpace={showsSpace} />
            </pre>
          )}
        </LongText>
      )}
      <div class="versus">
        {got !== undefined && (
          <div>
            <h3>Extracted</h3>
            <pre class="text">
              <ShownText text={got} showsSpace={showsSpace} />
            </pre>
          </div>
        )}
        {gold !== undefined && (
          <div>
            <h3>Gold</h3>
            <pre class="text">
              <ShownText text={formatValue(gold)} showsSpace={showsSpace} />
            </pre>
          </div>
        )}
      </div>
      {compared && (
        <p class="soft small">
          compared as {JSON.stringify(compared[0])} and {JSON.stringify(compared[1])}
        </p>
      )}
      <ChecksList record={record} />
      <Why details={details} record={record} />
    </section>
  );
}

/** The last place of a part in a text, marked. */
function Marked({
  text,
  part,
  showsSpace,
}: {
  readonly text: string;
  readonly part: string | undefined;
  readonly showsSpace: boolean;
}) {
  const at = part === undefined || part === '' ? -1 : text.lastIndexOf(part);
  if (at < 0 || part === undefined) return <ShownText text={text} showsSpace={showsSpace} />;
  return (
    <>
      <ShownText text={text.slice(0, at)} showsSpace={showsSpace} />
      <mark>
        <ShownText text={part} showsSpace={showsSpace} />
      </mark>
      <ShownText text={text.slice(at + part.length)} showsSpace={showsSpace} />
    </>
  );
}

/** By which rule the row is what it is. */
function Why({ details, record }: { readonly details: RowDetails; readonly record: RowRecord }) {
  const { rule, verdict = 'failed' } = details;
  const { reason, looser, notALabel, unnamed, ties, leak, dropped, tooLong, detail, score } =
    record;
  const summary = rule.summary === undefined ? '' : ` (${rule.summary})`;
  const after = rule.postprocessors.length > 0 ? ` after ${rule.postprocessors.join(', ')}` : '';
  const texts = [
    reason ??
      (verdict === 'right' || verdict === 'wrong'
        ? `By the rule ${rule.evaluator}${summary}${after}, the two are ${verdict === 'right' ? 'the same' : 'not the same'}.`
        : `The rule ${rule.evaluator}${summary}${after} gives ${score ?? 'no score'}.`),
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
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
