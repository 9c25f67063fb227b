import type { SecretBackend } from '../../core/app/connections.ts';
import type { SecretAnswer, SecretQuestion } from '../../core/app/server-messages.ts';
import { SecretStoreError, type SecretStore } from './secrets.ts';

/** Keeps secrets with the shell, which asks the system's keychain; nothing of them stays in this process. */
export interface MessageSecrets extends SecretStore {
  /** Takes what the shell answered; one that nobody waits for is passed over. */
  readonly answered: (answer: SecretAnswer) => void;
}

/** What can be asked, without its number. */
type Ask =
  | { readonly act: 'get' | 'delete'; readonly id: string }
  | { readonly act: 'set'; readonly id: string; readonly secret: string };

/** Milliseconds: a keychain may ask its user first. */
const patience = 120_000;

const notKept = 'The secret could not be kept by the system; nothing was changed.';

/** Secrets behind messages that `ask` sends; each answer comes by `answered`. */
export function messageSecrets(
  backend: SecretBackend,
  ask: (question: SecretQuestion) => void,
): MessageSecrets {
  const waiting = new Map<number, (answer: SecretAnswer) => void>();
  let last = 0;

  function question(asked: Ask): Promise<SecretAnswer> {
    const number = (last += 1);
    return new Promise((resolve) => {
      const settle = (answer: SecretAnswer) => {
        clearTimeout(timer);
        waiting.delete(number);
        resolve(answer);
      };
      const timer = setTimeout(() => settle({ type: 'secret', ask: number, done: false }), patience);
      timer.unref();
      waiting.set(number, settle);
      ask({ type: 'secret', ask: number, ...asked });
    });
  }

  async function change(asked: Ask): Promise<void> {
    const { done } = await question(asked);
    if (!done) throw new SecretStoreError(notKept);
  }

  return {
    backend,
    get: async (id) => (await question({ act: 'get', id })).secret,
    set: (id, secret) => change({ act: 'set', id, secret }),
    delete: (id) => change({ act: 'delete', id }),
    answered(answer) {
      waiting.get(answer.ask)?.(answer);
    },
  };
}
