import type { Response } from 'express';
import { check } from '../../core/app/check.ts';
import { NewErasure, type ErasureList } from '../../core/app/erasures.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Erasures } from '../erasures/erasures.ts';
import { redactNote } from '../workspace/redact.ts';
import { doerOf, principalOf } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { json } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/erasures`: records are erased by a person's own sign-in or the owner, never by a minted token or what it made. */
export function erasureRoutes(erasures: Erasures, readBody: Answer): readonly TableRoute[] {
  const list = json(() => ({ erasures: erasures.list() }) satisfies ErasureList);
  const erase = json(async (request, response) => {
    const asked = valueOf(check(NewErasure, jsonBody(request, 'Erasure')));
    const reason = redactNote(asked.reason);
    const doer = doerOf(response);
    const done = await erasures.erase({ ...asked, reason }, doer);
    response.locals.hasEntry = true;
    return done;
  }, 201);
  return [
    { method: 'GET', path: '/app/erasures', answer: list },
    {
      method: 'POST',
      path: '/app/erasures',
      audit: 'erase',
      body: async (request, response) => {
        checkOwner(response);
        await readBody(request, response);
      },
      answer: erase,
    },
  ];
}

/** @throws FhirError `forbidden` for a minted token, for what it obtained, and for a session of a code that it made. */
function checkOwner(response: Response): void {
  const { kind, mintedBy } = principalOf(response);
  if (kind !== 'minted' && kind !== 'issued' && mintedBy === undefined) return;
  throw new FhirError('forbidden', {
    text: 'Records are erased by the owner alone: in the window, or by `chartkeeper erase`.',
    location: 'http.Authorization',
  });
}
