import { addressOf, useLoaded } from '../client.ts';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import { Link } from '../router.tsx';

interface NamedPrompt {
  readonly run: string;
  readonly model: string;
  readonly dataset: string;
  readonly id: number;
}

/** Prompts of several rows or models, to choose from. */
export function PromptsPage() {
  const { value, error } = useLoaded<readonly NamedPrompt[]>('/api/prompts');
  return (
    <Frame crumbs={[]} title={value?.[0]?.run ?? 'Prompts'}>
      <div class="page">
        <div class="heading">
          <h1>Prompts</h1>
          <p class="soft">{value?.[0]?.run}</p>
        </div>
        {error && <Problem error={error} />}
        {!value && !error && <Loading what="prompts" />}
        <ul class="prompts">
          {value?.map((name) => (
            <li key={addressOf('/row', { ...name })}>
              <Link to={addressOf('/row', { ...name })}>
                #{name.id} {name.dataset}
              </Link>{' '}
              <span class="soft">{name.model}</span>
            </li>
          ))}
        </ul>
      </div>
    </Frame>
  );
}
