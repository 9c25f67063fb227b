import { check } from '../../core/app/check.ts';
import { TokenRequest } from '../../core/app/tokens.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { inheritFrom } from '../access/principal.ts';
import { parseJsonBody, getCheckedValue } from './body.ts';
import { createJsonHandler } from './reply.ts';
import { assertFound } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('token', { absent: 'There is no token with this ID.' });

/** `/app/tokens`: access tokens of this server (core/app/tokens.ts). */
export function createTokenRoutes(tokens: TokenStore): readonly TableRoute[] {
  const list = createJsonHandler(async (request) => {
    const { id } = request.principal;
    const tokenList = await tokens.list();
    return tokenList.map((token) => (token.id === id ? { ...token, current: true } : token));
  });
  const create = createJsonHandler(async (request) => {
    const tokenRequest = getCheckedValue(check(TokenRequest, parseJsonBody(request, 'TokenRequest')));
    const created = await tokens.mint(tokenRequest, inheritFrom(request.principal));
    request.notes.audited = created.id;
    return created;
  }, 201);
  const revoke = createJsonHandler(async (request) => {
    const revoked = await tokens.revoke(request.id);
    request.notes.audited = request.id;
    return assertFound(revoked, messages.absent());
  });
  return [
    { method: 'GET', path: '/app/tokens', handler: list },
    { method: 'POST', path: '/app/tokens', audit: 'token-create', body: true, handler: create },
    { method: 'DELETE', path: '/app/tokens/:id', audit: 'token-revoke', handler: revoke },
  ];
}
