import express, { type NextFunction, type RequestHandler, type Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve, sep } from 'node:path';

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

/** The name of an asset contains a hash of its content, so a browser never has to ask for it again. */
const assetHeaders = new Map([...headers, ['Cache-Control', 'public, max-age=31536000, immutable']]);

/** Content codings of the copies that the build writes, the smallest first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Returns the folder of the copies of a page in a content coding. As a hidden folder it has no addresses. */
export function getCopyFolder(pageFolder: string, encoding: Encoding): string {
  return join(pageFolder, `.${encoding}`);
}

/** Sends the file of an address. Resolves only if there is none. */
export type PageHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/**
 * Serves the files of the built page, compressed if the browser accepts it and the build has written a copy.
 * Nothing else uses Express.
 */
export function createPageHandler(pageFolder: string): PageHandler {
  const sendFile = createFileHandler(pageFolder);
  const copies = encodings.map((encoding) => ({
    encoding,
    sendCopy: createFileHandler(getCopyFolder(pageFolder, encoding), encoding),
  }));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((request, response, next) => {
    const accepted = copies.find(({ encoding }) => request.acceptsEncodings(encoding));
    if (!accepted) {
      sendFile(request, response, next);
      return;
    }
    accepted.sendCopy(request, response, (error?: unknown) => {
      if (error === undefined) sendFile(request, response, next);
      else next(error);
    });
  });
  return (incoming, outgoing) =>
    new Promise((resolve, reject) => {
      const handle = app as (incoming: IncomingMessage, outgoing: ServerResponse, next: NextFunction) => void;
      handle(incoming, outgoing, (error?: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });
}

function createFileHandler(folder: string, encoding?: Encoding): RequestHandler {
  const assetPrefix = join(resolve(folder), 'assets', sep);
  return express.static(folder, {
    etag: false,
    lastModified: false,
    cacheControl: false,
    redirect: false,
    setHeaders: (response: Response, file) => {
      response.setHeaders(file.startsWith(assetPrefix) ? assetHeaders : headers);
      response.vary('Accept-Encoding');
      if (encoding) response.setHeader('Content-Encoding', encoding);
    },
  });
}
