import type { Client } from '../../core/api/client.ts';

/** Milliseconds that rows gather: what is scrolled past is not asked for. */
const gathering = 150;

interface Wish<Answer> {
  readonly asked: string;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer | null) => void;
  readonly reject: (reason: unknown) => void;
}

/** How one question of each row becomes one request for all rows that came into sight together; null is no answer. */
export function gather<Answer>(
  request: (client: Client, asked: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): (client: Client, asked: string, signal: AbortSignal) => Promise<Answer | null> {
  const waiting = new WeakMap<Client, Wish<Answer>[]>();

  async function fulfil(client: Client, wishes: readonly Wish<Answer>[]): Promise<void> {
    const wanted = new Set(wishes.flatMap(({ asked, signal }) => (signal.aborted ? [] : asked)));
    try {
      const answers = wanted.size > 0 ? await request(client, [...wanted]) : new Map<string, Answer>();
      for (const { asked, resolve } of wishes) resolve(answers.get(asked) ?? null);
    } catch (error) {
      for (const { reject } of wishes) reject(error);
    }
  }

  return (client, asked, signal) =>
    new Promise((resolve, reject) => {
      const wishes = waiting.get(client) ?? [];
      wishes.push({ asked, signal, resolve, reject });
      if (waiting.has(client)) return;
      waiting.set(client, wishes);
      setTimeout(() => {
        waiting.delete(client);
        void fulfil(client, wishes);
      }, gathering);
    });
}
