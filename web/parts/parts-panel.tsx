import { verdictOf } from '../../src/run/row-sample.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { LongText, type TextSource } from './long-text.tsx';
import { Badge } from './verdict.tsx';

/** The turns, samples or orders of a row. */
export function PartsPanel({
  parts,
  source,
}: {
  readonly parts: readonly RowRecord[];
  readonly source: TextSource;
}) {
  if (parts.length === 0) return null;
  return (
    <section class="panel">
      <h2>Parts of the row</h2>
      {parts.map((part, index) => (
        <div class="turn" key={part.key}>
          <p class="turn-role">
            {String(part.part)} <Badge verdict={verdictOf(part, {})} score={part.score} />
          </p>
          <LongText
            text={part.answer ?? part.reason ?? ''}
            path={['parts', index, 'answer']}
            source={source}
          >
            {(text) => <pre>{text}</pre>}
          </LongText>
        </div>
      ))}
    </section>
  );
}

/** What judges were asked, and what they said. */
export function JudgePanel({
  record,
  parts,
}: {
  readonly record: RowRecord | undefined;
  readonly parts: readonly RowRecord[];
}) {
  const verdicts = [record, ...parts].flatMap((one) => one?.verdicts ?? []);
  if (verdicts.length === 0) return null;
  return (
    <section class="panel">
      <h2>Judge</h2>
      {verdicts.map(({ key, sent, said }) => (
        <div key={key}>
          <div class="turn assistant">
            <p class="turn-role">said</p>
            <pre>{said ?? '(not recorded)'}</pre>
          </div>
          {sent !== undefined && (
            <details class="fold">
              <summary>asked</summary>
              {typeof sent === 'string' ? (
                <pre>{sent}</pre>
              ) : (
                sent.map(({ role, content }, place) => (
                  <div class="turn" key={place}>
                    <p class="turn-role">{role}</p>
                    <pre>{content}</pre>
                  </div>
                ))
              )}
            </details>
          )}
        </div>
      ))}
    </section>
  );
}
