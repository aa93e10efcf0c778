import { checkPrompts } from './check-prompts.ts';
import { compareBodies, findUnsent } from './compare-bodies.ts';
import type { RunDocument, ShownRequest, ShownRow, ViewDocument } from './documents.ts';
import type { Levels } from './factors.ts';
import type { Joint } from './joint.ts';
import type { RecordedRequest } from './recording-server.ts';

/** Where what is shown is not what was sent. */
export function checkViews(joint: Joint, levels: Levels): string[] {
  const { view, viewOfRun, run } = joint;
  return [
    ...named('view', view, (shown) => [
      ...checkRows(shown, run, levels),
      ...checkBefore(shown, joint, levels),
    ]),
    ...named('view --run', viewOfRun, (shown) => [
      ...checkRows(shown, run, levels),
      ...compareBodies(sidesOf(shown, joint)),
      ...compareBodies({
        shown: bodiesOf(shown, joint, ({ judge = [] }) => judge),
        sent: keysOf(joint.judged),
      }),
    ]),
  ];
}

/** The problems of a document, if it is there, under the name of its command. */
function named(
  name: string,
  shown: ViewDocument | undefined,
  check: (shown: ViewDocument) => readonly string[],
): string[] {
  if (!shown) return [];
  const unread = shown.views.find((row) => row.error ?? !Array.isArray(row.requests));
  if (unread) return [`${name}: a row without requests: ${JSON.stringify(unread).slice(0, 400)}`];
  const problems = [...check(shown), ...shown.views.flatMap(checkPrompts).slice(0, 2)];
  return problems.map((problem) => `${name}: ${problem}`);
}

/** Of a dialogue that goes on from the answers only the first turn is known. */
function checkBefore(shown: ViewDocument, joint: Joint, { ask }: Levels): string[] {
  const sides = sidesOf(shown, joint);
  if (!ask.endsWith('-every')) return compareBodies(sides);
  const dialogues = shown.views.filter(({ dataset }) => dataset === 'd');
  const early = dialogues.find(({ requests }) => requests.length !== 1);
  return [
    ...(early
      ? [`row ${early.row.id} shows ${early.requests.length} turns before any answer`]
      : []),
    ...findUnsent(sides),
  ];
}

function sidesOf(shown: ViewDocument, joint: Joint) {
  return { shown: bodiesOf(shown, joint, ({ requests }) => requests), sent: keysOf(joint.sent) };
}

function keysOf(requests: readonly RecordedRequest[]): ReadonlySet<string> {
  return new Set(requests.map(({ path, body }) => `${path} ${body}`));
}

/** The bodies shown for models that have an address, as they would be on the wire. */
function bodiesOf(
  { views }: ViewDocument,
  { url: server }: Joint,
  requestsOf: (row: ShownRow) => readonly ShownRequest[],
): ReadonlySet<string> {
  const bodies = views.flatMap(requestsOf).flatMap(({ url, body }) => {
    if (url === undefined) return [];
    return [`${url.replace(server, '')} ${JSON.stringify(body)}`];
  });
  return new Set(bodies);
}

/** Every row of every model that is asked is shown, and says where its requests go. */
function checkRows(
  { views }: ViewDocument,
  run: RunDocument | undefined,
  levels: Levels,
): string[] {
  const results = run?.results ?? [];
  const uneven = results.flatMap(({ model, dataset, rows: { total } }) => {
    const { length } = views.filter((row) => row.model === model && row.dataset === dataset);
    return length === total ? [] : [`${length} of ${total} rows of ${model} on ${dataset}`];
  });
  const other = views.find(({ model }) => results.every((result) => result.model !== model));
  const isLocal = (row: ShownRow) => row.model === 'm' && levels.model === 'local';
  const lost = views.find((row) =>
    row.requests.some(({ url, to }) => (isLocal(row) ? to : url) === undefined),
  );
  const bare = views.find(({ requests }) => requests.length === 0);
  return [
    ...uneven,
    ...(other ? [`${other.model} is shown, and is not asked`] : []),
    ...(bare ? [`row ${bare.row.id} of ${bare.model} on ${bare.dataset} sends nothing`] : []),
    ...(lost ? [`a request of ${lost.model} does not say where it goes`] : []),
  ];
}
