/** Numbers prompts to the shell and matches their responses. `timeoutMs` limits the wait for a response. */
export function createPendingPrompts<Answer extends { readonly ask: number }>(timeoutMs: number) {
  const pendingById = new Map<number, (response: Answer | undefined) => void>();
  let lastNumber = 0;
  return {
    /** `send` receives the number. Resolves with undefined if no response arrives in time. */
    sendPrompt: (send: (ask: number) => void): Promise<Answer | undefined> => {
      const number = (lastNumber += 1);
      return new Promise((resolve) => {
        const settle = (response: Answer | undefined) => {
          clearTimeout(timer);
          pendingById.delete(number);
          resolve(response);
        };
        const timer = setTimeout(settle, timeoutMs, undefined);
        timer.unref();
        pendingById.set(number, settle);
        send(number);
      });
    },
    /** Resolves the prompt of a response. Ignores a response without a pending prompt. */
    handleAnswer: (response: Answer): void => {
      pendingById.get(response.ask)?.(response);
    },
  };
}
