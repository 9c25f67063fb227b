/** For tests alone: answers of a server that is in a state which a test cannot bring a real one into. */
import { onTestFinished } from 'vitest';
import type { Overview } from '../../core/app/models.ts';
import { perType } from '../../core/fhir/resource.ts';

/** What is answered: a value as JSON with 200, a status without a body, no answer yet, or what the server says. */
type Answered = object | number | 'waits' | undefined;

export interface SentRequest {
  readonly request: string;
  readonly body: unknown;
}

type Answering = (request: string, pass: () => Promise<Response>, body: unknown) => Promise<Response>;

/** Answers each request of the page, named like `GET /app/damage`, until the test ends; `pass` has the server do so. */
export function intercept(answer: Answering): void {
  const passOn = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    return answer(`${init?.method ?? 'GET'} ${pathname}`, () => passOn(input, init), init?.body);
  };
  onTestFinished(() => {
    window.fetch = passOn;
  });
}

/**
 * Answers the page's requests that are named like `GET /app/damage` until the test ends; all others reach the server.
 * The list that is returned grows with each request that was answered here.
 */
export function answerWith(answers: Readonly<Record<string, () => Answered>>): readonly SentRequest[] {
  const sent: SentRequest[] = [];
  intercept(async (request, pass, body) => {
    const answer = answers[request]?.();
    if (answer === undefined) return pass();
    sent.push({ request, body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined });
    if (answer === 'waits') return new Promise<Response>(() => undefined);
    if (typeof answer === 'number') return new Response(null, { status: answer });
    return Response.json(answer);
  });
  return sent;
}

/** What a server says of its store: an empty one, but for what is told otherwise. */
export function overviewWith(told: Partial<Overview>): Overview {
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
    ...told,
  };
}
