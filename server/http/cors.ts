import { mediaType } from '../../core/api/contract.ts';
import type { Guard } from './request.ts';

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'If-Match',
  'If-None-Match',
  'If-None-Exist',
  'Prefer',
  'X-Provenance',
  'X-Request-Id',
];

const exposedHeaders = [
  'ETag',
  'Location',
  'Last-Modified',
  'X-Request-Id',
  'Preference-Applied',
  'WWW-Authenticate',
  'Retry-After',
];

/** Seconds that a browser may remember a preflight's answer. */
const maxAge = 600;

/**
 * CORS (fetch.spec.whatwg.org section 3.2) for the given origins; none means that no such header is ever sent. Never
 * with credentials: tokens travel in Authorization alone.
 */
export function cors(allowOrigins: readonly string[]): Guard {
  return (request, response) => {
    if (allowOrigins.length > 0) response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowOrigins.includes(origin)) return;
    response.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders.join(', '),
    });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return;
    response
      .status(204)
      .set({
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, OPTIONS',
        'Access-Control-Allow-Headers': allowedHeaders.join(', '),
        'Access-Control-Max-Age': String(maxAge),
        'Content-Type': mediaType,
      })
      .end();
  };
}
