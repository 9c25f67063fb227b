import type { Express, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { ServerResponse, type OutgoingHttpHeaders } from 'node:http';

/** Nothing is cached, framed, sniffed, run or read by another site. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

declare module 'express-serve-static-core' {
  interface Locals {
    requestId?: string;
    /** What the head said that was written in one go. */
    head?: OutgoingHttpHeaders;
  }
}

/** The id that every answer carries, an OperationOutcome as its own. */
export function requestIdOf({ locals }: Response): string {
  return (locals.requestId ??= randomUUID());
}

/**
 * Has every answer of an application carry the headers that all have, whoever writes it. They are put on as the head is
 * written, and leave what was set before: Node takes a whole head in one go, where each header that is set alone is
 * checked, filed and looked up again.
 */
export function withHeadOfAll({ response: prototype }: Express): void {
  const writeHead = Object.getOwnPropertyDescriptor(ServerResponse.prototype, 'writeHead')?.value as (
    this: Response,
    status: number,
    headers: OutgoingHttpHeaders,
  ) => Response;
  prototype.writeHead = function (this: Response, status: number, given?: OutgoingHttpHeaders) {
    const all = { ...headers, 'X-Request-Id': requestIdOf(this) };
    const missing = this.getHeaderNames().length === 0 ? all : without(all, (name) => this.hasHeader(name));
    const head = { ...missing, ...given };
    this.locals.head = head;
    return writeHead.call(this, status, head);
  } as Response['writeHead'];
}

function without(all: Record<string, string>, left: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !left(name)));
}

/** A header of an answer, as it was set or written: its name is spelled as there. */
export function headerOf(response: Response, name: string): string | undefined {
  const value = response.locals.head?.[name] ?? response.getHeader(name);
  return value === undefined ? undefined : String(value);
}
