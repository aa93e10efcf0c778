import { reportStyle } from '../report-style.ts';

/** The style sheet of the comparison: that of the report, and what only this page has. */
export const compareStyle = `${reportStyle}
.sides { display: grid; grid-template-columns: auto 1fr; gap: 0.1rem 0.9rem; margin: 0.6rem 0 0; }
.sides dt { font-weight: 600; }
.sides dd { margin: 0; overflow-wrap: anywhere; }
.sides small { color: var(--soft); }
.differences { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
.differences td { padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.differences td:first-child { width: 6rem; color: var(--soft); }
.differences b { color: var(--unscored); }
.differences code { overflow-wrap: anywhere; }
.differences li { list-style: none; }
.differences :is(del, ins) { white-space: pre-wrap; }
.differences ul { margin: 0; padding: 0; }
.body ul.told { margin: 0; padding-left: 1.1rem; font-size: 0.9rem; color: var(--soft); }
.scores .better { color: var(--right); } .scores .worse { color: var(--wrong); }
.bar.signed { background: linear-gradient(90deg, transparent calc(50% - 1px), var(--soft) calc(50% - 1px) 50%, transparent 50%), var(--fill); }
.row > summary.flip { grid-template-columns: minmax(0, 1fr); }
.changed { margin: 1.4rem 0 0.5rem; }
del, ins { border-radius: 3px; text-decoration: none; }
del { background: color-mix(in srgb, var(--wrong) 22%, transparent); }
ins { background: color-mix(in srgb, var(--right) 22%, transparent); }
`;
