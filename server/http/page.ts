import express, { type RequestHandler } from 'express';

/** Inline styles are required by Monaco. Nothing else is relaxed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'self'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of documents besides the common ones. */
const headers = new Map(
  Object.entries({
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  }),
);

/** Serves the files of the built page. A path without a file goes to the next handler. */
export function createPageHandler(folder: string): RequestHandler {
  return express.static(folder, {
    etag: false,
    lastModified: false,
    cacheControl: false,
    redirect: false,
    setHeaders: (response) => {
      response.setHeaders(headers);
    },
  });
}
