import express, { type RequestHandler } from 'express';

/** Inline styles are Monaco's own limit; nothing else is loosened. */
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

/** What a document needs beyond the headers of every answer. */
const headers = new Map(
  Object.entries({
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  }),
);

/** Serves the built page's files; a path without a file goes on to the next handler. */
export function pageFiles(folder: string): RequestHandler {
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
