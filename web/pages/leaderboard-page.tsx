import type { ComponentChildren } from 'preact';
import { formatInterval, formatScore, type ScoreStyle } from '../../src/report/format-scores.ts';
import {
  type ColumnFacts,
  cellRemarks,
  columnsOf,
  promptText,
  rankText,
  rowsText,
  styleOf,
} from '../../src/report/leaderboard/board-text.ts';
import { describeNotes } from '../../src/report/leaderboard/notes.ts';
import { rowsReached } from '../../src/report/score-table.ts';
import type { Estimate } from '../../src/stats/estimate.ts';
import type { Leaderboard } from '../../src/study/leaderboard/leaderboard.ts';
import type { BoardModel } from '../../src/study/leaderboard/rank-models.ts';
import { useLoaded } from '../client.ts';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import { ScoreBar } from '../parts/score.tsx';

/** Models by their results, and which of them cannot be told apart. */
export function LeaderboardPage() {
  const { value, error } = useLoaded<Leaderboard>('/api/leaderboard');
  return (
    <Frame crumbs={[]} title="Leaderboard">
      <div class="page board-page">
        <div class="heading">
          <h1>Leaderboard</h1>
        </div>
        {error && <Problem error={error} />}
        {!value && !error && <Loading what="leaderboard" />}
        {value && <Board board={value} />}
      </div>
    </Frame>
  );
}

function Board({ board }: { readonly board: Leaderboard }) {
  const columns = columnsOf(board);
  const style = styleOf(board);
  return (
    <>
      <div class="wide-table" tabIndex={0} role="region" aria-label="Models and their scores">
        <table class="board">
          <thead>
            <tr>
              <th scope="col">rank</th>
              <th scope="col">model</th>
              <th scope="col">average</th>
              {columns.map((column) => (
                <th scope="col" key={column.task}>
                  {column.task}
                  <small>{columnFacts(column)}</small>
                </th>
              ))}
              <th scope="col">prompt</th>
            </tr>
          </thead>
          <tbody>
            {board.models.map((model) => (
              <Model key={model.model} rank={rankText(model)} {...{ model, columns, style }}>
                <Score
                  label="average"
                  score={model.average}
                  style={style}
                  isInterrupted={model.cells.some((cell) => cell?.isInterrupted)}
                />
              </Model>
            ))}
            {board.unranked.map((model) => (
              <Model key={model.model} rank="–" {...{ model, columns, style }}>
                <td data-label="average">–</td>
              </Model>
            ))}
          </tbody>
        </table>
      </div>
      {describeNotes(board).map((note) => (
        <p class="soft small" key={note}>
          {note}
        </p>
      ))}
    </>
  );
}

function columnFacts({ rows, shots }: ColumnFacts): string {
  return [
    ...(rows === undefined ? [] : [rowsText(rows)]),
    ...(shots === undefined ? [] : [`${shots}-shot`]),
  ].join(' · ');
}

interface ModelProps {
  readonly model: BoardModel;
  readonly rank: string;
  readonly columns: readonly ColumnFacts[];
  readonly style: ScoreStyle;
  readonly children: ComponentChildren;
}

function Model({ model, rank, columns, style, children }: ModelProps) {
  return (
    <tr>
      <td class="rank" data-label="rank">
        {rank}
      </td>
      <th scope="row" class="name">
        {model.link === undefined ? model.model : <ModelLink {...model} link={model.link} />}
      </th>
      {children}
      {columns.map((column, place) => {
        const cell = model.cells[place];
        if (!cell) {
          return (
            <td key={column.task} data-label={column.task}>
              –
            </td>
          );
        }
        return (
          <Score
            key={column.task}
            label={column.task}
            score={cell.score}
            style={style}
            mark={cell.isGuessed ? '≈' : ''}
            remarks={cellRemarks(cell, { model, column })}
            isInterrupted={cell.isInterrupted}
          />
        );
      })}
      <td data-label="prompt">{promptText(model)}</td>
    </tr>
  );
}

/** Results may name where a model is from; only addresses of the web are followed. */
function ModelLink({ model, link }: { readonly model: string; readonly link: string }) {
  if (!/^https?:\/\//.test(link)) return <>{model}</>;
  return (
    <a href={link} rel="noreferrer">
      {model}
    </a>
  );
}

interface ScoreProps {
  readonly label: string;
  readonly score: Estimate;
  readonly style: ScoreStyle;
  readonly mark?: string;
  readonly remarks?: readonly string[];
  /** The rows reached are no random part: there is no interval. */
  readonly isInterrupted?: boolean | undefined;
}

function Score({ label, score, style, mark = '', remarks = [], isInterrupted }: ScoreProps) {
  const first = isInterrupted ? rowsReached : `${mark}${formatInterval(score, style)}`;
  return (
    <td data-label={label}>
      <span class="value">{formatScore(score.value, style)}</span>
      {[first, ...remarks].map((line) => (
        <small key={line}>{line}</small>
      ))}
      {!isInterrupted && <ScoreBar score={score} />}
    </td>
  );
}
