/** Does one piece of work after the other: each once all before it have ended, well or not. */
export function turns(): <Result>(work: () => Result | Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
