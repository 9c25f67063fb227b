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

/** Seconds that a browser may cache a preflight response. */
const maxAgeSeconds = 600;

/**
 * Creates the CORS guard (fetch.spec.whatwg.org section 3.2). Without origins it sends no CORS header.
 *
 * Credentials are never allowed: tokens are in Authorization only.
 */
export function createCorsGuard(allowOrigins: readonly string[]): Guard {
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
        'Access-Control-Max-Age': String(maxAgeSeconds),
        'Content-Type': mediaType,
      })
      .end();
  };
}
