import type { SecretBackend } from '../../core/app/connections.ts';
import type { SecretAnswer, SecretQuestion } from '../../core/app/server-messages.ts';
import { questions } from './questions.ts';
import { SecretStoreError } from './secrets.ts';

/** What can be asked, without its number. */
type Ask =
  | { readonly act: 'get' | 'delete'; readonly id: string }
  | { readonly act: 'set'; readonly id: string; readonly secret: string };

/** Milliseconds: a keychain may ask its user first. */
const patience = 120_000;

const notKept = 'The secret could not be kept by the system; nothing was changed.';

export type MessageSecrets = ReturnType<typeof messageSecrets>;

/**
 * Keeps secrets with the shell, which asks the system's keychain; nothing of them stays in this process. `ask` sends a
 * question, whose answer comes by `answered`.
 */
export function messageSecrets(backend: SecretBackend, ask: (question: SecretQuestion) => void) {
  const { put, answered } = questions<SecretAnswer>(patience);
  const question = (asked: Ask) => put((number) => ask({ type: 'secret', ask: number, ...asked }));

  async function change(asked: Ask): Promise<void> {
    const answer = await question(asked);
    if (!answer?.done) throw new SecretStoreError(notKept);
  }

  return {
    backend,
    get: async (id: string) => (await question({ act: 'get', id }))?.secret,
    set: (id: string, secret: string) => change({ act: 'set', id, secret }),
    delete: (id: string) => change({ act: 'delete', id }),
    answered,
  };
}
