import { useState } from 'preact/hooks';
import { countOf, formatCount } from '../../src/base/format.ts';
import type { BenchDetails, Rescored } from '../../src/server/viewer/workbench/api.ts';
import { addressOf, postJson } from '../client.ts';
import { Problem } from '../parts/frame.tsx';
import { intervalText, type ShownScore, scoreText } from '../parts/score.tsx';
import { Link } from '../router.tsx';

interface RescoreProps {
  readonly run: string;
  readonly model: string;
  readonly dataset: string;
  readonly details: BenchDetails;
}

/** What the saved answers of a run would score by another evaluator. */
export function RescorePanel({ run, model, dataset, details }: RescoreProps) {
  const own = details.datasets.find(({ abbr }) => abbr === dataset)?.evaluator ?? '';
  const [evaluator, setEvaluator] = useState(own);
  const [result, setResult] = useState<Rescored>();
  const [error, setError] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const score = async () => {
    setIsBusy(true);
    setError(undefined);
    setResult(undefined);
    try {
      const body = { run, model, dataset, evaluator };
      setResult(await postJson<Rescored>('/api/workbench/rescore', body));
    } catch (problem) {
      setError(problem as Error);
    }
    setIsBusy(false);
  };
  const chosen = details.evaluators.find(({ name }) => name === evaluator);
  return (
    <section class="panel">
      <h2>
        Score again
        <span class="soft small">saved answers of {run}; asks and changes nothing</span>
      </h2>
      <div class="tools">
        <select
          aria-label="Evaluator"
          value={evaluator}
          onChange={(event) => setEvaluator(event.currentTarget.value)}
        >
          {details.evaluators.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <button type="button" class="button" disabled={isBusy} onClick={score}>
          Score by {evaluator}
        </button>
        <span class="soft small">{chosen?.summary}</span>
      </div>
      {error && <Problem error={error} />}
      {result && (
        <>
          <p class="rescored" role="status">
            {own}: <ScoreOf score={result.before} /> → {evaluator}: <ScoreOf score={result.after} />{' '}
            <span class="soft small">
              {formatCount(result.changedRows)} of {countOf(result.rows, 'row')} scored otherwise
            </span>
          </p>
          {result.changed.length > 0 && (
            <table class="data-table listed">
              <thead>
                <tr>
                  <th scope="col">row</th>
                  <th scope="col">answer</th>
                  <th scope="col">gold</th>
                  <th scope="col">was</th>
                  <th scope="col">would be</th>
                </tr>
              </thead>
              <tbody>
                {result.changed.map(({ id, answer, gold, before, after }) => (
                  <tr key={id}>
                    <td>
                      <Link to={addressOf('/row', { run, model, dataset, id })}>#{id}</Link>
                    </td>
                    <td>
                      <bdi>{answer}</bdi>
                    </td>
                    <td>
                      <bdi>{gold}</bdi>
                    </td>
                    <td>{before}</td>
                    <td>{after}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </section>
  );
}

function ScoreOf({ score }: { readonly score: Rescored['before'] }) {
  if (!score) return <span class="soft">no score</span>;
  const shown = { score: score.score, ...(score.plain && { plain: true }) } as ShownScore;
  return (
    <>
      <span class="value">{scoreText(shown)}</span>{' '}
      <span class="interval">{intervalText(shown)}</span>
    </>
  );
}
