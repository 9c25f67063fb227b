/** Request to be written as a command. */
export interface CurlRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** The command omits an Authorization header. It reads the token from the shell. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Returns the request as a curl command for a POSIX shell. The token is `$TOKEN`, never a value. Shell and
 * curl read all other parts literally (no expansion, no globbing, no `@file`).
 */
export function curlOf({ method, url, headers, body }: CurlRequest): string {
  const otherHeaders = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  const parts = [
    `curl --globoff ${method === 'HEAD' ? '--head' : `--request ${quote(method)}`}`,
    `--url ${quote(url)}`,
    '--header "Authorization: Bearer $TOKEN"',
    ...otherHeaders.map(([name, value]) => `--header ${quote(headerOf(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Escapes a header: curl reads a value after `@` from a file, and removes a header without value. */
function headerOf(name: string, value: string): string {
  const line = (text: string) => text.replaceAll(/[\r\n]+/g, ' ').trim();
  const clean = line(name).replace(/^@+/, '');
  return line(value) === '' ? `${clean};` : `${clean}: ${line(value)}`;
}

/** Quotes an argument against expansion. An argument cannot contain NUL. */
function quote(text: string): string {
  const clean = text.replaceAll('\0', '');
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(clean) ? clean : `'${clean.replaceAll("'", `'\\''`)}'`;
}
