import { countOf, formatCount } from '../../src/base/format.ts';
import type { Agreement } from '../../src/server/viewer/api.ts';
import { addressOf, useLoaded } from '../client.ts';

/** How far people's grades and the scores of a run agree; nothing where nobody graded. */
export function AgreementLine({ run }: { readonly run: string }) {
  const { value } = useLoaded<Agreement>(addressOf('/api/notes', { run }));
  if (!value || value.graded === 0) return null;
  const { bothRight, bothWrong, onlyScorer, onlyHuman, kappa, graded, rows } = value;
  const parts = [
    `${countOf(graded, 'row')} graded by people`,
    `${formatCount(bothRight + bothWrong)} as scored`,
    onlyHuman > 0 ? `${formatCount(onlyHuman)} scored wrong and graded right` : '',
    onlyScorer > 0 ? `${formatCount(onlyScorer)} scored right and graded wrong` : '',
    graded > rows ? `${formatCount(graded - rows)} scored neither right nor wrong` : '',
    kappa ? `kappa ${kappaText(kappa)}` : '',
  ].filter((part) => part !== '');
  return <p class="soft small run-facts">{parts.join(' · ')}</p>;
}

function kappaText(kappa: NonNullable<Agreement['kappa']>): string {
  const value = kappa.value.toFixed(2);
  if (!('low' in kappa)) return `${value} (too few rows)`;
  const ends = [kappa.low, kappa.high].map((end) => Number(end).toFixed(2));
  return `${value} [${ends.join(', ')}]`;
}
