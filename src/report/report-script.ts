/**
 * The script of the HTML report: filters, searches and pages through the rows that the page holds
 * as JSON. Everything from a run becomes text content, never markup.
 */
export const reportScript = `
'use strict';
const pageSize = 20;
const verdicts = ['failed', 'unscored', 'wrong', 'partly', 'scored', 'right'];
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

// Prompts often end in a line such as "Answer:", which says nothing.
function questionOf(text) {
  const lines = text.split('\\n').map((line) => line.trim()).filter((line) => /[\\p{L}\\p{N}]/u.test(line));
  return lines.findLast((line) => line.length > 12) ?? lines.at(-1) ?? '';
}

function inOneLine(text) {
  return text.trim().replace(/\\s+/g, ' ');
}

function turnBlocks(turns, [asked, answer] = ['Asked', 'Answer']) {
  const blocks = make('div', 'turns');
  for (const [index, turn] of turns.entries()) {
    if (turn.asked) blocks.append(textBlock(asked + ' ' + (index + 1), turn.asked));
    blocks.append(textBlock(answer + ' ' + (index + 1), turn.answer));
  }
  return blocks;
}

function checkLine(check) {
  const sign = check.passed ? '✓ ' : '✗ ';
  return sign + check.name + ' ' + Number(check.score.toFixed(3)) + (check.reason ? ': ' + check.reason : '');
}

function rowElement(row) {
  const details = make('details', 'row');
  if (row.kind) details.dataset.kind = row.kind;
  const summary = make('summary');
  const question = questionOf(row.turns?.at(-1).asked ?? row.prompt);
  const got = inOneLine(row.extracted ?? row.answer).slice(0, 200) || '(no answer)';
  const sign = row.verdict === 'right' ? ' = ' : row.verdict === 'wrong' ? ' ≠ ' : ' → ';
  const pair = row.reason ?? got + (row.gold === undefined ? '' : sign + inOneLine(row.gold));
  const score = row.verdict === 'partly' || row.verdict === 'scored' ? ' ' + Number(row.score.toFixed(3)) : '';
  summary.append(
    make('span', 'badge tone-' + row.verdict, row.verdict + score + (row.kind ? ' ' + row.kind : '')),
    make('span', 'id', '#' + row.id),
    make('span', 'excerpt', question.slice(0, 300)),
    make('span', 'pair', pair.slice(0, 300)),
  );
  details.append(summary);
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return;
    const texts = make('div', 'texts');
    texts.append(row.turns ? turnBlocks(row.turns) : textBlock('Prompt', row.prompt));
    const right = make('div');
    const facts = [
      ['Answer', row.turns || (row.answer === '' && row.reason) ? undefined : row.answer],
      ['Reasoning', row.reasoning],
      ['Extracted', row.extracted],
      ['Compared', row.compared?.join('\\n')],
      ['Gold', row.gold],
      ['Reason', row.reason],
      ['Checks', row.checks?.map(checkLine).join('\\n')],
      ['More', row.checks ? undefined : row.detail],
      ['Tools called', row.calls],
      ['Ended by', row.finish],
    ];
    for (const [title, text] of facts) {
      if (text !== undefined) right.append(textBlock(title, text));
    }
    texts.append(right);
    details.append(texts);
    if (row.judge) details.append(turnBlocks(row.judge, ['Judge asked', 'Judge said']));
  });
  return details;
}

function setUp(task) {
  const { rows = [], totals = {} } = data[Number(task.dataset.rows)] ?? {};
  const root = task.querySelector('.browser');
  if (!root || rows.length === 0 || root.childElementCount > 0) return;
  const state = { verdict: '', query: '', page: 0 };
  const haystacks = rows.map((row) =>
    [row.id, row.prompt, row.answer, row.extracted, row.gold, row.reason, row.kind, ...(row.turns ?? []).flatMap((turn) => [turn.asked, turn.answer])]
      .join('\\n').toLowerCase());
  const tools = make('div', 'tools');
  const list = make('div');
  const pager = make('div', 'pager');
  const buttons = ['', ...verdicts].map((verdict) => {
    const held = verdict ? rows.filter((row) => row.verdict === verdict).length : rows.length;
    const count = verdict ? totals[verdict] ?? held : Object.values(totals).reduce((sum, one) => sum + one, 0);
    const part = held < count ? ' (' + held.toLocaleString('en') + ' here)' : '';
    const button = make('button', '', (verdict || 'all') + ' ' + count.toLocaleString('en') + part);
    button.disabled = held === 0;
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
