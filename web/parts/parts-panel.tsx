import { formatValue } from '../../src/prompt/values.ts';
import { verdictOf } from '../../src/run/row-sample.ts';
import { isWaiting, type RowRecord } from '../../src/run/store/row-record.ts';
import { capital } from './frame.tsx';
import { LongText, type TextSource } from './long-text.tsx';
import { Marked, placeIn } from './marked.tsx';
import type { JsonPrompt } from './prompt-view.tsx';
import { Badge } from './verdict.tsx';

interface PartsProps {
  readonly parts: readonly RowRecord[];
  /** What was asked, in the order of the parts. */
  readonly prompts: readonly JsonPrompt[];
  readonly source: TextSource;
}

/** The turns, samples or orders of a row. */
export function PartsPanel({ parts, prompts, source }: PartsProps) {
  if (parts.length === 0) return null;
  const kind = kindOf(prompts);
  return (
    <section class="panel">
      <h2>
        {kind === undefined ? 'Parts of the row' : capital(`${kind}s`)}
        <span class="soft small">{parts.length}</span>
      </h2>
      {parts.map((part, index) => (
        <div class="turn" key={part.key}>
          <p class="turn-role">
            {kind ?? 'part'} {String(part.part)}{' '}
            {!isWaiting(part) && <Badge verdict={verdictOf(part, {})} score={part.score} />}
            {part.reason !== undefined && part.answer !== undefined && !isWaiting(part) && (
              <span class="soft small"> {part.reason}</span>
            )}
          </p>
          <LongText
            text={part.answer ?? part.reason ?? ''}
            path={['parts', index, 'answer']}
            source={source}
          >
            {(text) => (
              <pre>
                <Marked text={text} place={placeIn(text, extractedOf(part))} showsSpace={false} />
              </pre>
            )}
          </LongText>
        </div>
      ))}
    </section>
  );
}

/** What the parts of a row are, as far as its prompts tell. */
function kindOf([first]: readonly JsonPrompt[]): 'turn' | 'sample' | 'order' | undefined {
  if (first?.turn !== undefined) return 'turn';
  if (first?.sample !== undefined) return 'sample';
  return first?.order === undefined ? undefined : 'order';
}

function extractedOf({ extracted }: RowRecord): string | undefined {
  return extracted === undefined ? undefined : formatValue(extracted);
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
