import { formatCount } from '../../src/base/format.ts';
import { formatValue } from '../../src/prompt/values.ts';
import type { LoggedLoglikelihood, RowRecord } from '../../src/run/store/row-record.ts';
import { restoreLogprobs } from '../../src/run/store/stored-logprobs.ts';
import type { JsonPrompt } from './prompt-view.tsx';

interface LabelBarsProps {
  readonly record: RowRecord;
  /** What labels are compared by, and which value wins. */
  readonly rule: string | undefined;
  readonly prompts: readonly JsonPrompt[];
}

const shownTokens = 80;

/** How likely the model found each label, and the tokens of the one that is looked at. */
export function LabelBars({ record, rule, prompts }: LabelBarsProps) {
  const { loglikelihoods = [], label, gold } = record;
  if (loglikelihoods.length === 0) return null;
  const logs = loglikelihoods.map((one) => one.log ?? one.logprob ?? Number.NEGATIVE_INFINITY);
  const highest = Math.max(...logs.filter(Number.isFinite));
  const hasLabels = loglikelihoods.some((one) => one.label !== undefined);
  return (
    <section class="panel">
      <h2>{hasLabels ? 'Labels' : 'Text'}</h2>
      {rule !== undefined && (
        <p class="soft small">
          {hasLabels ? 'Compared by' : 'Measured by'}: {rule}.
        </p>
      )}
      <div class="weights" role="table" aria-label="How likely each label is">
        <div role="row" class="soft small">
          <span role="columnheader">{hasLabels ? 'label' : 'text'}</span>
          <span role="columnheader" class="track-head">
            likelihood
          </span>
          <span role="columnheader" class="number">
            {hasLabels ? 'compared by' : 'value'}
          </span>
          <span role="columnheader" class="number">
            loglikelihood
          </span>
          <span role="columnheader" class="number">
            tokens
          </span>
        </div>
        {loglikelihoods.map((one, index) => {
          const name =
            one.label === undefined
              ? hasLabels
                ? 'for comparison'
                : 'the text'
              : formatValue(one.label);
          const share = Math.exp((logs[index] ?? 0) - highest) * 100;
          const isChosen = one.label !== undefined && formatValue(one.label) === formatValue(label);
          const isGold = gold !== undefined && formatValue(one.label) === formatValue(gold);
          return (
            <div role="row" key={index}>
              <span role="cell">
                {isChosen ? <strong>{name}</strong> : name}
                {isGold ? <span class="soft"> gold</span> : ''}
              </span>
              <span role="cell" class={`track ${isChosen ? 'is-chosen' : ''}`}>
                <i style={{ width: `${Number.isFinite(share) ? share : 0}%` }} />
              </span>
              <span role="cell" class="number">
                {one.label === undefined && hasLabels ? '' : valueText(one)}
              </span>
              <span role="cell" class="number soft">
                {signed(one.logprob)}
              </span>
              <span role="cell" class="number soft">
                {formatCount(one.tokens)}
              </span>
            </div>
          );
        })}
      </div>
      <Tokens record={record} prompts={prompts} />
    </section>
  );
}

function signed(value: number | null): string {
  return value === null ? '−∞' : value.toFixed(3).replace('-', '−');
}

/** What a label is compared by; an infinite value is that of an impossible label. */
function valueText({ value, log }: LoggedLoglikelihood): string {
  if (value !== null) return signed(value);
  return log === undefined ? '−∞' : '∞';
}

/** The tokens of each text: the less likely, the redder. */
function Tokens({ record, prompts }: Omit<LabelBarsProps, 'rule'>) {
  const said = restoreLogprobs(record.logprobs);
  if (!said) return null;
  return (
    <details class="fold">
      <summary>Tokens and their log-probabilities</summary>
      {said.map(({ starts, values }, index) => {
        const { prompt, label = record.loglikelihoods?.[index]?.label } = prompts[index] ?? {};
        const text = prompt?.type === 'text' ? prompt.text : undefined;
        const first = Math.max(0, starts.length - shownTokens);
        return (
          <div key={index}>
            <p class="soft small">
              {label === undefined ? `text ${index + 1}` : formatValue(label)}
              {first > 0 ? `, the last ${shownTokens} of ${starts.length} tokens` : ''}
            </p>
            <div class="tokens">
              {starts.slice(first).map((start, place) => {
                const value = values[first + place] ?? 0;
                const end = starts[first + place + 1] ?? text?.length;
                const shown = text?.slice(start, end) ?? '▯';
                const doubt = Math.min(70, -value * 14);
                return (
                  <span
                    key={place}
                    title={`${JSON.stringify(shown)} ${value.toFixed(4).replace('-', '−')}`}
                    style={{
                      background: `color-mix(in srgb, var(--wrong) ${doubt}%, var(--fill))`,
                    }}
                  >
                    {shown === '' ? '▯' : shown.replaceAll('\n', '⏎')}
                  </span>
                );
              })}
            </div>
          </div>
        );
      })}
    </details>
  );
}
