import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countOf, formatCount } from '../../src/base/format.ts';
import { onlyFilter } from '../../src/report/snapshot/row-query.ts';
import type { RowFilter, RowsPage } from '../../src/server/viewer/api.ts';
import { addressOf } from '../client.ts';
import { useKeys } from '../keys.ts';
import { changed, go, type Place, usePlace } from '../router.tsx';
import { type Evaluation, letterOf, narrowWidth, shortNames } from '../run-facts.ts';
import { useRows } from '../use-rows.ts';
import { Loading, Problem } from './frame.tsx';
import { RowLine, rowGrid, SortHead } from './row-line.tsx';
import { intervalText, metricLabel, ScoreBar, scoreText, shownScore } from './score.tsx';
import { SplitBar } from './verdict.tsx';
import { VirtualList } from './virtual-list.tsx';

interface BrowserProps {
  readonly run: string;
  readonly evaluations: readonly Evaluation[];
  readonly isLive: boolean;
  /** What stands between the score and the rows. */
  readonly children?: ComponentChildren;
}

/** No group of rows is chosen, and no place in the list. */
export const noGroup = { reason: undefined, check: undefined, at: undefined };

/** The parameters of an address that choose rows. */
export const rowParams = [
  'show',
  'within',
  'reason',
  'check',
  'q',
  'sort',
  'order',
  'min',
  'max',
] as const;

const oneChips: readonly [RowFilter, string][] = [
  ['problems', 'not right'],
  ['wrong', 'wrong'],
  ['partly', 'partly'],
  ['unscored', 'unscored'],
  ['failed', 'failed'],
  ['cutOff', 'cut off'],
  ['looser', 'gold in the answer'],
  ['changed', 'changed'],
  ['scored', 'scored'],
  ['right', 'right'],
  ['all', 'all'],
];

/** Of more evaluations, chips of those alone are shown that have rows. */
const fewEvaluations = 3;

function matrixChips(
  { params }: Place,
  { evaluations, show, page }: ToolsProps,
): readonly (readonly [RowFilter, string])[] {
  const only = evaluations.map(
    (_, place) => [onlyFilter(place), `only ${letterOf(place)} right`] as const,
  );
  const isOfUse = ([name]: readonly [RowFilter, string]) =>
    evaluations.length <= fewEvaluations || name === show || (page?.counts[name] ?? 0) > 0;
  return [
    ['changed', params.has('within') ? 'changed with the template' : 'changed'],
    ...only.filter(isOfUse),
    ['noneRight', 'none right'],
    ['allRight', 'all right'],
    ['all', 'all'],
  ];
}

/** The rows of one evaluation, or of several side by side. */
export function RowBrowser({ run, evaluations, isLive, children }: BrowserProps) {
  const place = usePlace();
  const { params } = place;
  const isMatrix = evaluations.length > 1;
  const asked = params.get('show') as RowFilter | null;
  const [fallback, setFallback] = useState<RowFilter>();
  const usual: RowFilter = isMatrix ? 'changed' : 'problems';
  const show = asked ?? fallback ?? usual;
  const e = evaluations.map(({ key }) => key);
  const query = {
    run,
    e,
    ...Object.fromEntries(rowParams.map((name) => [name, params.get(name) ?? undefined])),
    show,
  };
  const scores = isLive ? '' : JSON.stringify(evaluations.map(({ result }) => result?.score));
  const rows = useRows(query, isLive, scores);
  const { page, error } = rows;
  const where = e.join(' ');
  useEffect(() => setFallback(undefined), [where]);
  useEffect(() => {
    const isEmpty = page && page.progress === 1 && page.counts[usual] === 0;
    if (isEmpty && asked === null && page.total > 0) setFallback('all');
  }, [page, asked]);
  const at = params.get('at');
  const active = at === null ? undefined : Number(at);
  const move = (by: number) => {
    const next = Math.min((page?.matching ?? 1) - 1, Math.max(0, (active ?? -1) + by));
    go(changed(place, { at: String(next) }), { replace: true });
  };
  const openRow = (id: number) => go(rowAddress(id));
  const rowAddress = (id: number) => {
    const [first] = evaluations;
    const kept = Object.fromEntries(rowParams.map((name) => [name, params.get(name) ?? undefined]));
    return addressOf('/row', {
      run,
      e,
      model: first?.model,
      dataset: first?.dataset,
      id,
      ...kept,
      show,
    });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const row = active === undefined ? undefined : rows.rowAt(active);
      if (row) openRow(row.id);
    },
    '/': () => document.getElementById('find-row')?.focus(),
  });
  const names = shortNames(evaluations);
  return (
    <section class="browser" aria-label="Rows">
      {isMatrix ? (
        <MatrixHead evaluations={evaluations} />
      ) : (
        <OneHead evaluations={evaluations} page={page} />
      )}
      {children}
      <Tools {...{ page, show, evaluations }} />
      {page && (
        <>
          <Groups
            title="Checks not passed, by number of rows"
            param="check"
            groups={page.checks.map(({ check, rows }) => [check, rows])}
          />
          <Groups
            title="Rows without a score, by reason"
            param="reason"
            groups={page.reasons.map(({ reason, rows }) => [reason, rows])}
          />
        </>
      )}
      {error && <Problem error={error} />}
      {!page && !error && <Loading what="rows" />}
      {page && <ListNote page={page} />}
      {page && page.matching === 0 && <NoRows page={page} />}
      {page && page.matching > 0 && (
        <VirtualList
          count={page.matching}
          rowHeight={isMatrix ? 44 : 38}
          label="Rows"
          active={active}
          grid={rowGrid(isMatrix ? names.length : 0)}
          onRange={rows.onRange}
          head={<SortHead names={isMatrix ? names : undefined} columns={columnsOf(page, params)} />}
        >
          {(index) => (
            <RowLine
              key={index}
              index={index}
              row={rows.rowAt(index)}
              isActive={index === active}
              columns={columnsOf(page, params)}
              isMatrix={isMatrix}
              to={rowAddress}
            />
          )}
        </VirtualList>
      )}
    </section>
  );
}

