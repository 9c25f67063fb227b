/** Values of a record's elements, as profiles count them: a primitive with its `_name` sibling is one value (R4 json.html). */
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';

export interface Item {
  /** Absent where only the sibling stands. */
  readonly node: JsonNode | undefined;
  /** Id and extensions of a primitive. */
  readonly sibling: JsonNode | undefined;
  /** The type of a choice, by the member's name. */
  readonly choice: string | undefined;
  readonly tokens: readonly string[];
  readonly siblingTokens: readonly string[];
  /** FHIRPath of the very value. */
  readonly path: string;
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
export function wholeItem(node: JsonNode, tokens: readonly string[], path: string): Item {
  return { node, sibling: undefined, choice: undefined, tokens, siblingTokens: tokens, path };
}

/** The values of an element below another: none where it is absent. */
export function itemsOf(parent: Item, name: string, isChoice: boolean): Item[] {
  const { node, sibling, tokens, siblingTokens, path } = parent;
  // A primitive has its extensions in its sibling.
  const [holder, place] = node?.kind === 'object' ? [node, tokens] : [sibling, siblingTokens];
  if (holder?.kind !== 'object') return [];
  if (!isChoice) {
    const value = member(holder, name);
    const beside = member(holder, `_${name}`);
    if (!value && !beside) return [];
    return valuesOf(value, beside, undefined, [place, name], `${path}.${name}`);
  }
  const found: Item[] = [];
  for (const { key, value } of holder.members) {
    const isSibling = key.startsWith('_');
    const own = isSibling ? key.slice(1) : key;
    if (!own.startsWith(name) || (isSibling && member(holder, own))) continue;
    const choice = choiceOf(own.slice(name.length));
    if (choice === undefined) continue;
    const [main, beside] = isSibling ? [undefined, value] : [value, member(holder, `_${own}`)];
    found.push(...valuesOf(main, beside, choice, [place, own], `${path}.${name}`));
  }
  return found;
}

function valuesOf(
  value: JsonNode | undefined,
  sibling: JsonNode | undefined,
  choice: string | undefined,
  [place, name]: readonly [place: readonly string[], name: string],
  path: string,
): Item[] {
  const tokens = [...place, name];
  const siblingTokens = sibling ? [...place, `_${name}`] : tokens;
  if (value?.kind !== 'array' && sibling?.kind !== 'array') {
    const node = value?.kind === 'null' ? undefined : value;
    return node || sibling ? [{ node, sibling, choice, tokens, siblingTokens, path }] : [];
  }
  const [values, siblings] = [items(value), items(sibling)];
  const found: Item[] = [];
  for (let index = 0; index < Math.max(values.length, siblings.length); index += 1) {
    const node = standing(values[index]);
    const beside = standing(siblings[index]);
    if (!node && !beside) continue;
    const at = String(index);
    found.push({
      ...{ node, sibling: beside, choice },
      tokens: [...tokens, at],
      siblingTokens: [...siblingTokens, at],
      path: `${path}[${at}]`,
    });
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
