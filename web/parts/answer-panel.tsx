import { formatValue } from '../../src/prompt/values.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import type { RowDetails, RowPrompt } from '../../src/server/viewer/api.ts';
import { source as pageSource } from '../client.ts';
import { ChecksList } from './checks-list.tsx';
import { LongText, type TextSource } from './long-text.tsx';
import { ShownText } from './shown-text.tsx';

interface AnswerProps {
  readonly details: RowDetails;
  readonly record: RowRecord;
  /** Where in what was said the scorer found what it read. */
  readonly extractedAt: RowPrompt['extractedAt'];
  readonly source: TextSource;
  readonly showsSpace: boolean;
}

/** The answer with what was taken from it, what was wanted, and why it is right or wrong. */
export function AnswerPanel({ details, record, extractedAt, source, showsSpace }: AnswerProps) {
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
      {answer === undefined ? (
        <p class="soft">No answer.</p>
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

type Stretch = readonly [start: number, end: number];

/** Files keep both ends of a long text: places in it are others there. */
function isCut({ cut }: TextSource, path: readonly string[]): boolean {
  return pageSource.isAlone && cut.some((one) => one.path.join() === path.join());
}

/** Where a part stands in a text: where the scorer found it, or else the last place where it is a word of its own. */
function placeIn(
  text: string,
  part: string | undefined,
  known: Stretch | undefined,
): Stretch | undefined {
  if (known && known[1] <= text.length) return known;
  if (part === undefined || part === '') return undefined;
  const isWord = (at: number) => {
    const [before = '', after = ''] = [text[at - 1], text[at + part.length]];
    return !/\w/.test(before) && !/\w/.test(after);
  };
  const last = text.lastIndexOf(part);
  for (let at = last; at >= 0; at = at === 0 ? -1 : text.lastIndexOf(part, at - 1)) {
    if (isWord(at)) return [at, at + part.length];
  }
  return last < 0 ? undefined : [last, last + part.length];
}

/** A text with a part of it marked. */
function Marked({
  text,
  place,
  showsSpace,
}: {
  readonly text: string;
  readonly place: Stretch | undefined;
  readonly showsSpace: boolean;
}) {
  if (!place) return <ShownText text={text} showsSpace={showsSpace} />;
  const [start, end] = place;
  return (
    <>
      <ShownText text={text.slice(0, start)} showsSpace={showsSpace} />
      <mark>
        <ShownText text={text.slice(start, end)} showsSpace={showsSpace} />
      </mark>
      <ShownText text={text.slice(end)} showsSpace={showsSpace} />
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
