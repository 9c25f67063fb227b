/** Where a reference leads to, as far as that is at hand: contained in the record, or handed over beside it. */
import { items, member, stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { parseReference } from '../reference.ts';
import { wholeItem, type Item } from './items.ts';

export interface Target {
  /** Its type; undefined where nothing tells it. */
  readonly type: string | undefined;
  /** The resource itself, where it is at hand. */
  readonly item: Item | undefined;
  /** Whether it stands in the record. */
  readonly isContained: boolean;
}

/** Undefined where the value is no reference to anything, which a logical one without a type is too. */
export function targetOf(
  { node }: Item,
  record: JsonObject,
  resolve: (reference: string) => JsonObject | undefined,
): Target | undefined {
  const literal = stringMember(node, 'reference');
  const said = stringMember(node, 'type');
  if (literal === undefined)
    return said === undefined ? undefined : { type: said, item: undefined, isContained: false };
  if (literal.startsWith('#')) {
    const found = containedAt(record, literal.slice(1));
    return { type: typeOf(found?.node) ?? said, item: found, isContained: true };
  }
  const beside = resolve(literal);
  if (beside) {
    const own = typeOf(beside);
    return { type: own, item: wholeItem(beside, []), isContained: false };
  }
  return { type: parseReference(literal)?.type ?? said, item: undefined, isContained: false };
}

function containedAt(record: JsonObject, id: string): Item | undefined {
  // A # alone is the record itself.
  if (id === '') return wholeItem(record, []);
  const all = items(member(record, 'contained'));
  const index = all.findIndex((one) => stringMember(one, 'id') === id);
  const found = all[index];
  return found && wholeItem(found, ['contained', String(index)]);
}

function typeOf(node: JsonNode | undefined): string | undefined {
  return stringMember(node, 'resourceType');
}
