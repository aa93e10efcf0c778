import type { Joint } from './joint.ts';

/** What is wrong with the run itself. */
export function checkRun({ run, sent, judged }: Joint): string[] {
  const bodies = [...sent, ...judged].map(({ path, body }) => `${path} ${body}`);
  const twice = bodies.find((body, place) => bodies.indexOf(body) !== place);
  const bad = run?.results.filter(({ rows }) => rows.failed + rows.missing > 0) ?? [];
  return [
    ...(run?.complete === false ? ['the run is not complete'] : []),
    ...bad.map(
      ({ model, dataset, rows, reasons }) =>
        `${model} on ${dataset}: ${JSON.stringify({ rows, reasons })}`,
    ),
    ...(twice === undefined ? [] : [`the same was sent twice: ${twice}`]),
  ];
}
