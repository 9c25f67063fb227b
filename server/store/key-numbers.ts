/**
 * Numbers that stand for the keys of index rows (`CarePlan.subject`): as text the same few would stand in front of each
 * row, and each step through a tree would compare them. They are in the file; a new key takes the next number.
 */
const numbers: ReadonlyMap<string, number> = new Map([
  ['CarePlan.subject', 1],
  ['CarePlan.encounter', 2],
  ['CarePlan.identifier', 3],
  ['CarePlan.status', 4],
  ['CarePlan.category', 5],
  ['CarePlan.date', 6],
  ['CarePlan.intent', 7],
  ['Composition.subject', 8],
  ['Composition.encounter', 9],
  ['Composition.identifier', 10],
  ['Composition.status', 11],
  ['Composition.category', 12],
  ['Composition.date', 13],
  ['Composition.type', 14],
  ['Composition.title', 15],
  ['Composition.author', 16],
]);

/** @throws TypeError for a key without a number. */
export function keyNumber(key: string): number {
  const number = numbers.get(key);
  if (number === undefined) throw new TypeError(`The index key ${key} has no number`);
  return number;
}

/** The numbers of the subjects, as an SQL list. */
export const subjectKeys = `(${['CarePlan.subject', 'Composition.subject'].map(keyNumber).join(', ')})`;
