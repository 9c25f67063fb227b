import { expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import { itemsOf, typeOfItem, wholeItem } from './items.ts';
import { rootOf } from './testing/judged.ts';

const sibling = { extension: [{ url: 'http://x', valueCode: 'unknown' }] };

/** Returns the pointers of an element's values. A value in the sibling only is in parentheses. */
function places(record: object, name: string, isChoice = false): string[] {
  return itemsOf(wholeItem(rootOf(record), []), name, isChoice).map((item) =>
    item.node ? formatPointer(item.tokens) : `(${formatPointer(item.siblingTokens)})`,
  );
}

test.each<[record: object, expected: readonly string[]]>([
  [{}, []],
  [{ a: null }, []],
  [{ a: [] }, []],
  [{ a: 1 }, ['/a']],
  [{ a: 1, _a: sibling }, ['/a']],
  [{ _a: sibling }, ['(/_a)']],
  [{ a: [1, 2] }, ['/a/0', '/a/1']],
  [{ a: [null, 2], _a: [sibling, null] }, ['(/_a/0)', '/a/1']],
  [{ a: [1], _a: [null, sibling] }, ['/a/0', '(/_a/1)']],
  [{ a: [null, 2] }, ['/a/1']],
  [{ _a: [sibling, sibling] }, ['(/_a/0)', '(/_a/1)']],
  [{ a: 1, _a: [sibling] }, ['(/_a/0)']],
])('lists the values of an element in %j at %j', (record, expected) => {
  expect(places(record, 'a')).toEqual(expected);
});

test.each<[record: object, expected: readonly string[]]>([
  [{ valueString: 'a' }, ['/valueString']],
  [{ valueDateTime: '2026' }, ['/valueDateTime']],
  [{ valueQuantity: {} }, ['/valueQuantity']],
  [{ _valueString: sibling }, ['(/_valueString)']],
  [{ valueString: 'a', _valueString: sibling }, ['/valueString']],
  [{ value: 1, values: 1, valueString1: 1, valuestring: 'a', valueOther: 1, other: 1 }, []],
  [{ valueString: ['a', 'b'] }, ['/valueString/0', '/valueString/1']],
])('lists the values of a choice in %j at %j', (record, expected) => {
  expect(places(record, 'value', true)).toEqual(expected);
});

test.each([
  [{ valueDateTime: '2026' }, 'dateTime'],
  [{ valueQuantity: {} }, 'Quantity'],
  [{ valueBase64Binary: 'a' }, 'base64Binary'],
])('reads the type of the value in %j as %s', (record, type) => {
  const [item] = itemsOf(wholeItem(rootOf(record), []), 'value', true);
  expect(item && typeOfItem(item)).toBe(type);
});

test('returns the type of a resource, and nothing for other objects', () => {
  expect(typeOfItem(wholeItem(rootOf({ resourceType: 'Goal' }), []))).toBe('Goal');
  expect(typeOfItem(wholeItem(rootOf({ a: 1 }), []))).toBeUndefined();
});

test('finds the extensions of a primitive in its sibling', () => {
  for (const record of [{ a: 1, _a: sibling }, { _a: sibling }]) {
    const [item] = itemsOf(wholeItem(rootOf(record), []), 'a', false);
    const extensions = item ? itemsOf(item, 'extension', false) : [];
    expect(extensions.map(({ tokens }) => formatPointer(tokens))).toEqual(['/_a/extension/0']);
  }
});
