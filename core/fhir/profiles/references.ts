/** Where a reference leads to, as far as that is at hand: contained in the record, or handed over beside it. */
import { items, member, stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { parseReference } from '../reference.ts';
import { wholeItem, type Item } from './items.ts';

/** What a reference leads to. Others are asked for the resource itself only where something has to be known of it. */
export class Target {
  private readonly said: string | undefined;
  private readonly read: () => Item | undefined;
  private found: { readonly item: Item | undefined } | undefined;

  constructor(said: string | undefined, read: () => Item | undefined) {
    this.said = said;
    this.read = read;
  }

  /** The resource itself, where it is at hand. */
  get item(): Item | undefined {
    return (this.found ??= { item: this.read() }).item;
  }

  /** Its type; undefined where nothing tells it. */
  get type(): string | undefined {
    return this.said ?? typeOf(this.item?.node);
  }
}

/** Undefined where the value is no reference to anything, which a logical one without a type is too. */
export function targetOf(
  { node }: Item,
  record: JsonObject,
  resolve: (reference: string) => JsonObject | undefined,
): Target | undefined {
  const literal = stringMember(node, 'reference');
  const said = stringMember(node, 'type');
  if (literal === undefined) return said === undefined ? undefined : new Target(said, () => undefined);
  if (literal.startsWith('#')) {
    const found = containedAt(record, literal.slice(1));
    return new Target(typeOf(found?.node) ?? said, () => found);
  }
  return new Target(parseReference(literal)?.type ?? said, () => {
    const beside = resolve(literal);
    return beside && wholeItem(beside, []);
  });
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
