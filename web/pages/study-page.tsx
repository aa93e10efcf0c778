import type {
  StudyPage as Study,
  StudyBlock,
  StudyFigure,
} from '../../src/report/snapshot/study-page.ts';
import { useLoaded } from '../client.ts';
import { Frame, Loading, Problem } from '../parts/frame.tsx';

/** A study: texts, tables and pictures. */
export function StudyPage() {
  const { value, error } = useLoaded<Study>('/api/study');
  return (
    <Frame crumbs={[]} title={value?.title ?? ''}>
      <div class="page study">
        {error && <Problem error={error} />}
        {!value && !error && <Loading what="study" />}
        {value && (
          <>
            <h1>{value.title}</h1>
            {value.sections.map(({ title, blocks }) => (
              <section class="panel" key={title}>
                <h2>{title}</h2>
                {blocks.map((block, index) => (
                  <Block key={index} block={block} name={title} />
                ))}
              </section>
            ))}
          </>
        )}
      </div>
    </Frame>
  );
}

function Block({ block, name }: { readonly block: StudyBlock; readonly name: string }) {
  switch (block.type) {
    case 'heading':
      return <h3>{block.text}</h3>;
    case 'text':
      return <p class="soft">{block.text}</p>;
    case 'advice':
      return <p class="verdict-line">{block.text}</p>;
    case 'figures':
      return (
        <div class="figures">
          {block.figures.map((figure) => (
            <Figure key={figure.caption} {...figure} />
          ))}
        </div>
      );
    default:
      return <Table block={block} name={name} />;
  }
}

/** As a picture, what is drawn can run nothing. */
function Figure({ caption, svg }: StudyFigure) {
  return (
    <figure>
      <figcaption class="soft small">{caption}</figcaption>
      <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={caption} />
    </figure>
  );
}

function Table({
  block: { head, rows, isText, marked = [] },
  name,
}: {
  readonly block: Extract<StudyBlock, { type: 'table' }>;
  readonly name: string;
}) {
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label={`Figures of ${name}`}>
      <table class={isText ? 'study-table text' : 'study-table'}>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th scope="col" key={index}>
                {cell === '' ? <span class="sr">more</span> : cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row} class={marked.includes(row) ? 'marked' : ''}>
              {cells.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
