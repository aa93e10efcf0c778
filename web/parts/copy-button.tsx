import { useState } from 'preact/hooks';

/** Puts a text on the clipboard. */
export function CopyButton({
  text,
  label,
}: {
  readonly text: () => string;
  readonly label: string;
}) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('copied');
    } catch {
      setSaid('not allowed');
    }
    setTimeout(() => setSaid(''), 1500);
  };
  return (
    <button type="button" class="button" onClick={copy}>
      {said === '' ? label : said}
    </button>
  );
}
