/** For tests only: stubs of responses that a test cannot get from a real server. */
import { onTestFinished } from 'vitest';
import type { Overview } from '../../core/app/models.ts';
import { perType } from '../../core/fhir/resource.ts';

/** JSON with status 200, a status without a body, a pending response, or undefined for the response of the server. */
type StubbedResponse = object | number | 'waits' | undefined;

/** A request that a stub has answered. */
export interface SentRequest {
  readonly request: string;
  readonly body: unknown;
}

type RequestHandler = (request: string, pass: () => Promise<Response>, body: unknown) => Promise<Response>;

/** Handles each request of the page until the test ends. `request` is like `GET /app/damage`; `pass` calls the server. */
export function intercept(handle: RequestHandler): void {
  const originalFetch = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    return handle(`${init?.method ?? 'GET'} ${pathname}`, () => originalFetch(input, init), init?.body);
  };
  onTestFinished(() => {
    window.fetch = originalFetch;
  });
}

/**
 * Stubs the responses to requests like `GET /app/damage` until the test ends. Other requests reach the server.
 *
 * @returns The stubbed requests; the list grows with each.
 */
export function answerWith(answers: Readonly<Record<string, () => StubbedResponse>>): readonly SentRequest[] {
  const sentRequests: SentRequest[] = [];
  intercept(async (request, pass, body) => {
    const response = answers[request]?.();
    if (response === undefined) return pass();
    sentRequests.push({
      request,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    });
    if (response === 'waits') return new Promise<Response>(() => undefined);
    if (typeof response === 'number') return new Response(null, { status: response });
    return Response.json(response);
  });
  return sentRequests;
}

/** Returns the overview of an empty store, with overrides. */
export function overviewWith(overrides: Partial<Overview>): Overview {
  return {
    version: '1',
    folder: '/',
    level: 'standard',
    counts: perType(() => 0),
    subjects: [],
    disk: 'ok',
    rebuild: { state: 'idle', done: 0, total: 0, parts: [], skipped: 0 },
    judged: { rules: '1' },
    damage: { records: 0, scrub: { ended: null, read: 0, found: 0, running: null } },
    ...overrides,
  };
}
