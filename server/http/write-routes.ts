import type { Request, Response } from 'express';
import { fhirPath, pathOf, type Route } from '../../core/api/contract.ts';
import { parsePrefer, preferenceApplied, type Preferences } from '../../core/api/prefer.ts';
import { parseQuery } from '../../core/api/query.ts';
import { readCriteria, type SearchCriteria } from '../../core/fhir/search.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { allows } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { subsetted } from '../../core/fhir/record.ts';
import { defineMessages } from '../../core/text/message.ts';
import { matchesAnything } from '../fhir/service-errors.ts';
import { storedIssues } from '../fhir/validate-stored.ts';
import type { RecordService, Shape } from '../fhir/service.ts';
import type { ChangeRequest, WrittenRecord } from '../fhir/service-requests.ts';
import type { StoredVersion } from '../store/store.ts';
import { getPrincipal } from './access.ts';
import { createAuthorshipReader } from './authorship.ts';
import { getRequestId } from './head.ts';
import { sendJson, versionHeaders, formatOutcome } from './reply.ts';
import { readBodyText, getRecordId, getResourceType } from './request.ts';
import { readShaping } from './shaping.ts';

const messages = defineMessages('write', { repeatedIfNoneExist: 'Send exactly one If-None-Exist header.' });

/** Creates the handlers of operations that store. */
export function createWriteHandlers(
  service: RecordService,
  base: () => string,
  demandsReason: () => boolean,
) {
  const authorshipOf = createAuthorshipReader(demandsReason);

  function readChange(request: Request, response: Response): ChangeRequest {
    return {
      type: getResourceType(request),
      id: getRecordId(request),
      text: readBodyText(request),
      ...authorshipOf(request, response),
      requestId: getRequestId(response),
      ifMatch: request.get('If-Match'),
      ifNoneMatch: request.get('If-None-Match'),
      ifUnmodifiedSince: request.get('If-Unmodified-Since'),
    };
  }

  /**
   * Sends the stored text, an outcome or nothing, as Prefer requests (FHIR R4 http.html#ops).
   *
   * Without read permission the response contains the sent text, or an extract with the new version (row
   * 91).
   */
  async function sendWriteResult(
    request: Request,
    response: Response,
    status: number,
    outcome: WrittenRecord,
    { pretty, projection }: Shape,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const { version, isNewVersion } = outcome;
    if (isNewVersion) response.locals.isAudited = true;
    const { text, isRecord, applied } = buildResponse(request, response, outcome);
    const responseHeaders = { ...versionHeaders(version), ...preferenceApplied(applied), ...headers };
    if (text === '' || !(pretty || projection)) {
      sendJson(response, status, text, responseHeaders);
      return;
    }
    const shape = { pretty, ...(isRecord && projection && { projection }) };
    // Never rejected, because the write is done.
    sendJson(response, status, String(await service.shaped(Buffer.from(text), shape)), responseHeaders);
  }

  const createChangeHandler =
    (change: RecordService['update']) =>
    async (request: Request, response: Response, route: Route): Promise<void> => {
      const shaping = readShaping(request);
      const outcome = await change(readChange(request, response));
      await sendWriteResult(request, response, route.success, outcome, shaping);
    };

  return {
    async create(request: Request, response: Response, route: Route): Promise<void> {
      const shaping = readShaping(request);
      const type = getResourceType(request);
      const text = readBodyText(request);
      const ifNoneExist = readIfNoneExist(request, response, base());
      const authorship = authorshipOf(request, response);
      const outcome = await service.create({
        type,
        text,
        ...authorship,
        requestId: getRequestId(response),
        unless: ifNoneExist,
      });
      const { version, isNewVersion } = outcome;
      if (!isNewVersion) response.locals.disclosed = pathOf(type, version.id);
      const location = `${base()}${pathOf(type, version.id)}/_history/${version.version}`;
      await sendWriteResult(request, response, isNewVersion ? route.success : 200, outcome, shaping, {
        Location: location,
      });
    },
    update: createChangeHandler(service.update),
    patch: createChangeHandler(service.patch),
  };
}

/** Returns the criteria of If-None-Exist (FHIR R4 http.html#ccreate). */
function readIfNoneExist(request: Request, response: Response, base: string): SearchCriteria | undefined {
  const header = request.get('If-None-Exist');
  if (header === undefined) return undefined;
  // Node joins repeated headers with a comma, which means OR in a search.
  if ((request.headersDistinct['if-none-exist'] ?? []).length > 1) {
    throw new FhirError('value', { ...messages.repeatedIfNoneExist(), location: 'http.If-None-Exist' });
  }
  const type = getResourceType(request);
  const query = header.replace(/^[^?]*\?/, '');
  response.locals.searched = `${pathOf(type)}?${query}`;
  const criteria = readCriteria(type, parseQuery(query), {
    base: base + fhirPath,
    now: Date.now(),
  });
  if (criteria.terms.length === 0) throw matchesAnything();
  return criteria;
}

/** Returns the response text of a write and the applied preferences (row 91). */
function buildResponse(
  request: Request,
  response: Response,
  { version, findings, clientText: sentText }: WrittenRecord,
): { text: string; isRecord: boolean; applied: Preferences } {
  const type = getResourceType(request);
  const canRead = allows(getPrincipal(response).scopes, type, 'r');
  const { return: preference } = parsePrefer(request.get('Prefer'));
  const allowedPreference = canRead || preference === 'minimal' ? preference : undefined;
  const bodies = {
    minimal: () => '',
    representation: () => (canRead ? version.text : (sentText ?? extractText(type, version))),
    OperationOutcome: () => formatOutcome(response, storedIssues(findings)),
  };
  const applied = allowedPreference ?? 'representation';
  return {
    text: bodies[applied](),
    isRecord: applied === 'representation',
    applied: allowedPreference ? { return: allowedPreference } : {},
  };
}

/** Builds a record without client data, with the tag of an extract. */
function extractText(resourceType: ResourceType, { id, version, lastUpdated }: StoredVersion): string {
  const meta = { versionId: String(version), lastUpdated, tag: [subsetted] };
  return JSON.stringify({ resourceType, id, meta });
}
