import type { GenericSchema } from 'valibot';
import { clientHeader, workbenchClient } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import { narrow } from '../../core/api/narrow.ts';
import {
  formatImportSettings,
  importTypes,
  readReportLine,
  type ImportLine,
  type ImportSettings,
  type StoredSpan,
} from '../../core/app/transfer.ts';
import { InstalledPackage } from '../../core/app/packages.ts';
import { OperationOutcome } from '../../core/fhir/outcome.ts';
import { matchesSchema, type Shape } from '../../core/json/shape.ts';
import { desktop } from './desktop.ts';
import { partsOf } from './event-stream.ts';
import { session } from './session.ts';

/** An import report ended before it was complete. */
export class ImportInterruptedError extends Error {
  override readonly name = 'ImportInterruptedError';
}

/**
 * Imports one chunk, a Bundle. Yields the result of each record and returns the time span of the writes.
 *
 * @throws ApiFailure if the server rejects the request; ImportInterruptedError if the report is incomplete;
 * the errors of `fetch`.
 */
export async function* sendChunk(
  body: string,
  settings: ImportSettings,
  signal: AbortSignal,
): AsyncGenerator<ImportLine, StoredSpan | undefined> {
  const address = `/app/import?${formatImportSettings(settings)}`;
  const headers = { 'Content-Type': importTypes.json[0] };
  const report = await send(address, { method: 'POST', body, signal, headers });
  for await (const text of partsOf(report.body, '\n')) {
    const line = readReportLine(text);
    if (line && 'done' in line) return line.span;
    if (line) yield line;
  }
  throw new ImportInterruptedError();
}

/**
 * Sends a FHIR package. Returns the installed package and whether it is new. Throws like {@link sendChunk}.
 */
export async function sendPackage(
  body: Blob,
  type: string,
): Promise<{ readonly installedPackage: InstalledPackage; readonly isNew: boolean }> {
  const response = await send('/app/packages', { method: 'POST', body, headers: { 'Content-Type': type } });
  return {
    installedPackage: narrow(await response.json(), InstalledPackage),
    isNew: response.status === 201,
  };
}

/** Opens an export as a response body. Throws like {@link sendChunk}. */
export function openExport(query: string, signal: AbortSignal): Promise<Response> {
  return send(`/app/export?${query}`, { signal });
}

/** Opens the supporting resources of a type, or all, as NDJSON. Throws like {@link sendChunk}. */
export function openSupportingResources(type: string | undefined): Promise<Response> {
  return send(`/app/companions/export${type === undefined ? '' : `?type=${type}`}`, {});
}

/** Fetches JSON from an address of the app until the signal aborts. Throws like {@link sendChunk}. */
export async function fetchAppData(path: string, signal: AbortSignal): Promise<unknown> {
  return (await send(`/app${path}`, { signal })).json();
}

/** Sends JSON to an address of the app. Throws like {@link sendChunk}. */
export async function sendAppData<Schema extends GenericSchema>(
  path: string,
  body: unknown,
  schema: Schema,
  signal: AbortSignal,
): Promise<Shape<Schema>> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await send(`/app${path}`, { method: 'POST', body: JSON.stringify(body), signal, headers });
  return narrow(await response.json(), schema);
}

/** Form of the exported history: one resource per access or version. */
export type AuditExportFormat = 'AuditEvent' | 'Provenance';

const trailPaths: Readonly<Record<AuditExportFormat, string>> = {
  AuditEvent: '/app/audit/events',
  Provenance: '/app/provenance',
};

/**
 * Opens the audit log as AuditEvent, or the authors and reasons of all versions as Provenance, as NDJSON.
 * Throws like {@link sendChunk}.
 */
export function openAuditExport(form: AuditExportFormat): Promise<Response> {
  return send(trailPaths[form], {});
}

/** Sends the token in a header, never in an address that a history or a log would store. */
async function send(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = desktop === undefined ? session.token() : undefined;
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  headers.set(clientHeader, workbenchClient);
  const response = await fetch(address, { ...init, headers });
  if (response.ok) return response;
  if (response.status === 401) session.requireToken();
  const outcome: unknown = await response.json().catch(() => undefined);
  throw new ApiFailure(
    response.status,
    matchesSchema(OperationOutcome, outcome) ? outcome : undefined,
    undefined,
  );
}
