import { check } from '../../core/app/check.ts';
import { TokenRequest } from '../../core/app/tokens.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { derivedFrom } from '../access/principal.ts';
import { principalOf } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { json } from './reply.ts';
import { idOf, assertFound } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('token', { absent: 'There is no token with this ID.' });

/** `/app/tokens`: access tokens of this server (core/app/tokens.ts). */
export function tokenRoutes(tokens: TokenStore): readonly TableRoute[] {
  const list = json(async (_request, response) => {
    const { id } = principalOf(response);
    const tokenList = await tokens.list();
    return tokenList.map((token) => (token.id === id ? { ...token, current: true } : token));
  });
  const create = json(async (request, response) => {
    const tokenRequest = valueOf(check(TokenRequest, jsonBody(request, 'TokenRequest')));
    const created = await tokens.mint(tokenRequest, derivedFrom(principalOf(response)));
    response.locals.audited = created.id;
    return created;
  }, 201);
  const revoke = json(async (request, response) => {
    const revoked = await tokens.revoke(idOf(request));
    response.locals.audited = idOf(request);
    return assertFound(revoked, messages.absent());
  });
  return [
    { method: 'GET', path: '/app/tokens', answer: list },
    { method: 'POST', path: '/app/tokens', audit: 'token-create', body: true, answer: create },
    { method: 'DELETE', path: '/app/tokens/:id', audit: 'token-revoke', answer: revoke },
  ];
}
