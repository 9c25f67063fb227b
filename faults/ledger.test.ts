import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

const noDifferences = { lostKeys: [], changedKeys: [], refused: [], strange: [] };

function createVersion(title: string, id: string) {
  return { key: `CarePlan/${id}/_history/1`, text: `{"title":"${title}"}` };
}

test('reports an acknowledged version as lost if it is missing, and as changed if its text differs', () => {
  const ledger = new Ledger();
  for (const id of ['a', 'b', 'c']) {
    const title = ledger.nextTitle();
    ledger.acknowledge(title, createVersion(title, id));
  }
  const storedVersions = [createVersion('Mark 1', 'a'), { ...createVersion('Mark 2', 'b'), text: '{}' }];
  expect(ledger.compare(storedVersions)).toEqual({
    ...noDifferences,
    lostKeys: ['CarePlan/c/_history/1'],
    changedKeys: ['CarePlan/b/_history/1'],
  });
});

test('accepts an unanswered write in either state, and reports a later change of that state', () => {
  const ledger = new Ledger();
  const [firstVersion, secondVersion] = [
    createVersion(ledger.nextTitle(), 'a'),
    createVersion(ledger.nextTitle(), 'b'),
  ];
  expect(ledger.compare([firstVersion])).toEqual(noDifferences);
  expect(ledger.compare([])).toEqual({ ...noDifferences, lostKeys: [firstVersion.key] });
  expect(ledger.compare([firstVersion, secondVersion])).toEqual({
    ...noDifferences,
    refused: [secondVersion.key],
  });
});

test('reports a stored version that was refused or never sent', () => {
  const ledger = new Ledger();
  const title = ledger.nextTitle();
  ledger.refuse(title, true);
  const storedVersions = [createVersion(title, 'a'), createVersion('Mark 9', 'b')];
  expect(ledger.compare(storedVersions)).toEqual({
    ...noDifferences,
    refused: ['CarePlan/a/_history/1'],
    strange: ['CarePlan/b/_history/1'],
  });
});

test('counts versions brought back by a restore as acknowledged', () => {
  const ledger = new Ledger();
  const restoredVersions = [createVersion('Mark 1', 'a'), createVersion('Mark 2', 'b')];
  ledger.adopt(restoredVersions);
  expect(ledger.addresses).toEqual(['CarePlan/a', 'CarePlan/b']);
  expect(ledger.compare(restoredVersions.slice(0, 1))).toEqual({
    ...noDifferences,
    lostKeys: ['CarePlan/b/_history/1'],
  });
});
