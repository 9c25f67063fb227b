/**
 * features/filters shows the values of a search's matches with their counts, and narrows the search by them. The app shell
 * mounts it beside the results. Invariant: what is chosen stands in the search and nowhere else.
 */
import { pairsOf, type Facet } from '../../../core/fhir/facet.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { splitAt, unescape } from '../../../core/fhir/search-values.ts';

/** A value that the search asks for: the pairs that say so. */
export type Choice = readonly Pair[];

/** The values of a facet that the search asks for; several of one parameter are alternatives. */
export function chosenOf(pairs: readonly Pair[], facet: Facet): readonly Choice[] {
  switch (facet.kind) {
    case 'finding':
      return [];
    case 'date':
      return pairs.flatMap(([name, value]) => {
        const month = name === facet.name ? /^ge(\d{4}-\d{2})$/.exec(value)?.[1] : undefined;
        const choice = month === undefined ? [] : pairsOf(facet, { kind: 'date', month });
        return choice.length > 0 && choice.every((one) => pairs.some((pair) => isPair(pair, one)))
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

/** Whether two choices ask for the same; a code without its system is meant by one with it. */
export function sameChoice(left: Choice, right: Choice): boolean {
  return (
    left.length === right.length &&
    left.every(([name, value], at) => {
      const [otherName, other = ''] = right[at] ?? [];
      return name === otherName && (value === other || value === `|${other}` || codeOf(value) === other);
    })
  );
}

/** The search without the values of a facet that it asks for: what the facet counts, so that others can be added. */
export function withoutFacet(pairs: readonly Pair[], facet: Facet): readonly Pair[] {
  return chosenOf(pairs, facet).reduce((left, choice) => withoutChoice(left, choice), pairs);
}

/** The search with the value where it does not ask for it yet, else without it. */
export function toggled(pairs: readonly Pair[], facet: Facet, choice: Choice): readonly Pair[] {
  const chosen = chosenOf(pairs, facet);
  const present = chosen.find((one) => sameChoice(choice, one));
  if (present) return withoutChoice(pairs, present);
  // Two months are no range of one parameter: another takes the place of the first.
  if (facet.kind === 'date') return [...withoutFacet(pairs, facet), ...choice];
  const last = pairs.findLastIndex(([name]) => name === facet.name);
  if (last === -1) return [...pairs, ...choice];
  const added = choice.map(([, value]) => value);
  return pairs.map(([name, value], at): Pair => [name, at === last ? [value, ...added].join(',') : value]);
}

/** What a choice is called that no record names: its code, its reference or its month. */
export function wordOf(choice: Choice): string {
  const value = choice[0]?.[1] ?? '';
  return choice.length > 1 ? value.slice(2) : codeOf(value);
}

function codeOf(value: string): string {
  return unescape(splitAt(value, '|').at(-1) ?? '');
}

function withoutChoice(pairs: readonly Pair[], choice: Choice): readonly Pair[] {
  if (choice.length > 1) return pairs.filter((pair) => !choice.some((one) => isPair(one, pair)));
  return pairs.flatMap(([name, value]): Pair[] => {
    const parts = splitAt(value, ',');
    const left = parts.filter((part) => !choice.some((one) => isPair(one, [name, part])));
    if (left.length === parts.length) return [[name, value]];
    return left.length === 0 ? [] : [[name, left.join(',')]];
  });
}

/** Whether two pairs ask for the same, letter by letter. */
export function isPair([name, value]: Pair, [otherName, otherValue]: Pair): boolean {
  return name === otherName && value === otherValue;
}
