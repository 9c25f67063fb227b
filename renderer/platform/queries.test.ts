import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { Queries } from './queries.ts';

/** Creates a query whose responses the test provides in the order of the requests. */
function createWatchedQuery() {
  const queries = new Queries({ onError: () => undefined });
  const pendingResponses: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ['people'],
    staleTime: Infinity,
    queryFn: () => new Promise<string>((resolve) => pendingResponses.push(resolve)),
  });
  onTestFinished(observer.subscribe(() => undefined));
  return { queries, pendingResponses, getData: () => observer.getCurrentResult().data };
}

test('requests again after a change during the first request', async () => {
  const { queries, pendingResponses, getData } = createWatchedQuery();
  void queries.invalidateQueries({ queryKey: ['people'] });
  void queries.invalidateQueries({ queryKey: ['people'] });
  expect(pendingResponses).toHaveLength(1);
  pendingResponses[0]?.('before the change');
  await expect.poll(getData).toBe('before the change');
  expect(pendingResponses).toHaveLength(2);
  pendingResponses[1]?.('behind it');
  await expect.poll(getData).toBe('behind it');
  expect(pendingResponses).toHaveLength(2);
});

test('requests once without a change during the first request', async () => {
  const { queries, pendingResponses, getData } = createWatchedQuery();
  void queries.invalidateQueries({ queryKey: ['others'] });
  pendingResponses[0]?.('all of it');
  await expect.poll(getData).toBe('all of it');
  expect(pendingResponses).toHaveLength(1);
});

test('requests again at once if data exists', async () => {
  const { queries, pendingResponses, getData } = createWatchedQuery();
  pendingResponses[0]?.('before the change');
  await expect.poll(getData).toBe('before the change');
  void queries.invalidateQueries({ queryKey: ['people'] });
  expect(pendingResponses).toHaveLength(2);
  pendingResponses[1]?.('behind it');
  await expect.poll(getData).toBe('behind it');
});
