import { callLines, type RowRecord } from '../../src/run/store/row-record.ts';

/** What came of each check, and the tools that were called. */
export function ChecksList({ record }: { readonly record: RowRecord }) {
  const { checks = [] } = record;
  const calls = callLines(record);
  return (
    <>
      {checks.length > 0 && (
        <div class="checks">
          <h3>Checks</h3>
          <ul>
            {checks.map(({ name, score, passed, reason }, index) => (
              <li key={index}>
                <span class={`badge tone-${passed ? 'right' : 'wrong'}`}>
                  {passed ? 'passed' : 'not passed'}
                </span>{' '}
                <strong>{name}</strong>{' '}
                <span class="soft small">score {Number(score.toFixed(3))}</span>
                {reason !== undefined && <span class="check-reason">{reason}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {calls.length > 0 && (
        <div class="checks">
          <h3>Tool calls</h3>
          <pre class="text">{calls.join('\n')}</pre>
        </div>
      )}
    </>
  );
}
