import { check } from '../../core/app/check.ts';
import { TokenRequest } from '../../core/app/tokens.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { derivedFrom } from '../access/principal.ts';
import { principalOf } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { json } from './reply.ts';
import { idOf, found } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/tokens`: who may use this server (core/app/tokens.ts). */
export function tokenRoutes(tokens: TokenStore): readonly TableRoute[] {
  const list = json(async (_request, response) => {
    const { id } = principalOf(response);
    const all = await tokens.list();
    return all.map((one) => (one.id === id ? { ...one, current: true } : one));
  });
  const mint = json(async (request, response) => {
    const asked = valueOf(check(TokenRequest, jsonBody(request, 'TokenRequest')));
    const minted = await tokens.mint(asked, derivedFrom(principalOf(response)));
    response.locals.audited = minted.id;
    return minted;
  }, 201);
  const revoke = json(async (request, response) => {
    const revoked = await tokens.revoke(idOf(request));
    response.locals.audited = idOf(request);
    return found(revoked, 'No token has this id.');
  });
  return [
    { method: 'GET', path: '/app/tokens', answer: list },
    { method: 'POST', path: '/app/tokens', audit: 'token-create', body: true, answer: mint },
    { method: 'DELETE', path: '/app/tokens/:id', audit: 'token-revoke', answer: revoke },
  ];
}
