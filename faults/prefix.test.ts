import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';
import { findPrefixProblem } from './prefix.ts';

const noLimit = Number.POSITIVE_INFINITY;

/** Creates a ledger of three writes in order, and the versions of a store that has all of them. */
function createThreeWrites() {
  const ledger = new Ledger();
  const storedVersions = ['a', 'b', 'c'].map((id) => {
    const title = ledger.nextTitle();
    const version = { key: `CarePlan/${id}/_history/1`, text: `{"title":"${title}"}` };
    ledger.acknowledge(title, version);
    return version;
  });
  return { ledger, storedVersions };
}

test.each([0, 1, 2, 3])('accepts the first %i of three writes as a committed prefix', (count) => {
  const { ledger, storedVersions } = createThreeWrites();
  expect(
    findPrefixProblem(ledger, storedVersions.slice(0, count), { from: 0, to: 100 }, noLimit),
  ).toBeUndefined();
});

test('rejects a write whose predecessor is missing', () => {
  const { ledger, storedVersions } = createThreeWrites();
  expect(findPrefixProblem(ledger, storedVersions.slice(1), { from: 0, to: 100 }, noLimit)).toContain(
    'predecessor',
  );
});

test('requires writes acknowledged before the span, and rejects writes sent after it', () => {
  const { ledger, storedVersions } = createThreeWrites();
  expect(findPrefixProblem(ledger, storedVersions.slice(0, 1), { from: 5, to: 100 }, noLimit)).toContain(
    'is not there',
  );
  expect(findPrefixProblem(ledger, storedVersions, { from: 0, to: 4 }, noLimit)).toContain('was sent after');
  expect(findPrefixProblem(ledger, storedVersions, { from: 0, to: 4 }, 4)).toBeUndefined();
});

test('rejects a refused write', () => {
  const { ledger, storedVersions } = createThreeWrites();
  const title = ledger.nextTitle();
  ledger.refuse(title, true);
  const refusedVersion = { key: 'CarePlan/d/_history/1', text: `{"title":"${title}"}` };
  expect(
    findPrefixProblem(ledger, [...storedVersions, refusedVersion], { from: 0, to: 100 }, noLimit),
  ).toContain('was refused');
});
