/** Codes of a record's elements and the value sets that are bound to them (FHIR R4 terminologies.html#bindings). */
import type { Message } from '../../text/message.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import type { Coded, Terminology } from '../terminology/membership.ts';
import type { Item } from './items.ts';

/** A code and its location within its value. */
interface LocatedCode extends Coded {
  readonly display: string | undefined;
  readonly tokensBelow: readonly string[];
}

const emptyPath: readonly string[] = [];

/** Lists the codes of a code, Coding, CodeableConcept or Quantity. */
function listCodes({ node }: Item): readonly LocatedCode[] {
  if (node?.kind === 'string')
    return [{ system: undefined, code: node.value, display: undefined, tokensBelow: emptyPath }];
  const codings = member(node, 'coding');
  if (!codings) return readCoding(node, emptyPath);
  return items(codings).flatMap((coding, index) => readCoding(coding, ['coding', String(index)]));
}

function readCoding(node: JsonNode | undefined, tokensBelow: readonly string[]): readonly LocatedCode[] {
  const code = stringMember(node, 'code');
  if (code === undefined) return [];
  // A Coding without a system belongs to no code system, so no value set contains it.
  const system = stringMember(node, 'system') ?? '';
  return [{ system, code, display: stringMember(node, 'display'), tokensBelow }];
}

/**
 * Result of comparing a value with a value set. One code in the set is enough: the other codes may be
 * translations.
 */
export type BindingResult =
  | { readonly status: 'in' | 'out' | 'none' }
  | { readonly status: 'undecided'; readonly needs: Message };

export function evaluateBinding(item: Item, valueSet: string, terminology: Terminology): BindingResult {
  const locatedCodes = listCodes(item);
  if (locatedCodes.length === 0) return { status: 'none' };
  let result: BindingResult = { status: 'out' };
  for (const locatedCode of locatedCodes) {
    const membership = terminology.membership(valueSet, locatedCode);
    if (membership.status === 'in') return { status: 'in' };
    if (membership.status === 'undecided') result = membership;
  }
  return result;
}

/**
 * Returns true if codes outside an extensible value set are an error: one of them is from a system that the
 * set uses.
 *
 * Codes of other systems may be concepts that the set does not cover.
 */
export function isOfItsSystems(item: Item, valueSet: string, terminology: Terminology): boolean {
  const systems = terminology.systems(valueSet);
  return (
    systems !== undefined && listCodes(item).some(({ system }) => system === undefined || systems.has(system))
  );
}

/** Returns the locations of displays that differ from their code system. Ignores white space and case. */
export function strangeDisplays(item: Item, terminology: Terminology): readonly (readonly string[])[] {
  return listCodes(item).flatMap(({ system, code, display, tokensBelow }) => {
    if (display === undefined || !system) return [];
    const expected = terminology.codes(system)?.display(code);
    return expected === undefined || normalize(expected) === normalize(display)
      ? []
      : [[...item.tokens, ...tokensBelow, 'display']];
  });
}

function normalize(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
