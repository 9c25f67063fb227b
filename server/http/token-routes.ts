import { checkTokenRequest } from '../../core/app/tokens.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { principalOf } from './access.ts';
import { nameEntry } from './audit-recorder.ts';
import { jsonBody, valueOf } from './body.ts';
import { sendJson } from './reply.ts';
import { idOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/tokens`: who may use this server (core/app/tokens.ts). */
export function tokenRoutes(tokens: TokenStore, readBody: Answer): readonly TableRoute[] {
  const list: Answer = async (_request, response) => {
    const { id } = principalOf(response);
    const all = await tokens.list();
    sendJson(
      response,
      200,
      JSON.stringify(all.map((one) => (one.id === id ? { ...one, current: true } : one))),
    );
  };
  const mint: Answer = async (request, response) => {
    const asked = valueOf(checkTokenRequest(jsonBody(request, 'TokenRequest')));
    const minted = await tokens.mint(asked);
    nameEntry(response, minted.id);
    sendJson(response, 201, JSON.stringify(minted));
  };
  const revoke: Answer = async (request, response) => {
    const revoked = await tokens.revoke(idOf(request));
    nameEntry(response, idOf(request));
    if (!revoked) throw new FhirError('not-found', { text: 'No token has this id.' });
    sendJson(response, 200, JSON.stringify(revoked));
  };
  return [
    { method: 'GET', path: '/app/tokens', answer: list },
    { method: 'POST', path: '/app/tokens', audit: 'token-create', readBody, answer: mint },
    { method: 'DELETE', path: '/app/tokens/:id', audit: 'token-revoke', answer: revoke },
  ];
}
