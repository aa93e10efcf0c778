/** The style sheet of the HTML report. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --paper: #faf9f6; --card: #ffffff; --ink: #22211e; --soft: #6b6860; --line: #e3e0d8;
  --fill: #f1efe9; --accent: #2b5c8a; --band: #9dbcd8;
  --right: #2e7d4f; --partly: #5b7f95; --wrong: #b3402f; --unscored: #a8730f; --failed: #7a4bb0;
  --missing: #b9b5aa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181a; --card: #1f2124; --ink: #e8e6e1; --soft: #9d9a92; --line: #34373b;
    --fill: #282b2f; --accent: #8db8e0; --band: #3f648a;
    --right: #63b585; --partly: #8fb3c9; --wrong: #e08272; --unscored: #d9a545; --failed: #b493e6;
    --missing: #5b5f65;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.5rem 5rem; max-width: 68rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK JP', sans-serif;
}
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { margin: 2.75rem 0 0.75rem; font-size: 1.1rem; }
h3 { margin: 0 0 0.4rem; color: var(--soft); font-size: 0.75rem; font-weight: 600;
  letter-spacing: 0.06em; text-transform: uppercase; }
.eyebrow, .facts, .note { color: var(--soft); font-size: 0.87rem; }
.eyebrow { margin: 0 0 0.2rem; letter-spacing: 0.04em; }
.facts { display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 0.5rem 0 0; padding: 0; list-style: none; }
.facts b { color: var(--ink); font-weight: 600; }
.warning { margin: 1.25rem 0 0; padding: 0.6rem 0.9rem; border-left: 3px solid var(--unscored);
  background: var(--fill); border-radius: 0 6px 6px 0; }

table.scores { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.scores th { padding: 0.35rem 0.75rem; color: var(--soft); font-size: 0.78rem; font-weight: 500;
  text-align: left; vertical-align: bottom; border-bottom: 1px solid var(--line); }
.scores td { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); vertical-align: middle; }
.scores :is(th, td):first-child { padding-left: 0; }
.scores :is(th, td):last-child { padding-right: 0; }
.scores .number { text-align: right; white-space: nowrap; }
.scores .model td { padding-top: 1.4rem; font-weight: 600; overflow-wrap: anywhere; }
.scores .name { overflow-wrap: anywhere; }
.scores .name small { color: var(--soft); font-size: 0.82rem; white-space: nowrap; }
.scores .value { font-size: 1.08rem; font-weight: 600; }
.scores .interval { color: var(--soft); font-size: 0.87rem; white-space: nowrap; }
.scores .plot { width: 34%; min-width: 9rem; }
.scores .count small { display: block; font-size: 0.78rem; }
.scores .count span { color: var(--tone); }
.scores .metric td { padding-top: 0.15rem; padding-bottom: 0.15rem; border-bottom: 0; color: var(--soft); }
.scores .metric .name { padding-left: 1.2rem; }
.scores .metric .value { font-size: 0.92rem; font-weight: 400; }
.scores .metric .bar { height: 0.7rem; opacity: 0.7; }
.scores .metric .bar i { top: 0.22rem; bottom: 0.22rem; }
.scores tr:has(+ .metric) td { border-bottom: 0; }
.scores .metric:not(:has(+ .metric)) td { padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); }
.scores .group .bar { background-color: var(--card); }
.scores .group { font-style: italic; background: var(--fill); }
.scores .group td:first-child { padding-left: 0.6rem; border-radius: 6px 0 0 6px; }
.scale { display: flex; justify-content: space-between; }
.bar { position: relative; height: 1.1rem; border-radius: 3px;
  background: repeating-linear-gradient(90deg, var(--line) 0 1px, transparent 1px 25%) no-repeat, var(--fill);
  border-right: 1px solid var(--line); }
.bar i { position: absolute; top: 0.3rem; bottom: 0.3rem; left: calc(var(--low) * 1%);
  width: max(2px, calc((var(--high) - var(--low)) * 1%)); border-radius: 3px; background: var(--band); }
.bar b { position: absolute; top: 0.1rem; bottom: 0.1rem; left: calc(var(--value) * 1% - 1.5px);
  width: 3px; border-radius: 2px; background: var(--accent); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }

details.task { margin: 0.75rem 0; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.task > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.9rem;
  padding: 0.8rem 1.1rem; cursor: pointer; list-style: none; }
.task > summary::-webkit-details-marker { display: none; }
.task > summary::before { content: '▸'; color: var(--soft); }
.task[open] > summary::before { content: '▾'; }
.task > summary strong { font-size: 1.02rem; overflow-wrap: anywhere; }
.task > summary span { color: var(--soft); font-size: 0.87rem; overflow-wrap: anywhere; }
.task > summary .end { margin-left: auto; color: var(--ink); font-variant-numeric: tabular-nums; }
.body { padding: 0.2rem 1.1rem 1.2rem; }
.split { display: flex; height: 0.6rem; overflow: hidden; border-radius: 4px; background: var(--fill); }
.split i { flex: var(--share) 0 0; min-width: 2px; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin: 0.5rem 0 0; padding: 0; list-style: none;
  font-size: 0.87rem; font-variant-numeric: tabular-nums; }
.legend li::before { content: ''; display: inline-block; width: 0.6rem; height: 0.6rem; margin-right: 0.4rem;
  border-radius: 2px; background: var(--tone); }
.legend li:last-child::before { display: none; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1.2rem 2rem; margin-top: 1.2rem; }
.columns dl, .columns ul { margin: 0; padding: 0; font-size: 0.87rem; }
.columns dl { display: grid; grid-template-columns: auto 1fr; gap: 0.1rem 1rem; }
.columns dt { color: var(--soft); }
.columns dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.columns li { display: flex; gap: 0.7rem; list-style: none; overflow-wrap: anywhere; }
.columns li b { min-width: 2.5rem; text-align: right; font-variant-numeric: tabular-nums; }

.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; margin: 1.6rem 0 0.6rem; }
.tools button, .pager button { padding: 0.22rem 0.7rem; border: 1px solid var(--line); border-radius: 999px;
  background: transparent; color: var(--ink); font: inherit; font-size: 0.85rem; cursor: pointer; }
.tools button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent); color: var(--card); }
.tools button:disabled, .pager button:disabled { opacity: 0.4; cursor: default; }
.tools input { flex: 1 1 12rem; min-width: 8rem; padding: 0.3rem 0.7rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; font-size: 0.87rem; }
:is(button, input, summary, a):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.row { border-top: 1px solid var(--line); }
.row > summary { display: grid; grid-template-columns: 6.2rem 4rem minmax(0, 1fr) minmax(0, 1fr); gap: 0.8rem; align-items: baseline;
  padding: 0.42rem 0.2rem; cursor: pointer; list-style: none; font-size: 0.9rem; }
.row > summary::-webkit-details-marker { display: none; }
.row > summary:hover { background: var(--fill); }
.row .excerpt { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .id { overflow: hidden; color: var(--soft); text-overflow: ellipsis; white-space: nowrap; font-variant-numeric: tabular-nums; }
.row .pair { overflow: hidden; color: var(--soft); text-overflow: ellipsis; white-space: nowrap; }
.badge { color: var(--tone); font-size: 0.82rem; font-weight: 600; white-space: nowrap; }
.badge::before { content: ''; display: inline-block; width: 0.55rem; height: 0.55rem; margin-right: 0.45rem;
  border-radius: 50%; background: var(--tone); }
.texts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1rem; padding: 0.6rem 0.2rem 1.2rem; }
.texts div div + div { margin-top: 0.8rem; }
.turns > div + div { margin-top: 0.8rem; }
.texts h3 { margin: 0 0 0.25rem; }
.texts pre { max-height: 26rem; margin: 0; padding: 0.7rem 0.8rem; overflow: auto; border-radius: 6px;
  background: var(--fill); font: 0.83rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono CJK JP', monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.pager { display: flex; align-items: center; gap: 0.6rem; margin-top: 0.8rem; color: var(--soft); font-size: 0.87rem; }
.tone-right { --tone: var(--right); } .tone-partly { --tone: var(--partly); } .tone-wrong { --tone: var(--wrong); }
.tone-scored { --tone: var(--accent); } .tone-unscored { --tone: var(--unscored); }
.tone-failed { --tone: var(--failed); } .tone-missing { --tone: var(--missing); }
.split i { background: var(--tone); }
.scores .count .tone-missing { --tone: var(--soft); }

@media (max-width: 44rem) {
  body { padding: 1.5rem 1rem 4rem; }
  .scores thead { display: none; }
  .scores tr { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; align-items: baseline; gap: 0 0.8rem;
    padding: 0.55rem 0; border-bottom: 1px solid var(--line); }
  .scores td, .scores .group td:first-child { padding: 0; border: 0; }
  .scores tr.group { padding: 0.55rem; border-radius: 6px; }
  .scores .model { padding: 1.2rem 0 0.3rem; }
  .scores .model td { grid-column: 1 / -1; padding: 0; }
  .scores .plot { grid-column: 1 / -1; width: auto; margin-top: 0.3rem; }
  .scores .count:empty { display: none; }
  .scores .count::before { content: 'rows: '; }
  .scores .count small { display: inline; margin-left: 0.6rem; }
  .scores .count { grid-column: 1 / -1; grid-row: 3; margin-top: 0.2rem; color: var(--soft); font-size: 0.85rem; text-align: left; }
  .task > summary .end { margin-left: 0; }
  .row > summary { grid-template-columns: 5.6rem minmax(0, 1fr); gap: 0 0.6rem; }
  .row .id { text-align: right; }
  .row .excerpt, .row .pair { grid-column: 1 / -1; }
}
@media print { .tools, .pager { display: none; } body { max-width: none; } }
`;
