/**
 * Values of a record's elements as profiles count them. A primitive and its `_name` sibling are one value (R4
 * json.html).
 */
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';

/** The parent of a value and the member's name. */
interface ItemParent {
  readonly holder: Item | undefined;
  /** True if the holder is a primitive and its sibling has the value. */
  readonly isInSibling: boolean;
  /** Name of the member, without the `_` of a sibling. */
  readonly name: string;
}

/** One value. Computes its tokens on demand, because most values have no finding. */
export class Item {
  /** Undefined if only the sibling exists. */
  readonly node: JsonNode | undefined;
  /** Id and extensions of a primitive. */
  readonly sibling: JsonNode | undefined;
  /** Type of a choice, from the member's name. */
  readonly choice: string | undefined;
  private readonly parent: ItemParent | readonly string[];
  /** Index in an array; -1 outside an array. */
  private readonly index: number;

  constructor(
    node: JsonNode | undefined,
    sibling: JsonNode | undefined,
    choice: string | undefined,
    parent: ItemParent | readonly string[],
    index: number,
  ) {
    this.node = node;
    this.sibling = sibling;
    this.choice = choice;
    this.parent = parent;
    this.index = index;
  }

  get tokens(): readonly string[] {
    return this.tokensOf('');
  }

  get siblingTokens(): readonly string[] {
    return this.tokensOf(this.sibling ? '_' : '');
  }

  private tokensOf(prefix: string): readonly string[] {
    if (!('holder' in this.parent)) return this.parent;
    const { holder, isInSibling: isBeside, name } = this.parent;
    const holderTokens = (isBeside ? holder?.siblingTokens : holder?.tokens) ?? [];
    return [...holderTokens, `${prefix}${name}`, ...(this.index === -1 ? [] : [String(this.index)])];
  }
}

const primitives = new Set(
  'base64Binary boolean canonical code date dateTime decimal id instant integer markdown oid positiveInt string time unsignedInt uri url uuid'.split(
    ' ',
  ),
);

const complexTypes = new Set(
  (
    'Address Age Annotation Attachment CodeableConcept Coding ContactDetail ContactPoint Contributor Count DataRequirement ' +
    'Distance Dosage Duration Expression HumanName Identifier Meta Money ParameterDefinition Period Quantity Range Ratio ' +
    'Reference RelatedArtifact SampledData Signature Timing TriggerDefinition UsageContext'
  ).split(' '),
);

/** Returns the type at the end of a choice's name, such as `dateTime` for `DateTime`; undefined for other endings. */
function choiceOf(ending: string): string | undefined {
  if (complexTypes.has(ending)) return ending;
  const primitive = ending.charAt(0).toLowerCase() + ending.slice(1);
  return ending !== primitive && primitives.has(primitive) ? primitive : undefined;
}

/** Wraps a resource or another object as a value. */
export function wholeItem(node: JsonNode, tokens: readonly string[]): Item {
  return new Item(node, undefined, undefined, tokens, -1);
}

const noItems: readonly Item[] = [];

/** Returns the values of an element below a parent, maybe none. */
export function itemsOf(parent: Item, name: string, isChoice: boolean): readonly Item[] {
  const { node, sibling } = parent;
  // The sibling of a primitive has its extensions.
  const isBeside = node?.kind !== 'object';
  const holder = isBeside ? sibling : node;
  if (holder?.kind !== 'object') return noItems;
  if (!isChoice) {
    const value = member(holder, name);
    const siblingNode = member(holder, `_${name}`);
    return value || siblingNode
      ? valuesOf(value, siblingNode, undefined, { holder: parent, isInSibling: isBeside, name })
      : noItems;
  }
  const choiceItems: Item[] = [];
  for (const { key, value } of holder.members) {
    const isSibling = key.startsWith('_');
    const memberName = isSibling ? key.slice(1) : key;
    if (!memberName.startsWith(name) || (isSibling && member(holder, memberName))) continue;
    const choice = choiceOf(memberName.slice(name.length));
    if (choice === undefined) continue;
    const [main, siblingValue] = isSibling ? [undefined, value] : [value, member(holder, `_${memberName}`)];
    choiceItems.push(
      ...valuesOf(main, siblingValue, choice, { holder: parent, isInSibling: isBeside, name: memberName }),
    );
  }
  return choiceItems;
}

function valuesOf(
  value: JsonNode | undefined,
  sibling: JsonNode | undefined,
  choice: string | undefined,
  parent: ItemParent,
): readonly Item[] {
  if (value?.kind !== 'array' && sibling?.kind !== 'array') {
    const node = withoutNull(value);
    return node || sibling ? [new Item(node, sibling, choice, parent, -1)] : noItems;
  }
  const [values, siblings] = [items(value), items(sibling)];
  const pairedItems: Item[] = [];
  for (let index = 0; index < Math.max(values.length, siblings.length); index += 1) {
    const node = withoutNull(values[index]);
    const siblingNode = withoutNull(siblings[index]);
    if (node || siblingNode) pairedItems.push(new Item(node, siblingNode, choice, parent, index));
  }
  return pairedItems;
}

function withoutNull(node: JsonNode | undefined): JsonNode | undefined {
  return node?.kind === 'null' ? undefined : node;
}

/** Returns the type of a value if it is a choice or a resource. */
export function typeOfItem({ choice, node }: Item): string | undefined {
  return choice ?? stringMember(node, 'resourceType');
}