/** The columns of the data that lists show: those that are asked for, or what prompts are made of. */
function columnsOf({ data }: RowsPage, params: URLSearchParams): readonly string[] {
  const asked = params.getAll('col').filter((name) => data.columns.includes(name));
  if (asked.length > 0) return asked;
  const inputs = data.inputs.filter((name) => data.columns.includes(name));
  return inputs.length > 0 ? inputs : data.columns.slice(0, 1);
}

function OneHead({
  evaluations,
  page,
}: {
  readonly evaluations: readonly Evaluation[];
  readonly page: RowsPage | undefined;
}) {
  const [evaluation] = evaluations;
  if (!evaluation) return null;
  const { dataset, model, result } = evaluation;
  const running = page?.running;
  const shown = running ? shownScore(running) : result;
  const metric = running ? running.metric : result?.metric;
  const missing = result?.rows.missing ?? 0;
  return (
    <div class="one-head">
      <div class="titles">
        <h1>{dataset}</h1>
        <p class="soft">
          {model}
          {metric === undefined ? '' : ` · ${metricLabel(metric, shown ?? {})}`}
          {running ? ` · ${countOf(running.rows, 'row')} so far` : ''}
        </p>
      </div>
      {shown && (
        <div class="headline">
          <span class="value">{scoreText(shown)}</span>
          <span class="interval">
            {intervalText(shown)}
            {running && shown.score && !shown.partial ? ', of the rows reached so far' : ''}
          </span>
          <ScoreBar {...shown} />
          {!running && result?.allRows && (
            <span class="soft small">
              all rows {scoreText({ ...result, score: result.allRows })}
            </span>
          )}
        </div>
      )}
      {page && <SplitBar counts={{ ...page.counts, missing }} />}
    </div>
  );
}

/** The scores of what stands side by side; of more than two, any two can be picked. */
function MatrixHead({ evaluations }: { readonly evaluations: readonly Evaluation[] }) {
  const place = usePlace();
  const names = shortNames(evaluations);
  const picked = place.params.get('pick');
  const pick = (key: string) => {
    if (picked === null || picked === key) {
      go(changed(place, { pick: picked === key ? undefined : key }), { replace: true });
      return;
    }
    const fresh = { ...noGroup, pick: undefined, show: undefined, within: undefined };
    go(changed(place, { ...fresh, e: [picked, key] }));
  };
  return (
    <div class="matrix-head">
      <h1 class="sr">{names.join(', ')} side by side</h1>
      {evaluations.map(({ key, result }, index) => (
        <div key={key} class="headline">
          <span class="letter">{letterOf(index)}</span>
          <span class="name">{names[index]}</span>
          {evaluations.length > 2 && (
            <button
              type="button"
              class="quiet pick"
              aria-pressed={picked === key}
              aria-label={`Compare ${names[index]} with another`}
              onClick={() => pick(key)}
            >
              {picked === null || picked === key ? 'compare' : 'with this'}
            </button>
          )}
          {result && (
            <>
              <span class="value">{scoreText(result)}</span>
              <span class="interval">{intervalText(result)}</span>
              <ScoreBar {...result} />
            </>
          )}
        </div>
      ))}
    </div>
  );
}

interface ToolsProps {
  readonly page: RowsPage | undefined;
  readonly show: RowFilter;
  readonly evaluations: readonly Evaluation[];
}

