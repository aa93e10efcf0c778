import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  BenchProblem,
  BenchPrompt,
  PromptBody,
} from '../../src/server/viewer/workbench/api.ts';
import { postJson } from '../client.ts';
import type { JsonPrompt } from '../parts/prompt-view.tsx';

export interface LivePrompt {
  /** What the server said last, of this row or the one before. */
  readonly reply?: BenchPrompt;
  /** Whether that is about what stands in the editor now. */
  readonly isCurrent: boolean;
  readonly prompts: readonly JsonPrompt[];
  /** Who made what is shown. */
  readonly madeBy: 'page' | 'server';
  /** Whether the evaluation on the server makes the very same; left out as long as that is open. */
  readonly agrees?: boolean;
  readonly problem?: BenchProblem;
  readonly error?: Error;
}

/** How long somebody has to pause before the server is asked. */
const pauseMs = 250;

interface Made {
  readonly key: string;
  readonly prompts?: readonly JsonPrompt[];
  readonly problem?: BenchProblem;
}

/** The prompts of a row as somebody edits its templates: made here at once, and checked by the server. */
export function usePrompt(body: PromptBody | undefined): LivePrompt {
  const key = body === undefined ? '' : JSON.stringify(body);
  const rest = body === undefined ? '' : JSON.stringify({ ...body, templates: undefined });
  const [server, setServer] = useState<{
    key: string;
    rest: string;
    reply?: BenchPrompt;
    error?: Error;
  }>();
  const [made, setMade] = useState<Made>();
  const last = useRef('');
  useEffect(() => {
    if (body === undefined) return;
    let isGone = false;
    const isTyping = last.current === rest;
    last.current = rest;
    const timer = setTimeout(
      () => {
        postJson<BenchPrompt>('/api/workbench/prompt', body)
          .then((reply) => !isGone && setServer({ key, rest, reply }))
          .catch((error: Error) => !isGone && setServer({ key, rest, error }));
      },
      isTyping ? pauseMs : 0,
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [key]);
  const kit = server?.rest === rest ? server.reply?.kit : undefined;
  const lastKit = useRef<{ rest: string; kit: string } | undefined>(undefined);
  if (kit !== undefined) lastKit.current = { rest, kit };
  const usable = lastKit.current?.rest === rest ? lastKit.current.kit : undefined;
  useEffect(() => {
    if (body === undefined || usable === undefined) return;
    let isGone = false;
    import('./make-here.ts')
      .then(({ makeHere }) => makeHere(usable, body.templates))
      .then((result) => !isGone && setMade({ key, ...result }));
    return () => {
      isGone = true;
    };
  }, [key, usable]);
  return useMemo(() => {
    const isCurrent = server?.key === key;
    const reply = server?.rest === rest ? server.reply : undefined;
    const shown = ((reply?.view as { prompts?: readonly JsonPrompt[] } | undefined)?.prompts ??
      []) as readonly JsonPrompt[];
    const here = made?.key === key ? made : undefined;
    const problem = isCurrent ? reply?.problem : here?.problem;
    const agrees =
      isCurrent && here?.prompts ? textsOf(here.prompts) === textsOf(shown) : undefined;
    const isPage = here?.prompts !== undefined && agrees !== false;
    const prompts = isPage ? withRequests(here?.prompts ?? [], isCurrent ? shown : []) : shown;
    return {
      ...(reply && { reply }),
      isCurrent,
      prompts,
      madeBy: isPage ? 'page' : 'server',
      ...(agrees !== undefined && { agrees }),
      ...(problem && { problem }),
      ...(isCurrent && server?.error && { error: server.error }),
    };
  }, [server, made, key]);
}

function textsOf(prompts: readonly JsonPrompt[]): string {
  return JSON.stringify(prompts.map(({ prompt }) => prompt));
}

/** What only the server knows: requests as they are sent, and tokens. */
function withRequests(
  made: readonly JsonPrompt[],
  shown: readonly JsonPrompt[],
): readonly JsonPrompt[] {
  return made.map((prompt, index) => {
    const { request = null, tokens = null } = shown[index] ?? {};
    return { ...prompt, request, tokens };
  });
}
