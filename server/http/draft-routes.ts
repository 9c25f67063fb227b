import type { Request } from 'express';
import { checkContentType } from '../../core/api/negotiation.ts';
import { DraftClaim, DraftId, DraftSave } from '../../core/app/drafts.ts';
import { FhirError, type FaultKind, type Problem } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { DraftRefusal, DraftStore } from '../workspace/drafts.ts';
import { bodyReader } from './body.ts';
import { json } from './reply.ts';
import { bodyText, idOf, found } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/** A draft's body holds two texts of a record's size, each as a JSON string, which may double it. */
const bodyFactor = 4;
const bodyRest = 64 * 1024;

/** `/app/drafts`: what was typed and is not saved (core/app/drafts.ts). `maxBody` is the limit of a record's text. */
export function draftRoutes(drafts: DraftStore, serverOf: ServerOf, maxBody: number): readonly TableRoute[] {
  const body = bodyReader(bodyFactor * maxBody + bodyRest);
  const list = json(async (request) => drafts.list(await serverOf(request)));
  const read = json(async (request) =>
    found(await drafts.read(await serverOf(request), idOf(request)), absent),
  );
  const save = json(async (request) => {
    const id = idOf(request);
    const sent = parsed(request);
    if (!is(DraftId, id) || !is(DraftSave, sent)) {
      throw new FhirError('value', { text: 'The draft is not in the form that this address takes.' });
    }
    const saved = await drafts.save(await serverOf(request), id, sent);
    if (typeof saved === 'string') throw new FhirError(...refusals[saved]);
    return saved;
  });
  const claim = json(async (request) => {
    const sent = parsed(request);
    if (!is(DraftClaim, sent)) throw new FhirError('value', { text: 'The claim names no window.' });
    return found(await drafts.claim(await serverOf(request), idOf(request), sent.window), absent);
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
    if (error instanceof SyntaxError) throw new FhirError('malformed', { text: 'The body is not JSON.' });
    throw error;
  }
}

const absent = 'No draft has this id.';

const refusals: Readonly<Record<DraftRefusal, readonly [FaultKind, Problem]>> = {
  claimed: ['exists', { text: 'Another window goes on with this draft; save it under a new id.' }],
  erased: ['gone', { text: 'The record was erased; no draft of it is kept.' }],
  'base-needed': ['required', { text: 'The text of the base version is not known yet; send it too.' }],
};
