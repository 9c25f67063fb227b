import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { Queries } from './queries.ts';

/** A query whose answers are given by hand, in the order in which they are asked for. */
function watched() {
  const queries = new Queries({ onError: () => undefined });
  const asked: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ['people'],
    staleTime: Infinity,
    queryFn: () => new Promise<string>((resolve) => asked.push(resolve)),
  });
  onTestFinished(observer.subscribe(() => undefined));
  return { queries, asked, shown: () => observer.getCurrentResult().data };
}

test('what changes while the first answer is on its way is asked for behind it', async () => {
  const { queries, asked, shown } = watched();
  void queries.invalidateQueries({ queryKey: ['people'] });
  void queries.invalidateQueries({ queryKey: ['people'] });
  expect(asked).toHaveLength(1);
  asked[0]?.('before the change');
  await expect.poll(shown).toBe('before the change');
  expect(asked).toHaveLength(2);
  asked[1]?.('behind it');
  await expect.poll(shown).toBe('behind it');
  expect(asked).toHaveLength(2);
});

test('a first answer with no change beside it is asked for once', async () => {
  const { queries, asked, shown } = watched();
  void queries.invalidateQueries({ queryKey: ['others'] });
  asked[0]?.('all of it');
  await expect.poll(shown).toBe('all of it');
  expect(asked).toHaveLength(1);
});

test('an answer that is there is asked for anew at once', async () => {
  const { queries, asked, shown } = watched();
  asked[0]?.('before the change');
  await expect.poll(shown).toBe('before the change');
  void queries.invalidateQueries({ queryKey: ['people'] });
  expect(asked).toHaveLength(2);
  asked[1]?.('behind it');
  await expect.poll(shown).toBe('behind it');
});
