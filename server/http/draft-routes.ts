import type { Request } from 'express';
import { checkContentType } from '../../core/api/negotiation.ts';
import { DraftClaim, DraftId, DraftSave } from '../../core/app/drafts.ts';
import { FhirError, type FhirErrorCode, type Problem } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { DraftRejectionCode, DraftStore } from '../workspace/drafts.ts';
import { bodyReader } from './body.ts';
import { json } from './reply.ts';
import { bodyText, idOf, assertFound } from './request.ts';
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

/** A draft's body holds two texts of a record's size, each as a JSON string, which may double it. */
const bodyFactor = 4;
const bodyRest = 64 * 1024;

/** `/app/drafts`: what was typed and is not saved (core/app/drafts.ts). `maxBody` is the limit of a record's text. */
export function draftRoutes(drafts: DraftStore, serverOf: ServerOf, maxBody: number): readonly TableRoute[] {
  const body = bodyReader(bodyFactor * maxBody + bodyRest);
  const list = json(async (request) => drafts.list(await serverOf(request)));
  const read = json(async (request) =>
    assertFound(await drafts.read(await serverOf(request), idOf(request)), messages.absent()),
  );
  const save = json(async (request) => {
    const id = idOf(request);
    const sent = parsed(request);
    if (!is(DraftId, id) || !is(DraftSave, sent)) {
      throw new FhirError('value', messages.invalid());
    }
    const saved = await drafts.save(await serverOf(request), id, sent);
    if (typeof saved === 'string') throw new FhirError(...refusals[saved]);
    return saved;
  });
  const claim = json(async (request) => {
    const sent = parsed(request);
    if (!is(DraftClaim, sent)) throw new FhirError('value', messages.invalidClaim());
    return assertFound(
      await drafts.claim(await serverOf(request), idOf(request), sent.window),
      messages.absent(),
    );
  });
  const remove = json(async (request) => {
    await drafts.remove(await serverOf(request), idOf(request));
    return {};
  });
  return [
    { method: 'GET', path: '/app/drafts', answer: list },
    { method: 'GET', path: '/app/drafts/:id', answer: read },
    { method: 'PUT', path: '/app/drafts/:id', body, answer: save },
    { method: 'POST', path: '/app/drafts/:id/claim', body, answer: claim },
    { method: 'DELETE', path: '/app/drafts/:id', answer: remove },
  ];
}

/** Not by core/json: a draft travels as a string, which JSON.parse leaves as it is, lone surrogates included. */
function parsed(request: Request): unknown {
  checkContentType(request.headers['content-type'], ['application/json']);
  try {
    return JSON.parse(bodyText(request)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new FhirError('malformed', messages.notJson());
    throw error;
  }
}

const refusals: Readonly<Record<DraftRejectionCode, readonly [FhirErrorCode, Problem]>> = {
  claimed: ['exists', messages.claimed()],
  erased: ['gone', messages.erased()],
  'base-needed': ['required', messages.baseNeeded()],
};
