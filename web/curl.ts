/** A request as it is known to a page. */
export interface ShownRequest {
  readonly url?: string;
  readonly body: unknown;
}

/** Beyond this, shells refuse a text as one argument. */
const longestArgument = 100_000;
/** What stands for bytes in base64. */
const hiddenBytes = /… \(\d+ characters, sha256 [0-9a-f]{16}\)/;

/** A request as a command; what is secret is not known here. Nothing where not all of it is known. */
export function curlOf({ url, body }: ShownRequest, isCut: boolean): string | undefined {
  const data = JSON.stringify(body);
  if (url === undefined || isCut || hiddenBytes.test(data)) return undefined;
  const start = `curl ${quoted(url)} -H 'content-type: application/json' -H "authorization: Bearer $API_KEY"`;
  if (data.length <= longestArgument) return `${start} -d ${quoted(data)}`;
  return `${start} --data-binary @- <<'END'\n${data}\nEND\n`;
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
