import './style.css';
import './report.css';
import type { ComponentType } from 'preact';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { RunPage } from './pages/run-page.tsx';
import { RunsPage } from './pages/runs-page.tsx';
import { Frame, Loading } from './parts/frame.tsx';
import { usePlace } from './router.tsx';

/** Pages that are not needed at once. */
const later: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '/row': async () => (await import('./pages/row-page.tsx')).RowPage,
  '/compare': async () => (await import('./pages/compare-page.tsx')).ComparePage,
  '/workbench': async () => (await import('./workbench/workbench-page.tsx')).WorkbenchPage,
  '/sweep': async () => (await import('./pages/sweep-page.tsx')).SweepPage,
};

function App() {
  const { path } = usePlace();
  const [loaded, setLoaded] = useState<Readonly<Record<string, ComponentType>>>({});
  useEffect(() => {
    const load = later[path];
    if (!load || loaded[path]) return;
    load().then((Page) => setLoaded((before) => ({ ...before, [path]: Page })));
  }, [path]);
  if (path === '/run') return <RunPage />;
  if (!later[path]) return <RunsPage />;
  const Page = loaded[path];
  if (Page) return <Page />;
  return (
    <Frame crumbs={[]} title="">
      <Loading what="page" />
    </Frame>
  );
}

const root = document.getElementById('app');
if (root) render(<App />, root);
