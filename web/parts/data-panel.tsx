import { formatValue } from '../../src/prompt/values.ts';

/** The columns of a row. */
export function DataPanel({ row }: { readonly row: Readonly<Record<string, unknown>> }) {
  return (
    <section class="panel data-panel">
      <h2>Data</h2>
      <table class="data-table">
        <tbody>
          {Object.entries(row).map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <bdi>{formatValue(value)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
