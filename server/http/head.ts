import type { Express, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { ServerResponse, type OutgoingHttpHeaders } from 'node:http';

/** Responses can't be cached, framed, sniffed, executed or read by another site. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

declare module 'express-serve-static-core' {
  interface Locals {
    requestId?: string;
    /** Headers of a response that were written at once. */
    head?: OutgoingHttpHeaders;
  }
}

/** Returns the request id, which each response and its OperationOutcome carry. */
export function getRequestId({ locals }: Response): string {
  return (locals.requestId ??= randomUUID());
}

/**
 * Adds the common headers to each response when its head is written. Headers set earlier win.
 *
 * Node writes a whole head at once, but checks and stores each header that is set separately.
 */
export function addCommonHeaders({ response: prototype }: Express): void {
  const writeHead = Object.getOwnPropertyDescriptor(ServerResponse.prototype, 'writeHead')?.value as (
    this: Response,
    status: number,
    headers: OutgoingHttpHeaders,
  ) => Response;
  prototype.writeHead = function (this: Response, status: number, ownHeaders?: OutgoingHttpHeaders) {
    const commonHeaders = { ...headers, 'X-Request-Id': getRequestId(this) };
    const missing =
      this.getHeaderNames().length === 0
        ? commonHeaders
        : omitHeaders(commonHeaders, (name) => this.hasHeader(name));
    const head = { ...missing, ...ownHeaders };
    this.locals.head = head;
    return writeHead.call(this, status, head);
  } as Response['writeHead'];
}

function omitHeaders(
  allHeaders: Record<string, string>,
  isOmitted: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(allHeaders).filter(([name]) => !isOmitted(name)));
}

/** Returns a header of a response, set or written. The name has the spelling of its writer. */
export function getHeader(response: Response, name: string): string | undefined {
  const value = response.locals.head?.[name] ?? response.getHeader(name);
  return value === undefined ? undefined : String(value);
}
