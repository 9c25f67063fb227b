import { fhirPath, pathOf, type Route } from '../../core/api/contract.ts';
import { provenanceHeader, reasonDemanded, reasonIn } from '../../core/api/provenance.ts';
import { parsePrefer, preferenceApplied, type Preferences } from '../../core/api/negotiation.ts';
import { parseQuery } from '../../core/api/query.ts';
import { readCriteria, type SearchCriteria } from '../../core/fhir/search.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { authorshipIn, type Authorship } from '../../core/app/authorship.ts';
import { allows } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { subsetted } from '../../core/fhir/record.ts';
import { defineMessages } from '../../core/text/message.ts';
import { matchesAnything } from '../fhir/service-errors.ts';
import { storedIssues } from '../fhir/drafts.ts';
import type { RecordService, Shape } from '../fhir/service.ts';
import type { ChangeRequest, WrittenRecord } from '../fhir/service-requests.ts';
import type { StoredVersion } from '../store/store.ts';
import { respondText, versionHeaders, formatOutcome } from './reply.ts';
import { type ApiRequest, type ApiResponse } from './request.ts';
import { readShaping } from './fhir-routes.ts';

const messages = defineMessages('write', { repeatedIfNoneExist: 'Send exactly one If-None-Exist header.' });

/** Creates the handlers of operations that store. */
export function createWriteHandlers(
  service: RecordService,
  base: () => string,
  demandsReason: () => boolean,
) {
  const authorshipOf = createAuthorshipReader(demandsReason);

  function readChange(request: ApiRequest): ChangeRequest {
    return {
      type: request.type,
      id: request.id,
      text: request.readText(),
      ...authorshipOf(request),
      requestId: request.requestId,
      ifMatch: request.header('If-Match'),
      ifNoneMatch: request.header('If-None-Match'),
      ifUnmodifiedSince: request.header('If-Unmodified-Since'),
    };
  }

  /**
   * Responds with the stored text, an outcome or nothing, as Prefer requests (FHIR R4 http.html#ops).
   *
   * Without read permission the response contains the sent text, or an extract with the new version (row
   * 91).
   */
  async function respondToWrite(
    request: ApiRequest,
    status: number,
    outcome: WrittenRecord,
    { pretty, projection }: Shape,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const { version, isNewVersion } = outcome;
    if (isNewVersion) request.notes.isAudited = true;
    const { text, isRecord, applied } = buildResponse(request, outcome);
    const responseHeaders = { ...versionHeaders(version), ...preferenceApplied(applied), ...headers };
    if (text === '' || !(pretty || projection)) return respondText(text, status, responseHeaders);
    const shape = { pretty, ...(isRecord && projection && { projection }) };
    // Never rejected, because the write is done.
    return respondText(String(await service.shaped(Buffer.from(text), shape)), status, responseHeaders);
  }

  const createChangeHandler =
    (change: RecordService['update']) =>
    async (request: ApiRequest, route: Route): Promise<ApiResponse> => {
      const shaping = readShaping(request);
      const outcome = await change(readChange(request));
      return respondToWrite(request, route.success, outcome, shaping);
    };

  return {
    async create(request: ApiRequest, route: Route): Promise<ApiResponse> {
      const shaping = readShaping(request);
      const { type } = request;
      const text = request.readText();
      const ifNoneExist = readIfNoneExist(request, base());
      const authorship = authorshipOf(request);
      const outcome = await service.create({
        type,
        text,
        ...authorship,
        requestId: request.requestId,
        unless: ifNoneExist,
      });
      const { version, isNewVersion } = outcome;
      if (!isNewVersion) request.notes.disclosed = pathOf(type, version.id);
      const location = `${base()}${pathOf(type, version.id)}/_history/${version.version}`;
      return respondToWrite(request, isNewVersion ? route.success : 200, outcome, shaping, {
        Location: location,
      });
    },
    update: createChangeHandler(service.update),
    patch: createChangeHandler(service.patch),
  };
}

/** Returns the criteria of If-None-Exist (FHIR R4 http.html#ccreate). */
function readIfNoneExist(request: ApiRequest, base: string): SearchCriteria | undefined {
  const header = request.header('If-None-Exist');
  if (header === undefined) return undefined;
  // Node joins repeated headers with a comma, which means OR in a search.
  if ((request.incoming.headersDistinct['if-none-exist'] ?? []).length > 1) {
    throw new FhirError('value', { ...messages.repeatedIfNoneExist(), location: 'http.If-None-Exist' });
  }
  const { type } = request;
  const query = header.replace(/^[^?]*\?/, '');
  request.notes.searched = `${pathOf(type)}?${query}`;
  const criteria = readCriteria(type, parseQuery(query), {
    base: base + fhirPath,
    now: Date.now(),
  });
  if (criteria.terms.length === 0) throw matchesAnything();
  return criteria;
}

/** Returns the response text of a write and the applied preferences (row 91). */
function buildResponse(
  request: ApiRequest,
  { version, findings, clientText: sentText }: WrittenRecord,
): { text: string; isRecord: boolean; applied: Preferences } {
  const { type } = request;
  const canRead = allows(request.principal.scopes, type, 'r');
  const { return: preference } = parsePrefer(request.header('Prefer'));
  const allowedPreference = canRead || preference === 'minimal' ? preference : undefined;
  const bodies = {
    minimal: () => '',
    representation: () => (canRead ? version.text : (sentText ?? extractText(type, version))),
    OperationOutcome: () => formatOutcome(request, storedIssues(findings)),
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

/**
 * Returns a reader of authorship: author from the token or session, reason from the X-Provenance header.
 *
 * @throws FhirError `business-rule` from the returned function if a required reason is missing.
 */
export function createAuthorshipReader(demandsReason: () => boolean) {
  return (request: ApiRequest): Authorship => {
    const { name: author, person, seat } = request.principal;
    const reason = getReason(request);
    if (reason === undefined && seat && demandsReason()) throw reasonDemanded();
    return authorshipIn({ author, person, reason });
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the reason of an X-Provenance header. */
function getReason(request: ApiRequest): string | undefined {
  const header = request.header(provenanceHeader);
  return header === undefined ? undefined : reasonIn(decodeHeader(header));
}

/** Decodes a header as UTF-8. Node decodes headers as Latin-1. */
function decodeHeader(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
