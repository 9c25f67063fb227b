/** Codes of a record's elements and the value sets that are bound to them (FHIR R4 terminologies.html#bindings). */
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import type { Coded, Terminology } from '../terminology/membership.ts';
import type { Item } from './items.ts';

/** A code with its place below the value that has it. */
interface Found extends Coded {
  readonly display: string | undefined;
  readonly below: readonly string[];
}

const here: readonly string[] = [];

/** The codes of a code, Coding, CodeableConcept or Quantity. */
function codesIn({ node }: Item): readonly Found[] {
  if (node?.kind === 'string')
    return [{ system: undefined, code: node.value, display: undefined, below: here }];
  const codings = member(node, 'coding');
  if (!codings) return coded(node, here);
  return items(codings).flatMap((one, index) => coded(one, ['coding', String(index)]));
}

function coded(node: JsonNode | undefined, below: readonly string[]): readonly Found[] {
  const code = stringMember(node, 'code');
  if (code === undefined) return [];
  // A Coding without a system has a code of nobody's: it is in no value set.
  const system = stringMember(node, 'system') ?? '';
  return [{ system, code, display: stringMember(node, 'display'), below }];
}

/** What the codes of a value come to. One in the value set is enough: the others may be translations of it. */
export type Bound =
  | { readonly is: 'in' | 'out' | 'none' }
  | { readonly is: 'undecided'; readonly needs: string };

export function boundOf(item: Item, valueSet: string, terminology: Terminology): Bound {
  const found = codesIn(item);
  if (found.length === 0) return { is: 'none' };
  let open: Bound = { is: 'out' };
  for (const one of found) {
    const own = terminology.membership(valueSet, one);
    if (own.is === 'in') return { is: 'in' };
    if (own.is === 'undecided') open = own;
  }
  return open;
}

/**
 * Whether codes outside an extensible value set are a fault: where one is of a system that the set takes codes from. Codes
 * of other systems may be what the set has none for.
 */
export function isOfItsSystems(item: Item, valueSet: string, terminology: Terminology): boolean {
  const systems = terminology.systems(valueSet);
  return (
    systems !== undefined && codesIn(item).some(({ system }) => system === undefined || systems.has(system))
  );
}

/** The places of displays that differ from those of their code systems. White space and case count for nothing. */
export function strangeDisplays(item: Item, terminology: Terminology): readonly (readonly string[])[] {
  return codesIn(item).flatMap(({ system, code, display, below }) => {
    if (display === undefined || !system) return [];
    const own = terminology.codes(system)?.display(code);
    return own === undefined || folded(own) === folded(display)
      ? []
      : [[...item.tokens, ...below, 'display']];
  });
}

function folded(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
