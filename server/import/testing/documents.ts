/** Document Bundles in tests of imports. */
import { expect } from 'vitest';
import { batchSource } from '../../../core/fhir/origin.ts';
import { ImportContext } from '../../../core/import/import-context.ts';
import { splitIntoPieces } from '../../../core/import/import-pieces.ts';
import { importLimits, readEntries } from '../../../core/import/read-files.ts';
import type { Json, TestServer } from '../../testing/test-server.ts';

export interface Entry {
  readonly fullUrl?: string | undefined;
  readonly resource: Json;
}
export interface DocumentBundle {
  readonly resourceType: 'Bundle';
  readonly type: 'document';
  readonly identifier?: Json;
  readonly timestamp?: string;
  readonly entry: readonly Entry[];
}

/** Sends a body to the import at level off. Returns a line for each entry. */
export async function sendImport(server: TestServer, body: string, query: string): Promise<readonly Json[]> {
  const headers = { 'Content-Type': 'application/json' };
  const { status, text } = await server.send('POST', `/app/import?level=off&${query}`, body, headers);
  expect(status).toBe(200);
  const lines = text.trim().split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** Imports files like the page, in pieces of a length. */
export async function sendAsPage(
  server: TestServer,
  bodies: readonly string[],
  query: string,
  length: number,
): Promise<readonly Json[]> {
  const lines: Json[] = [];
  const batch = crypto.randomUUID();
  const files = bodies.map((body, index) => ({ path: `${index}.json`, blob: new Blob([body]) }));
  const read = () => readEntries(files, importLimits(5_000_000));
  const context = new ImportContext(batchSource(batch));
  for await (const entry of read()) context.register(entry);
  for await (const { body = '', contextCount } of splitIntoPieces(read(), () => length, context)) {
    const pieceLines = await sendImport(server, body, `${query}&batch=${batch}`);
    lines.push(...pieceLines.slice(contextCount));
  }
  return lines;
}

export async function readDocument(server: TestServer, record: string): Promise<Json> {
  return (await server.send('GET', `/fhir-r4/v1/${record}/$document`)).json;
}

/** Removes what the server writes into a record. */
export function withoutVersion({ meta = {}, ...resource }: Json): Json {
  const otherMeta = { ...meta };
  delete otherMeta.versionId;
  delete otherMeta.lastUpdated;
  return Object.keys(otherMeta).length > 0 ? { ...resource, meta: otherMeta } : resource;
}

/** Returns type and id of each entry. */
export function namesIn({ entry }: Json): string[] {
  return entry.map(({ resource }: Entry) => `${resource.resourceType}/${resource.id ?? ''}`);
}
