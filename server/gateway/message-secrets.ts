import type { SecretBackend } from '../../core/app/connections.ts';
import type { SecretResponse, SecretRequest } from '../../core/app/server-messages.ts';
import { defineMessages } from '../../core/text/message.ts';
import { createPendingPrompts } from './pending-prompts.ts';
import { SecretStoreError } from './secrets.ts';

/** A request to the shell, without its number. */
type Ask =
  | { readonly act: 'get' | 'delete'; readonly id: string }
  | { readonly act: 'set'; readonly id: string; readonly secret: string };

/** Milliseconds. A keychain may prompt its user first. */
const timeoutMs = 120_000;

const messages = defineMessages('gateway.systemSecrets', {
  notStored: 'The system couldn’t store the secret. Nothing was changed.',
});

export type MessageSecrets = ReturnType<typeof messageSecrets>;

/**
 * Stores secrets with the shell, which uses the system keychain. This process retains none. `ask` sends a
 * request; the response arrives through `answered`.
 */
export function messageSecrets(backend: SecretBackend, ask: (question: SecretRequest) => void) {
  const { sendPrompt, handleAnswer } = createPendingPrompts<SecretResponse>(timeoutMs);
  const question = (request: Ask) => sendPrompt((number) => ask({ type: 'secret', ask: number, ...request }));

  async function change(request: Ask): Promise<void> {
    const response = await question(request);
    if (!response?.done) throw new SecretStoreError(messages.notStored());
  }

  return {
    backend,
    get: async (id: string) => (await question({ act: 'get', id }))?.secret,
    set: (id: string, secret: string) => change({ act: 'set', id, secret }),
    delete: (id: string) => change({ act: 'delete', id }),
    answered: handleAnswer,
  };
}
