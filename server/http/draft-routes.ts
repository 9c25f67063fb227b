import { checkContentType } from '../../core/api/negotiation.ts';
import { DraftClaim, ClientId, DraftSave } from '../../core/app/drafts.ts';
import { FhirError, type FhirErrorCode, type Problem } from '../../core/fhir/outcome.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { DraftRejectionCode, DraftStore } from '../workspace/drafts.ts';
import { createBodyReader, type PendingBodies } from './body.ts';
import { createJsonHandler } from './reply.ts';
import { type ApiRequest, assertFound } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

const messages = defineMessages('draft', {
  absent: 'There is no draft with this ID.',
  invalid: 'Not a valid draft.',
  invalidClaim: 'The claim must name a window.',
  notJson: 'The body is not JSON.',
  claimed: 'This draft is being edited in another window. Save yours with a new ID.',
  erased: 'The record was erased, so drafts of it aren’t kept.',
  baseNeeded: 'The text of the base version is missing. Send it too.',
});

/** Factor of the body limit: two texts, each as a JSON string that may double its size. */
const bodyFactor = 4;
const bodyOverhead = 64 * 1024;

/**
 * `/app/drafts`: unsaved texts (core/app/drafts.ts).
 *
 * @param maxBody - Bytes of a record text.
 */
export function createDraftRoutes(
  drafts: DraftStore,
  serverOf: ServerOf,
  maxBody: number,
  bodies: PendingBodies,
): readonly TableRoute[] {
  const body = createBodyReader(bodyFactor * maxBody + bodyOverhead, bodies);
  const list = createJsonHandler(async (request) => drafts.list(await serverOf(request)));
  const readDraft = createJsonHandler(async (request) =>
    assertFound(await drafts.read(await serverOf(request), request.id), messages.absent()),
  );
  const save = createJsonHandler(async (request) => {
    const { id } = request;
    const draft = parseBody(request);
    if (!matchesSchema(ClientId, id) || !matchesSchema(DraftSave, draft)) {
      throw new FhirError('value', messages.invalid());
    }
    const result = await drafts.save(await serverOf(request), id, draft);
    if (typeof result === 'string') throw new FhirError(...rejections[result]);
    return result;
  });
  const claim = createJsonHandler(async (request) => {
    const draftClaim = parseBody(request);
    if (!matchesSchema(DraftClaim, draftClaim)) throw new FhirError('value', messages.invalidClaim());
    return assertFound(
      await drafts.claim(await serverOf(request), request.id, draftClaim.window),
      messages.absent(),
    );
  });
  const remove = createJsonHandler(async (request) => {
    await drafts.remove(await serverOf(request), request.id);
    return {};
  });
  return [
    { method: 'GET', path: '/app/drafts', handler: list },
    { method: 'GET', path: '/app/drafts/:id', handler: readDraft },
    { method: 'PUT', path: '/app/drafts/:id', body, handler: save },
    { method: 'POST', path: '/app/drafts/:id/claim', body, handler: claim },
    { method: 'DELETE', path: '/app/drafts/:id', handler: remove },
  ];
}

/** Parses without core/json, because a draft is a string that JSON.parse preserves with lone surrogates. */
function parseBody(request: ApiRequest): unknown {
  checkContentType(request.headers['content-type'], ['application/json']);
  try {
    return JSON.parse(request.readText()) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new FhirError('malformed', messages.notJson());
    throw error;
  }
}

const rejections: Readonly<Record<DraftRejectionCode, readonly [FhirErrorCode, Problem]>> = {
  claimed: ['exists', messages.claimed()],
  erased: ['gone', messages.erased()],
  'base-needed': ['required', messages.baseNeeded()],
};
