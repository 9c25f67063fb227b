import { check } from '../../core/app/check.ts';
import { NewErasure, type ErasureList } from '../../core/app/erasures.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Erasures } from '../erasures/erasures.ts';
import { redactNote } from '../workspace/redact.ts';
import { parseJsonBody, getCheckedValue } from './body.ts';
import { createJsonHandler } from './reply.ts';
import type { ApiRequest, BodyReader } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('erasure', {
  ownerOnly: 'Only the owner can erase records: in the app, or with `chartkeeper erase`.',
});

/** `/app/erasures`: only the owner or a person who signed in can erase records. Created tokens can't. */
export function createErasureRoutes(erasures: Erasures, readBody: BodyReader): readonly TableRoute[] {
  const list = createJsonHandler(() => ({ erasures: erasures.list() }) satisfies ErasureList);
  const erase = createJsonHandler(async (request) => {
    const erasureRequest = getCheckedValue(check(NewErasure, parseJsonBody(request, 'Erasure')));
    const reason = redactNote(erasureRequest.reason);
    const { actor } = request;
    const erasure = await erasures.erase({ ...erasureRequest, reason }, actor);
    request.notes.isAudited = true;
    return erasure;
  }, 201);
  return [
    { method: 'GET', path: '/app/erasures', handler: list },
    {
      method: 'POST',
      path: '/app/erasures',
      audit: 'erase',
      body: async (request) => {
        assertOwner(request);
        await readBody(request);
      },
      handler: erase,
    },
  ];
}

/**
 * Rejects created tokens, tokens that they obtained, and sessions of their codes.
 *
 * @throws FhirError `forbidden`
 */
function assertOwner({ principal: { kind, mintedBy } }: ApiRequest): void {
  if (kind !== 'minted' && kind !== 'issued' && mintedBy === undefined) return;
  throw new FhirError('forbidden', { ...messages.ownerOnly(), location: 'http.Authorization' });
}
