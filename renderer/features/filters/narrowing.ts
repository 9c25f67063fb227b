/**
 * features/filters shows the values of a search's matches with their counts and filters the search by them. The app
 * shell mounts it next to the results. Invariant: the selection is stored only in the search.
 */
import { pairsOf, type Facet } from '../../../core/fhir/facet.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { splitAt, unescape } from '../../../core/fhir/search-values.ts';

/** A selected value as the search pairs that express it. */
export type Choice = readonly Pair[];

/** Returns the selected values of a facet. Several values of one parameter are alternatives. */
export function listSelectedValues(pairs: readonly Pair[], facet: Facet): readonly Choice[] {
  switch (facet.kind) {
    case 'finding':
      return [];
    case 'date':
      return pairs.flatMap(([name, value]) => {
        const month = name === facet.name ? /^ge(\d{4}-\d{2})$/.exec(value)?.[1] : undefined;
        const choice = month === undefined ? [] : pairsOf(facet, { kind: 'date', month });
        return choice.length > 0 &&
          choice.every((choicePair) => pairs.some((pair) => isPair(pair, choicePair)))
          ? [choice]
          : [];
      });
    case 'token':
    case 'reference':
    case 'uri':
      return pairs
        .filter(([name]) => name === facet.name)
        .flatMap(([name, value]) => splitAt(value, ',').map((part): Choice => [[name, part]]));
  }
}

/** Returns true if two choices are the same value. A code without system equals the code with any system. */
export function sameChoice(leftChoice: Choice, rightChoice: Choice): boolean {
  return (
    leftChoice.length === rightChoice.length &&
    leftChoice.every(([name, value], index) => {
      const [otherName, otherValue = ''] = rightChoice[index] ?? [];
      return (
        name === otherName &&
        (value === otherValue || value === `|${otherValue}` || codeOf(value) === otherValue)
      );
    })
  );
}

/** Returns the search without the selected values of a facet. The facet counts its values for this search. */
export function withoutFacet(pairs: readonly Pair[], facet: Facet): readonly Pair[] {
  return listSelectedValues(pairs, facet).reduce(
    (remainingPairs, choice) => withoutChoice(remainingPairs, choice),
    pairs,
  );
}

/** Returns the search with the value added, or removed if it was selected. */
export function toggled(pairs: readonly Pair[], facet: Facet, choice: Choice): readonly Pair[] {
  const selected = listSelectedValues(pairs, facet);
  const present = selected.find((candidate) => sameChoice(choice, candidate));
  if (present) return withoutChoice(pairs, present);
  // Two months are no range of one parameter, so another month replaces the first.
  if (facet.kind === 'date') return [...withoutFacet(pairs, facet), ...choice];
  const lastIndex = pairs.findLastIndex(([name]) => name === facet.name);
  if (lastIndex === -1) return [...pairs, ...choice];
  const addedValues = choice.map(([, value]) => value);
  return pairs.map(([name, value], index): Pair => [
    name,
    index === lastIndex ? [value, ...addedValues].join(',') : value,
  ]);
}

/** Returns the label of a choice without a display text: its code, reference or month. */
export function wordOf(choice: Choice): string {
  const value = choice[0]?.[1] ?? '';
  return choice.length > 1 ? value.slice(2) : codeOf(value);
}

function codeOf(value: string): string {
  return unescape(splitAt(value, '|').at(-1) ?? '');
}

function withoutChoice(pairs: readonly Pair[], choice: Choice): readonly Pair[] {
  if (choice.length > 1)
    return pairs.filter((pair) => !choice.some((choicePair) => isPair(choicePair, pair)));
  return pairs.flatMap(([name, value]): Pair[] => {
    const parts = splitAt(value, ',');
    const remainingParts = parts.filter(
      (part) => !choice.some((choicePair) => isPair(choicePair, [name, part])),
    );
    if (remainingParts.length === parts.length) return [[name, value]];
    return remainingParts.length === 0 ? [] : [[name, remainingParts.join(',')]];
  });
}

/** Returns true if two pairs are equal. */
export function isPair([name, value]: Pair, [otherName, otherValue]: Pair): boolean {
  return name === otherName && value === otherValue;
}
