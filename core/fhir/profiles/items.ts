/** Values of a record's elements, as profiles count them: a primitive with its `_name` sibling is one value (R4 json.html). */
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';

/** Where a value stands: below another, or as a whole at tokens. */
interface Place {
  readonly holder: Item | undefined;
  /** Whether the holder is a primitive that has it in its sibling. */
  readonly isBeside: boolean;
  /** The member's name, without the `_` of a sibling. */
  readonly name: string;
}

/** One value. Its tokens are made when they are asked for: most values are in order. */
export class Item {
  /** Absent where only the sibling stands. */
  readonly node: JsonNode | undefined;
  /** Id and extensions of a primitive. */
  readonly sibling: JsonNode | undefined;
  /** The type of a choice, by the member's name. */
  readonly choice: string | undefined;
  private readonly place: Place | readonly string[];
  /** Its number in an array; -1 where it stands in none. */
  private readonly at: number;

  constructor(
    node: JsonNode | undefined,
    sibling: JsonNode | undefined,
    choice: string | undefined,
    place: Place | readonly string[],
    at: number,
  ) {
    this.node = node;
    this.sibling = sibling;
    this.choice = choice;
    this.place = place;
    this.at = at;
  }

  get tokens(): readonly string[] {
    return this.tokensOf('');
  }

  get siblingTokens(): readonly string[] {
    return this.tokensOf(this.sibling ? '_' : '');
  }

  private tokensOf(prefix: string): readonly string[] {
    if (!('holder' in this.place)) return this.place;
    const { holder, isBeside, name } = this.place;
    const above = (isBeside ? holder?.siblingTokens : holder?.tokens) ?? [];
    return [...above, `${prefix}${name}`, ...(this.at === -1 ? [] : [String(this.at)])];
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

/** The type that the end of a choice's name tells: `dateTime` of `DateTime`; undefined where it is no type of R4. */
function choiceOf(ending: string): string | undefined {
  if (complexTypes.has(ending)) return ending;
  const primitive = ending.charAt(0).toLowerCase() + ending.slice(1);
  return ending !== primitive && primitives.has(primitive) ? primitive : undefined;
}

/** A whole resource or another object as a value. */
export function wholeItem(node: JsonNode, tokens: readonly string[]): Item {
  return new Item(node, undefined, undefined, tokens, -1);
}

const none: readonly Item[] = [];

/** The values of an element below another: none where it is absent. */
export function itemsOf(parent: Item, name: string, isChoice: boolean): readonly Item[] {
  const { node, sibling } = parent;
  // A primitive has its extensions in its sibling.
  const isBeside = node?.kind !== 'object';
  const holder = isBeside ? sibling : node;
  if (holder?.kind !== 'object') return none;
  if (!isChoice) {
    const value = member(holder, name);
    const beside = member(holder, `_${name}`);
    return value || beside ? valuesOf(value, beside, undefined, { holder: parent, isBeside, name }) : none;
  }
  const found: Item[] = [];
  for (const { key, value } of holder.members) {
    const isSibling = key.startsWith('_');
    const own = isSibling ? key.slice(1) : key;
    if (!own.startsWith(name) || (isSibling && member(holder, own))) continue;
    const choice = choiceOf(own.slice(name.length));
    if (choice === undefined) continue;
    const [main, beside] = isSibling ? [undefined, value] : [value, member(holder, `_${own}`)];
    found.push(...valuesOf(main, beside, choice, { holder: parent, isBeside, name: own }));
  }
  return found;
}

function valuesOf(
  value: JsonNode | undefined,
  sibling: JsonNode | undefined,
  choice: string | undefined,
  place: Place,
): readonly Item[] {
  if (value?.kind !== 'array' && sibling?.kind !== 'array') {
    const node = standing(value);
    return node || sibling ? [new Item(node, sibling, choice, place, -1)] : none;
  }
  const [values, siblings] = [items(value), items(sibling)];
  const found: Item[] = [];
  for (let at = 0; at < Math.max(values.length, siblings.length); at += 1) {
    const node = standing(values[at]);
    const beside = standing(siblings[at]);
    if (node || beside) found.push(new Item(node, beside, choice, place, at));
  }
  return found;
}

function standing(node: JsonNode | undefined): JsonNode | undefined {
  return node?.kind === 'null' ? undefined : node;
}

/** The type of a value, as far as it tells: of a choice, or of a resource. */
export function typeOfItem({ choice, node }: Item): string | undefined {
  return choice ?? stringMember(node, 'resourceType');
}
