import '../style.css';
import '../report.css';
import { render } from 'preact';
import type { Snapshot } from '../../src/report/snapshot/snapshot.ts';
import { setSource } from '../client.ts';
import { ComparePage } from '../pages/compare-page.tsx';
import { LeaderboardPage } from '../pages/leaderboard-page.tsx';
import { PromptsPage } from '../pages/prompts-page.tsx';
import { RowPage } from '../pages/row-page.tsx';
import { RunPage } from '../pages/run-page.tsx';
import { RunsPage } from '../pages/runs-page.tsx';
import { StudyPage } from '../pages/study-page.tsx';
import { SweepPage } from '../pages/sweep-page.tsx';
import { startAt, usePlace } from '../router.tsx';
import { heldSource } from './held-source.ts';

const pages = {
  '/run': RunPage,
  '/row': RowPage,
  '/compare': ComparePage,
  '/sweep': SweepPage,
  '/leaderboard': LeaderboardPage,
  '/study': StudyPage,
  '/prompts': PromptsPage,
};

function App() {
  const { path } = usePlace();
  const Page = pages[path as keyof typeof pages] ?? RunsPage;
  return <Page />;
}

const held = document.getElementById('snapshot')?.textContent;
const root = document.getElementById('app');
if (root && held) {
  const snapshot = JSON.parse(held) as Snapshot;
  setSource(heldSource(snapshot));
  startAt(snapshot.start);
  render(<App />, root);
}
