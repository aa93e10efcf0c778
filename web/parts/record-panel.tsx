import { formatCount } from '../../src/base/format.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import type { RowDetails } from '../../src/server/viewer/api.ts';
import { timeOf } from './row-line.tsx';

interface RecordProps {
  readonly details: RowDetails;
  readonly record: RowRecord;
}

/** What it took, and the lines of the log as they are. */
export function RecordPanel({ details, record }: RecordProps) {
  const { tokens, ms, attempts, key, prompt, served, examples } = record;
  const [input, output, cached] = tokens ?? [];
  const facts = [
    ['took', ms === undefined ? undefined : timeOf(ms)],
    ['attempts', attempts === undefined ? undefined : String(attempts)],
    [
      'tokens',
      tokens === undefined
        ? undefined
        : `${input ?? '?'} in, ${output ?? '?'} out${cached === undefined ? '' : `, ${formatCount(cached)} cached`}`,
    ],
    ['served as', served],
    ['examples', examples?.join(', ')],
    ['key', key],
    ['prompt hash', prompt],
  ].filter((fact): fact is [string, string] => fact[1] !== undefined);
  return (
    <section class="panel">
      <h2>Record</h2>
      <dl class="facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <details class="fold">
        <summary>The line of the log</summary>
        <pre>{JSON.stringify(record, null, 2)}</pre>
      </details>
      {details.earlier.length > 0 && (
        <details class="fold">
          <summary>Earlier lines, which no longer count: {details.earlier.length}</summary>
          <pre>{details.earlier.map((one) => JSON.stringify(one, null, 2)).join('\n')}</pre>
        </details>
      )}
    </section>
  );
}
