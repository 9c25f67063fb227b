/**
 * Sends a request with the server's token. A body is JSON unless `headers` differ.
 *
 * @throws Error with the response text if the request fails.
 */
export async function requestChecked(
  { port, token }: { readonly port: number; readonly token: string },
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
    // A backup of millions of records takes minutes, and sends nothing until its end.
    signal: AbortSignal.timeout(3_600_000),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  return response;
}
