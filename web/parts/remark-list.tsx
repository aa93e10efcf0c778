import type { ComponentChildren } from 'preact';

export interface Remark {
  readonly kind: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A sentence of a message; what stands between backticks is code. */
export function Worded({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}
    </>
  );
}

/** What may be wrong with a prompt: warnings stand out from notes. */
export function RemarkList<One extends Remark>({
  remarks,
  after,
}: {
  readonly remarks: readonly One[];
  readonly after?: ((remark: One) => ComponentChildren) | undefined;
}) {
  return (
    <ul class="lint" aria-label="Remarks">
      {remarks.map((remark) => (
        <li key={remark.kind + remark.message} class={`lint-${remark.kind}`}>
          <span class={`badge tone-${remark.kind === 'warning' ? 'wrong' : 'scored'}`}>
            {remark.kind}
          </span>
          <span>
            <Worded text={`${remark.message}.`} />
            {remark.hint !== undefined && (
              <span class="soft">
                {' '}
                <Worded text={remark.hint} />
              </span>
            )}
          </span>
          {after?.(remark)}
        </li>
      ))}
    </ul>
  );
}