function Tools(props: ToolsProps) {
  const { page, show, evaluations } = props;
  const place = usePlace();
  const { params } = place;
  const [text, setText] = useState(params.get('q') ?? '');
  useEffect(() => setText(params.get('q') ?? ''), [params.get('q')]);
  useEffect(() => {
    if (text === (params.get('q') ?? '')) return;
    const timer = setTimeout(() => {
      go(changed(place, { q: text, at: undefined }), { replace: true });
    }, 250);
    return () => clearTimeout(timer);
  }, [text]);
  const isGrouped = params.has('reason') || params.has('check');
  const chips =
    evaluations.length > 1
      ? matrixChips(place, props)
      : oneChips.filter(
          ([name]) => name === 'all' || name === show || (page?.counts[name] ?? 0) > 0,
        );
  return (
    <div class="tools">
      <div class="chips" role="group" aria-label="Which rows">
        {chips.map(([name, label]) => (
          <button
            type="button"
            key={name}
            class={`chip tone-${name.startsWith('only') ? 'only' : name}`}
            aria-pressed={name === show && !isGrouped}
            onClick={() => go(changed(place, { ...noGroup, show: name }))}
          >
            {label} <b>{page ? formatCount(page.counts[name] ?? 0) : '…'}</b>
          </button>
        ))}
      </div>
      <Columns page={page} />
      <input
        id="find-row"
        type="search"
        placeholder="Search rows and answers  /"
        aria-label="Search rows and answers"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </div>
  );
}

/** Which columns of the data a list shows, and a range of what it is sorted by. */
function Columns({ page }: { readonly page: RowsPage | undefined }) {
  const place = usePlace();
  if (!page) return null;
  const shown = columnsOf(page, place.params);
  const toggle = (name: string) =>
    go(
      changed(place, {
        col: shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name],
      }),
      { replace: true },
    );
  const sort = place.params.get('sort');
  const range = (name: 'min' | 'max') => (
    <label>
      {name === 'min' ? 'from' : 'to'}
      <input
        type="number"
        step="any"
        value={place.params.get(name) ?? ''}
        onChange={(event) =>
          go(changed(place, { [name]: event.currentTarget.value, at: undefined }))
        }
      />
    </label>
  );
  return (
    <details class="menu">
      <summary>Columns and ranges</summary>
      <div class="menu-body">
        {page.data.columns.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
        {page.data.problem !== undefined && (
          <p class="soft small">The data is not available: {page.data.problem}.</p>
        )}
        <hr />
        <label>
          sort by
          <select
            value={sort ?? 'id'}
            onChange={(event) =>
              go(
                changed(place, {
                  sort: event.currentTarget.value,
                  min: undefined,
                  max: undefined,
                  at: undefined,
                }),
              )
            }
          >
            <option value="id">row</option>
            <option value="score">score</option>
            <option value="length">length of the answer</option>
            <option value="ms">time</option>
            <option value="tokensIn">tokens in</option>
            <option value="tokensOut">tokens out</option>
          </select>
        </label>
        {sort === 'score' && <p class="soft small">Scores of rows, mostly from 0 to 1.</p>}
        {range('min')}
        {range('max')}
      </div>
    </details>
  );
}

interface GroupsProps {
  readonly title: string;
  /** The parameter of the address that chooses a group. */
  readonly param: 'reason' | 'check';
  readonly groups: readonly (readonly [name: string, rows: number])[];
}

/** Groups of rows; a click shows the rows of one, another click all again. */
function Groups({ title, param, groups }: GroupsProps) {
  const place = usePlace();
  const chosen = place.params.get(param);
  if (groups.length === 0) return null;
  const choose = (name: string) => {
    const isChosen = name === chosen;
    const group = isChosen ? {} : { [param]: name };
    go(changed(place, { ...noGroup, ...group, show: isChosen ? undefined : 'all' }));
  };
  return (
    <details
      class="reasons"
      open={(groups.length <= 4 && innerWidth > narrowWidth) || chosen !== null}
    >
      <summary>{title}</summary>
      <ul>
        {groups.map(([name, rows]) => (
          <li key={name}>
            <button type="button" aria-pressed={name === chosen} onClick={() => choose(name)}>
              <b>{formatCount(rows)}</b> <span>{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ListNote({ page }: { readonly page: RowsPage }) {
  const { progress, isSearching, matching, damaged, data, held, total } = page;
  const notes = [
    progress < 1 ? `reading the log, ${Math.floor(progress * 100)}%` : undefined,
    isSearching ? `searching, ${countOf(matching, 'row')} so far` : undefined,
    data.isReading ? 'reading the data' : undefined,
    held && held.rows < total
      ? `${formatCount(held.rows)} of ${countOf(total, 'row')} are in this file, ${held.changedFirst ? 'changed' : 'wrong and failed'} rows first`
      : undefined,
    held && held.mediaLeftOut > 0
      ? `${formatCount(held.mediaLeftOut)} of their images and sounds left out`
      : undefined,
    damaged > 0 ? `${countOf(damaged, 'damaged line')} left out` : undefined,
  ].filter((note) => note !== undefined);
  return (
    <p class="soft small list-note" role="status">
      {countOf(matching, 'row')}
      {notes.length > 0 ? ` · ${notes.join(' · ')}` : ''}
    </p>
  );
}

function NoRows({ page }: { readonly page: RowsPage }) {
  const place = usePlace();
  if (page.progress < 1 || page.isSearching) return null;
  return (
    <p class="empty">
      No rows match.{' '}
      <button
        type="button"
        class="link"
        onClick={() =>
          go(
            changed(place, {
              ...noGroup,
              q: undefined,
              min: undefined,
              max: undefined,
              show: 'all',
            }),
          )
        }
      >
        Show all {countOf(page.total, 'row')}
      </button>
    </p>
  );
}
