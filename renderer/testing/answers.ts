/** For tests alone: answers of a server that is in a state which a test cannot bring a real one into. */
import { onTestFinished } from 'vitest';
import type { Overview } from '../../core/app/models.ts';
import { perType } from '../../core/fhir/resource.ts';

/** What is answered: a value as JSON with 200, a status without a body, or no answer yet. */
type Answered = object | number | 'waits';

export interface SentRequest {
  readonly request: string;
  readonly body: unknown;
}

/** What a request of the page is called: `GET /app/damage`. */
export function requestName(...[input, init]: Parameters<typeof window.fetch>): string {
  const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
  return `${init?.method ?? 'GET'} ${pathname}`;
}

/**
 * Answers the page's requests that are named like `GET /app/damage` until the test ends; all others reach the server.
 * The list that is returned grows with each request that was answered here.
 */
export function answerWith(answers: Readonly<Record<string, () => Answered>>): readonly SentRequest[] {
  const sent: SentRequest[] = [];
  const passOn = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = requestName(input, init);
    const answer = answers[request]?.();
    if (answer === undefined) return passOn(input, init);
    const { body } = init ?? {};
    sent.push({ request, body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined });
    if (answer === 'waits') return new Promise<Response>(() => undefined);
    if (typeof answer === 'number') return new Response(null, { status: answer });
    return Response.json(answer);
  };
  onTestFinished(() => {
    window.fetch = passOn;
  });
  return sent;
}

/** What a server says of its store: an empty one, but for what is told otherwise. */
export function overviewWith(told: Partial<Overview>): Overview {
  return {
    ...{ version: '1', folder: '/', level: 'standard', counts: perType(() => 0), subjects: [], disk: 'ok' },
    rebuild: { state: 'idle', done: 0, total: 0, parts: [], skipped: 0 },
    judged: { rules: '1' },
    damage: { records: 0, scrub: { ended: null, read: 0, found: 0, running: null } },
    ...told,
  };
}
