import { formatValue } from '../../src/prompt/values.ts';
import { ShownText } from './shown-text.tsx';

interface RowProps {
  readonly row: Readonly<Record<string, unknown>>;
}

/** The columns of a row. */
export function DataPanel({ row }: RowProps) {
  return (
    <section class="panel data-panel">
      <h2>Data</h2>
      <DataTable row={row} />
    </section>
  );
}

/** Columns with their values, of which control characters and marks of direction have signs. */
export function DataTable({ row }: RowProps) {
  return (
    <table class="data-table">
      <tbody>
        {Object.entries(row).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <ShownText text={name} showsSpace={false} />
            </th>
            <td>
              <bdi>
                <ShownText text={formatValue(value)} showsSpace={false} />
              </bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
