import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '../processes.ts';

/** The profile for the large record. */
const profiles = { Composition: 'http://hl7.org/fhir/uv/ips/StructureDefinition/Composition-uv-ips' };

/** Adds the packages of a folder to a server, and selects a profile for the typed text. */
export async function loadPackages(server: Server, folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.tgz')) continue;
    await sendRequest(
      server,
      'POST',
      '/app/packages',
      'application/gzip',
      await readFile(join(folder, file)),
    );
  }
  await sendRequest(server, 'PUT', '/app/preferences', 'application/json', JSON.stringify({ profiles }));
}

async function sendRequest(
  { port, token }: Server,
  method: string,
  path: string,
  type: string,
  body: Buffer | string,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
}
