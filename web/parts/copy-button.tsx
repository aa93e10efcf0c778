import { useState } from 'preact/hooks';

/** Pages of plain HTTP have no clipboard, but may copy what is selected. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}

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
      setSaid((await copyText(text())) ? 'copied' : 'not allowed');
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
