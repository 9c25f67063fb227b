/** A request that is to be written as a command. */
export interface CurlRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** An Authorization among them is left out: the command takes the token from its shell. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The request as a curl command for a POSIX shell. It holds no token: `$TOKEN` stands in its place. Whatever the parts
 * hold, the shell and curl take them literally (no expansion, no globbing, no `@file`).
 */
export function curlOf({ method, url, headers, body }: CurlRequest): string {
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  const parts = [
    `curl --globoff ${method === 'HEAD' ? '--head' : `--request ${quoted(method)}`}`,
    `--url ${quoted(url)}`,
    '--header "Authorization: Bearer $TOKEN"',
    ...kept.map(([name, value]) => `--header ${quoted(headerOf(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** curl reads a value that begins with `@` from a file, and a header without value as one to remove. */
function headerOf(name: string, value: string): string {
  const line = (text: string) => text.replaceAll(/[\r\n]+/g, ' ').trim();
  const clean = line(name).replace(/^@+/, '');
  return line(value) === '' ? `${clean};` : `${clean}: ${line(value)}`;
}

/** In single quotes, where a shell expands nothing; a NUL cannot stand in an argument. */
function quoted(text: string): string {
  const clean = text.replaceAll('\0', '');
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(clean) ? clean : `'${clean.replaceAll("'", `'\\''`)}'`;
}
