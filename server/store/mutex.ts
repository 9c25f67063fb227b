/** Returns a function that runs tasks one at a time, in order. A failed task does not stop the queue. */
export function createMutex(): <Result>(work: () => Result | Promise<Result>) => Promise<Result> {
  let lastTask: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = lastTask.then(work);
    lastTask = result.catch(() => undefined);
    return result;
  };
}
