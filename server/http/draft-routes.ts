import type { Request } from 'express';
import { checkContentType } from '../../core/api/negotiation.ts';
import { DraftClaim, DraftId, DraftSave } from '../../core/app/drafts.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { DraftRefusal, DraftStore } from '../workspace/drafts.ts';
import { bodyReader } from './body.ts';
import { sendJson } from './reply.ts';
import { bodyText, idOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/** A draft's body holds two texts of a record's size, each as a JSON string, which may double it. */
const bodyFactor = 4;
const bodyRest = 64 * 1024;

/** `/app/drafts`: what was typed and is not saved (core/app/drafts.ts). `maxBody` is the limit of a record's text. */
export function draftRoutes(drafts: DraftStore, serverOf: ServerOf, maxBody: number): readonly TableRoute[] {
  const readBody = bodyReader(bodyFactor * maxBody + bodyRest);
  const list: Answer = async (request, response) => {
    sendJson(response, 200, JSON.stringify(await drafts.list(await serverOf(request))));
  };
  const read: Answer = async (request, response) => {
    sendJson(response, 200, JSON.stringify(found(await drafts.read(await serverOf(request), idOf(request)))));
  };
  const save: Answer = async (request, response) => {
    const id = idOf(request);
    const sent = parsed(request);
    if (!is(DraftId, id) || !is(DraftSave, sent)) {
      throw new FhirError('value', { text: 'The draft is not in the form that this address takes.' });
    }
    const saved = await drafts.save(await serverOf(request), id, sent);
    if (typeof saved === 'string') throw refusalOf(saved);
    sendJson(response, 200, JSON.stringify(saved));
  };
  const claim: Answer = async (request, response) => {
    const sent = parsed(request);
    if (!is(DraftClaim, sent)) throw new FhirError('value', { text: 'The claim names no window.' });
    const claimed = await drafts.claim(await serverOf(request), idOf(request), sent.window);
    sendJson(response, 200, JSON.stringify(found(claimed)));
  };
  const remove: Answer = async (request, response) => {
    await drafts.remove(await serverOf(request), idOf(request));
    sendJson(response, 200, '{}');
  };
  return [
    { method: 'GET', path: '/app/drafts', answer: list },
    { method: 'GET', path: '/app/drafts/:id', answer: read },
    { method: 'PUT', path: '/app/drafts/:id', readBody, answer: save },
    { method: 'POST', path: '/app/drafts/:id/claim', readBody, answer: claim },
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

function found<T>(draft: T | undefined): T {
  if (draft === undefined) throw new FhirError('not-found', { text: 'No draft has this id.' });
  return draft;
}

function refusalOf(refusal: DraftRefusal): FhirError {
  switch (refusal) {
    case 'claimed':
      return new FhirError('exists', {
        text: 'Another window goes on with this draft; save it under a new id.',
      });
    case 'erased':
      return new FhirError('gone', { text: 'The record was erased; no draft of it is kept.' });
    case 'base-needed':
      return new FhirError('required', {
        text: 'The text of the base version is not known yet; send it too.',
      });
  }
}
