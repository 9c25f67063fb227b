import { check } from '../../core/app/check.ts';
import { TokenRequest } from '../../core/app/tokens.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { principalOf } from './access.ts';
import { nameEntry } from './audit-recorder.ts';
import { jsonBody, valueOf } from './body.ts';
import { json } from './reply.ts';
import { idOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/tokens`: who may use this server (core/app/tokens.ts). */
export function tokenRoutes(tokens: TokenStore, readBody: Answer): readonly TableRoute[] {
  const list = json(async (_request, response) => {
    const { id } = principalOf(response);
    const all = await tokens.list();
    return all.map((one) => (one.id === id ? { ...one, current: true } : one));
  });
  const mint = json(async (request, response) => {
    const minted = await tokens.mint(valueOf(check(TokenRequest, jsonBody(request, 'TokenRequest'))));
    nameEntry(response, minted.id);
    return minted;
  }, 201);
  const revoke = json(async (request, response) => {
    const revoked = await tokens.revoke(idOf(request));
    nameEntry(response, idOf(request));
    if (!revoked) throw new FhirError('not-found', { text: 'No token has this id.' });
    return revoked;
  });
  return [
    { method: 'GET', path: '/app/tokens', answer: list },
    { method: 'POST', path: '/app/tokens', audit: 'token-create', readBody, answer: mint },
    { method: 'DELETE', path: '/app/tokens/:id', audit: 'token-revoke', answer: revoke },
  ];
}
