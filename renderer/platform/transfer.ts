import { clientHeader, workbenchClient } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import { narrow } from '../../core/api/narrow.ts';
import type { Piece } from '../../core/app/import-pieces.ts';
import {
  formatImportSettings,
  importTypes,
  readReportLine,
  type ImportLine,
  type ImportSettings,
  type StoredSpan,
} from '../../core/app/transfer.ts';
import { HeldPackage } from '../../core/app/packages.ts';
import { OperationOutcome } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import { desktop } from './desktop.ts';
import { partsOf } from './event-stream.ts';
import { session } from './session.ts';

/** The report of an import ended before it said that it was done. */
class CutOff extends Error {
  override readonly name = 'CutOff';
}

/**
 * Imports one piece; hands over what became of each record as the server tells it, and when they were stored.
 *
 * @throws ApiFailure where the server refuses; CutOff where the report breaks off; or as `fetch` does.
 */
export async function* sendPiece(
  { body, kind }: Pick<Piece<unknown>, 'body' | 'kind'>,
  settings: ImportSettings,
  signal: AbortSignal,
): AsyncGenerator<ImportLine, StoredSpan | undefined> {
  const address = `/app/import?${formatImportSettings(settings)}`;
  const type = importTypes[kind][0];
  const report = await ask(address, { method: 'POST', body, signal, headers: { 'Content-Type': type } });
  for await (const text of partsOf(report.body, '\n')) {
    const line = readReportLine(text);
    if (line && 'done' in line) return line.span;
    if (line) yield line;
  }
  throw new CutOff();
}

/** Sends a FHIR package; what the server holds of it, and whether it was not there before. Throws as {@link sendPiece} does. */
export async function sendPackage(
  body: Blob,
  type: string,
): Promise<{ readonly held: HeldPackage; readonly isNew: boolean }> {
  const answer = await ask('/app/packages', { method: 'POST', body, headers: { 'Content-Type': type } });
  return { held: narrow(await answer.json(), HeldPackage), isNew: answer.status === 201 };
}

/** Opens an export; its bytes are the body of the answer. Throws as {@link sendPiece} does. */
export function openExport(query: string, signal: AbortSignal): Promise<Response> {
  return ask(`/app/export?${query}`, { signal });
}

/** Opens the companions of a type, or all, one a line. Throws as {@link sendPiece} does. */
export function openCompanions(type: string | undefined): Promise<Response> {
  return ask(`/app/companions/export${type === undefined ? '' : `?type=${type}`}`, {});
}

/** What is at one of the app's own addresses, until nobody waits for it any more. Throws as {@link sendPiece} does. */
export async function lookAt(path: string, signal: AbortSignal): Promise<unknown> {
  return (await ask(`/app${path}`, { signal })).json();
}

/** What tells of all versions and accesses, each as the resources that R4 has for it. */
export type TrailForm = 'AuditEvent' | 'Provenance';

const trailPaths: Readonly<Record<TrailForm, string>> = {
  AuditEvent: '/app/audit/events',
  Provenance: '/app/provenance',
};

/** Opens the audit trail as AuditEvent, or who wrote each version and why as Provenance, one a line. Throws as {@link sendPiece} does. */
export function openTrail(form: TrailForm): Promise<Response> {
  return ask(trailPaths[form], {});
}

/** With the token in a header, never in an address that a history or a log would keep. */
async function ask(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = desktop === undefined ? session.token() : undefined;
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  headers.set(clientHeader, workbenchClient);
  const answer = await fetch(address, { ...init, headers });
  if (answer.ok) return answer;
  if (answer.status === 401) session.requireToken();
  const outcome: unknown = await answer.json().catch(() => undefined);
  throw new ApiFailure(answer.status, is(OperationOutcome, outcome) ? outcome : undefined, undefined);
}
