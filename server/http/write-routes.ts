import type { Request, Response } from 'express';
import { fhirPath, pathOf, type Route } from '../../core/api/contract.ts';
import { parsePrefer, preferenceApplied, type Preferences } from '../../core/api/prefer.ts';
import { parseQuery } from '../../core/api/query.ts';
import { readCriteria, type SearchCriteria } from '../../core/fhir/search.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { allows } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { subsetted } from '../../core/fhir/record.ts';
import { matchesAnything } from '../fhir/faults.ts';
import { storedIssues } from '../fhir/judge.ts';
import type { RecordService, Shape } from '../fhir/service.ts';
import type { ChangeRequest, Written } from '../fhir/service-requests.ts';
import type { StoredVersion } from '../store/store.ts';
import { principalOf } from './access.ts';
import { authorshipBy } from './authorship.ts';
import { requestIdOf } from './head.ts';
import { sendJson, versionHeaders, outcomeText } from './reply.ts';
import { bodyText, idOf, typeOf } from './request.ts';
import { shapingOf } from './shaping.ts';

/** Answers of the operations that store. */
export function writeAnswers(service: RecordService, base: () => string, demandsReason: () => boolean) {
  const authorshipOf = authorshipBy(demandsReason);

  function changeOf(request: Request, response: Response): ChangeRequest {
    return {
      type: typeOf(request),
      id: idOf(request),
      text: bodyText(request),
      ...authorshipOf(request, response),
      requestId: requestIdOf(response),
      ifMatch: request.get('If-Match'),
      ifNoneMatch: request.get('If-None-Match'),
      ifUnmodifiedSince: request.get('If-Unmodified-Since'),
    };
  }

  /**
   * The stored text, an outcome or nothing, as Prefer asks (FHIR R4 http.html#ops). An answer is a read: who may not read
   * hears what was sent, or of which record there is more that it has another version now (row 91).
   */
  async function sendWritten(
    request: Request,
    response: Response,
    status: number,
    written: Written,
    { pretty, projection }: Shape,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const { version, stored } = written;
    if (stored) response.locals.hasEntry = true;
    const { text, isRecord, applied } = answerOf(request, response, written);
    const all = { ...versionHeaders(version), ...preferenceApplied(applied), ...headers };
    if (text === '' || !(pretty || projection)) {
      sendJson(response, status, text, all);
      return;
    }
    const shape = { pretty, ...(isRecord && projection && { projection }) };
    // Never refused: the write is done.
    sendJson(response, status, String(await service.shaped(Buffer.from(text), shape)), all);
  }

  const changing =
    (change: RecordService['update']) =>
    async (request: Request, response: Response, route: Route): Promise<void> => {
      const shaping = shapingOf(request);
      const written = await change(changeOf(request, response));
      await sendWritten(request, response, route.success, written, shaping);
    };

  return {
    async create(request: Request, response: Response, route: Route): Promise<void> {
      const shaping = shapingOf(request);
      const type = typeOf(request);
      const text = bodyText(request);
      const unless = unlessOf(request, response, base());
      const by = authorshipOf(request, response);
      const written = await service.create({ type, text, ...by, requestId: requestIdOf(response), unless });
      const { version, stored } = written;
      if (!stored) response.locals.disclosed = pathOf(type, version.id);
      const location = `${base()}${pathOf(type, version.id)}/_history/${version.version}`;
      await sendWritten(request, response, stored ? route.success : 200, written, shaping, {
        Location: location,
      });
    },
    update: changing(service.update),
    patch: changing(service.patch),
  };
}

/** The criteria of If-None-Exist (FHIR R4 http.html#ccreate). */
function unlessOf(request: Request, response: Response, base: string): SearchCriteria | undefined {
  const header = request.get('If-None-Exist');
  if (header === undefined) return undefined;
  // Node joins them with a comma, which is an OR in a search.
  if ((request.headersDistinct['if-none-exist'] ?? []).length > 1) {
    throw new FhirError('value', { text: 'Send one If-None-Exist header.', location: 'http.If-None-Exist' });
  }
  const type = typeOf(request);
  const query = header.replace(/^[^?]*\?/, '');
  response.locals.searched = `${pathOf(type)}?${query}`;
  const criteria = readCriteria(type, parseQuery(query), {
    base: base + fhirPath,
    now: Date.now(),
  });
  if (criteria.terms.length === 0) throw matchesAnything();
  return criteria;
}

/** The text that a write answers, and what of the Prefer header it follows (row 91). */
function answerOf(
  request: Request,
  response: Response,
  { version, findings, sent }: Written,
): { text: string; isRecord: boolean; applied: Preferences } {
  const type = typeOf(request);
  const mayRead = allows(principalOf(response).scopes, type, 'r');
  const { return: asked } = parsePrefer(request.get('Prefer'));
  const wanted = mayRead || asked === 'minimal' ? asked : undefined;
  const bodies = {
    minimal: () => '',
    representation: () => (mayRead ? version.text : (sent ?? extractText(type, version))),
    OperationOutcome: () => outcomeText(response, storedIssues(findings)),
  };
  const applied = wanted ?? 'representation';
  return {
    text: bodies[applied](),
    isRecord: applied === 'representation',
    applied: wanted ? { return: wanted } : {},
  };
}

/** A record without anything that a client wrote into it, tagged as the extract that it is. */
function extractText(resourceType: ResourceType, { id, version, lastUpdated }: StoredVersion): string {
  const meta = { versionId: String(version), lastUpdated, tag: [subsetted] };
  return JSON.stringify({ resourceType, id, meta });
}
