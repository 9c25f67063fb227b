import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

const none = { lost: [], changed: [], refused: [], strange: [] };

function version(title: string, id: string) {
  return { key: `CarePlan/${id}/_history/1`, text: `{"title":"${title}"}` };
}

test('what was acknowledged is lost where it is not held, and changed where it is held otherwise', () => {
  const ledger = new Ledger();
  for (const id of ['a', 'b', 'c']) {
    const title = ledger.nextTitle();
    ledger.acknowledge(title, version(title, id));
  }
  const held = [version('Mark 1', 'a'), { ...version('Mark 2', 'b'), text: '{}' }];
  expect(ledger.compare(held)).toEqual({
    ...none,
    lost: ['CarePlan/c/_history/1'],
    changed: ['CarePlan/b/_history/1'],
  });
});

test('an unanswered write may be held or not; from then on it stays so', () => {
  const ledger = new Ledger();
  const [one, other] = [version(ledger.nextTitle(), 'a'), version(ledger.nextTitle(), 'b')];
  expect(ledger.compare([one])).toEqual(none);
  expect(ledger.compare([])).toEqual({ ...none, lost: [one.key] });
  expect(ledger.compare([one, other])).toEqual({ ...none, refused: [other.key] });
});

test('a refused write that is held is told, and so is one that nobody sent', () => {
  const ledger = new Ledger();
  const title = ledger.nextTitle();
  ledger.refuse(title, true);
  const held = [version(title, 'a'), version('Mark 9', 'b')];
  expect(ledger.compare(held)).toEqual({
    ...none,
    refused: ['CarePlan/a/_history/1'],
    strange: ['CarePlan/b/_history/1'],
  });
});

test('keeps what a restore put back as acknowledged', () => {
  const ledger = new Ledger();
  const held = [version('Mark 1', 'a'), version('Mark 2', 'b')];
  ledger.adopt(held);
  expect(ledger.addresses).toEqual(['CarePlan/a', 'CarePlan/b']);
  expect(ledger.compare(held.slice(0, 1))).toEqual({ ...none, lost: ['CarePlan/b/_history/1'] });
});
