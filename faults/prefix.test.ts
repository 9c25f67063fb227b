import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';
import { prefixFault } from './prefix.ts';

const late = Number.POSITIVE_INFINITY;

/** A ledger of three writes, one after the other, and what a store holds that has all of them. */
function three() {
  const ledger = new Ledger();
  const held = ['a', 'b', 'c'].map((id) => {
    const title = ledger.nextTitle();
    const one = { key: `CarePlan/${id}/_history/1`, text: `{"title":"${title}"}` };
    ledger.acknowledge(title, one);
    return one;
  });
  return { ledger, held };
}

test.each([0, 1, 2, 3])('the first %i of three writes are a committed prefix', (count) => {
  const { ledger, held } = three();
  expect(prefixFault(ledger, held.slice(0, count), { from: 0, to: 100 }, late)).toBeUndefined();
});

test('a write without its predecessor is none', () => {
  const { ledger, held } = three();
  expect(prefixFault(ledger, held.slice(1), { from: 0, to: 100 }, late)).toContain('predecessor');
});

test('what was acknowledged before the span must be there, what was sent behind it must not', () => {
  const { ledger, held } = three();
  expect(prefixFault(ledger, held.slice(0, 1), { from: 5, to: 100 }, late)).toContain('is not there');
  expect(prefixFault(ledger, held, { from: 0, to: 4 }, late)).toContain('was sent after');
  expect(prefixFault(ledger, held, { from: 0, to: 4 }, 4)).toBeUndefined();
});

test('what was refused must not be there', () => {
  const { ledger, held } = three();
  const title = ledger.nextTitle();
  ledger.refuse(title, true);
  const refused = { key: 'CarePlan/d/_history/1', text: `{"title":"${title}"}` };
  expect(prefixFault(ledger, [...held, refused], { from: 0, to: 100 }, late)).toContain('was refused');
});
