/** Resolves references to contained resources and to resources passed along with the record. */
import { items, member, stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { parseReference } from '../reference.ts';
import { wholeItem, type Item } from './items.ts';

/** Target of a reference. Reads the resource itself only on demand. */
export class Target {
  private readonly declaredType: string | undefined;
  private readonly readItem: () => Item | undefined;
  private cached: { readonly item: Item | undefined } | undefined;

  constructor(declaredType: string | undefined, readItem: () => Item | undefined) {
    this.declaredType = declaredType;
    this.readItem = readItem;
  }

  /** The resource itself, if it is available. */
  get item(): Item | undefined {
    return (this.cached ??= { item: this.readItem() }).item;
  }

  /** The type of the resource; undefined if it is not known. */
  get type(): string | undefined {
    return this.declaredType ?? typeOf(this.item?.node);
  }
}

/** Returns the target of a reference; undefined if the value refers to nothing. A logical reference needs a type. */
export function targetOf(
  { node }: Item,
  record: JsonObject,
  resolve: (reference: string) => JsonObject | undefined,
): Target | undefined {
  const literal = stringMember(node, 'reference');
  const declaredType = stringMember(node, 'type');
  if (literal === undefined)
    return declaredType === undefined ? undefined : new Target(declaredType, () => undefined);
  if (literal.startsWith('#')) {
    const containedItem = containedAt(record, literal.slice(1));
    return new Target(typeOf(containedItem?.node) ?? declaredType, () => containedItem);
  }
  return new Target(parseReference(literal)?.type ?? declaredType, () => {
    const otherResource = resolve(literal);
    return otherResource && wholeItem(otherResource, []);
  });
}

function containedAt(record: JsonObject, id: string): Item | undefined {
  // A bare # is the record itself.
  if (id === '') return wholeItem(record, []);
  const resources = items(member(record, 'contained'));
  const index = resources.findIndex((resource) => stringMember(resource, 'id') === id);
  const match = resources[index];
  return match && wholeItem(match, ['contained', String(index)]);
}

function typeOf(node: JsonNode | undefined): string | undefined {
  return stringMember(node, 'resourceType');
}
