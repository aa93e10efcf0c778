import { useEffect, useRef } from 'preact/hooks';

type Handlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Single keys that do something, unless somebody is writing. */
export function useKeys(handlers: Handlers): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      const isWriting =
        /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
      if (isWriting && event.key !== 'Escape') return;
      const handler = current.current[event.key];
      if (!handler) return;
      event.preventDefault();
      handler(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
