/**
 * The script of the HTML report: filters, searches and pages through the rows that the page holds
 * as JSON. Everything from a run becomes text content, never markup.
 */
export const reportScript = `
'use strict';
const pageSize = 20;
const verdicts = ['right', 'partly', 'wrong', 'scored', 'unscored', 'failed'];
const data = JSON.parse(document.getElementById('rows').textContent);

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function textBlock(title, text) {
  const block = make('div');
  block.append(make('h3', '', title), make('pre', '', text));
  return block;
}

function rowElement(row) {
  const details = make('details', 'row');
  const summary = make('summary');
  const answer = row.answer.trim().replace(/\\s+/g, ' ');
  const wanted = row.verdict === 'wrong' && row.gold !== undefined ? ' ≠ ' + row.gold : '';
  const pair = row.reason ?? (row.extracted ?? '') + wanted;
  const score = row.verdict === 'partly' || row.verdict === 'scored' ? ' ' + Number(row.score.toFixed(3)) : '';
  summary.append(
    make('span', 'badge tone-' + row.verdict, row.verdict + score),
    make('span', 'id', '#' + row.id),
    make('span', 'excerpt', answer.slice(0, 300) || '(no answer)'),
    make('span', 'pair', pair.slice(0, 200)),
  );
  details.append(summary);
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return;
    const texts = make('div', 'texts');
    texts.append(textBlock('Prompt', row.prompt));
    const right = make('div');
    right.append(textBlock('Answer', row.answer));
    for (const [title, text] of [['Extracted', row.extracted], ['Gold', row.gold], ['Reason', row.reason]]) {
      if (text !== undefined) right.append(textBlock(title, text));
    }
    texts.append(right);
    details.append(texts);
  });
  return details;
}

function setUp(task) {
  const rows = data[Number(task.dataset.rows)] ?? [];
  const root = task.querySelector('.browser');
  if (!root || rows.length === 0 || root.childElementCount > 0) return;
  const state = { verdict: '', query: '', page: 0 };
  const haystacks = rows.map((row) =>
    [row.id, row.prompt, row.answer, row.extracted, row.gold, row.reason].join('\\n').toLowerCase());
  const tools = make('div', 'tools');
  const list = make('div');
  const pager = make('div', 'pager');
  const buttons = ['', ...verdicts].map((verdict) => {
    const count = verdict ? rows.filter((row) => row.verdict === verdict).length : rows.length;
    const button = make('button', '', (verdict || 'all') + ' ' + count);
    button.type = 'button';
    button.hidden = count === 0;
    button.addEventListener('click', () => show({ verdict, page: 0 }));
    return [verdict, button];
  });
  const search = make('input');
  search.type = 'search';
  search.placeholder = 'Search prompts and answers';
  search.setAttribute('aria-label', 'Search prompts and answers');
  search.addEventListener('input', () => show({ query: search.value.toLowerCase(), page: 0 }));
  const back = make('button', '', 'Back');
  const next = make('button', '', 'Next');
  const where = make('span');
  where.setAttribute('aria-live', 'polite');
  back.addEventListener('click', () => show({ page: state.page - 1 }));
  next.addEventListener('click', () => show({ page: state.page + 1 }));
  tools.append(...buttons.map(([, button]) => button), search);
  pager.append(back, next, where);
  root.append(tools, list, pager);

  function show(change) {
    Object.assign(state, change);
    const found = rows.filter((row, index) =>
      (!state.verdict || row.verdict === state.verdict) && haystacks[index].includes(state.query));
    const start = state.page * pageSize;
    const shown = found.slice(start, start + pageSize);
    list.replaceChildren(...shown.map(rowElement));
    back.disabled = state.page === 0;
    next.disabled = start + pageSize >= found.length;
    where.textContent = found.length === 0
      ? 'No such rows'
      : (start + 1) + '–' + (start + shown.length) + ' of ' + found.length;
    for (const [verdict, button] of buttons) button.setAttribute('aria-pressed', String(verdict === state.verdict));
  }
  show({});
}

for (const task of document.querySelectorAll('details.task')) {
  task.addEventListener('toggle', () => { if (task.open) setUp(task); });
  if (task.open) setUp(task);
}

function openLinked() {
  const task = document.getElementById(location.hash.slice(1));
  if (task && task.matches('details.task')) {
    task.open = true;
    task.scrollIntoView();
  }
}
addEventListener('hashchange', openLinked);
openLinked();
`;
