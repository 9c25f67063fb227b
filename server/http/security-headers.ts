import type { Guard } from './request.ts';

// Maps: a Headers object is sorted anew for each answer.
const headers = new Map(
  Object.entries({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  }),
);

/** Headers of every answer: nothing is cached, framed, sniffed, run or read by another site. */
export const securityHeaders: Guard = (_request, response) => {
  response.setHeaders(headers);
};
