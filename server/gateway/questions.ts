/** Questions to the shell, told apart by numbers. `patience`: milliseconds that an answer is waited for. */
export function questions<Answer extends { readonly ask: number }>(patience: number) {
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  let last = 0;
  return {
    /** `send` gets the number; undefined where no answer came in time. */
    put: (send: (ask: number) => void): Promise<Answer | undefined> => {
      const number = (last += 1);
      return new Promise((resolve) => {
        const settle = (answer: Answer | undefined) => {
          clearTimeout(timer);
          waiting.delete(number);
          resolve(answer);
        };
        const timer = setTimeout(settle, patience, undefined);
        timer.unref();
        waiting.set(number, settle);
        send(number);
      });
    },
    /** Takes what the shell answered; one that nobody waits for is passed over. */
    answered: (answer: Answer): void => {
      waiting.get(answer.ask)?.(answer);
    },
  };
}
