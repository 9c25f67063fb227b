import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '../processes.ts';

/** The profile that the large record is judged by. */
const profiles = { Composition: 'http://hl7.org/fhir/uv/ips/StructureDefinition/Composition-uv-ips' };

/** Drops the packages of a folder into a server, and chooses a profile for what is typed in. */
export async function loadPackages(server: Server, folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.tgz')) continue;
    await ask(server, 'POST', '/app/packages', 'application/gzip', await readFile(join(folder, file)));
  }
  await ask(server, 'PUT', '/app/preferences', 'application/json', JSON.stringify({ profiles }));
}

async function ask(
  { port, token }: Server,
  method: string,
  path: string,
  type: string,
  body: Buffer | string,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
}
