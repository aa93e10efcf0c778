/** How pages of studies look. */
export const studyStyle = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d0d7de; --paper: #fff; --wrong: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --paper: #0d1117; --wrong: #ff7b72; } }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; } p { color: var(--soft); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .pairs :is(th, td) { text-align: left; overflow-wrap: anywhere; }
.different { color: var(--wrong); } .sweep { width: 100%; max-width: 44rem; margin-top: 1.5rem; } .advice { color: var(--ink); font-weight: 600; }
.grids { display: flex; flex-wrap: wrap; gap: 1.5rem; } figure { margin: 1rem 0; max-width: 100%; overflow-x: auto; } figcaption { margin-bottom: 0.5rem; color: var(--soft); } .wrong .plot-svg { --p-high: #b42318; }
.curves :is(th, td) { white-space: nowrap; } figure.curves svg { min-width: 30rem; }
`;
