/**
 * Sends a request with the server's token; a body goes as JSON unless `headers` say otherwise.
 *
 * @throws Error where the answer is no success, with what it says.
 */
export async function ask(
  { port, token }: { readonly port: number; readonly token: string },
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
    // A backup of millions of records takes minutes, in which nothing is sent.
    signal: AbortSignal.timeout(3_600_000),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
