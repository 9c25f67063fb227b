import { formatPointer } from '../../json/pointer.ts';
import type { JsonNode, JsonObject } from '../../json/node.ts';
import { identity, type Finding, type Tokens } from './finding.ts';
import { rankOf } from './rules.ts';

/** A rule that was broken, and whether it leaves nothing to be said by another about the same element. */
interface Deciding {
  readonly rule: string;
  readonly silences: (other: string) => boolean;
}

/** Findings that leave nothing to be said by others about the same element. */
const decisive: Readonly<Record<string, Deciding['silences']>> = {
  empty: () => true,
  'ele-1': () => true,
  sibling: (other) => other.startsWith('schema-'),
  'schema-type': (other) => other.startsWith('schema-'),
};
/** From this size on, members are looked up by an index rather than one after the other. */
const manyMembers = 32;

/** One finding for each rule and element, without echoes of the same fault, in the order of the document. */
export function arrange(findings: readonly Finding[], record: JsonObject): Finding[] {
  if (findings.length === 0) return [];
  const unique = [...new Map(findings.map((one) => [identity(one), one])).values()];
  const deciding = new Map<string, Deciding[]>();
  for (const { rule, tokens } of unique) {
    const silences = decisive[rule];
    if (!silences) continue;
    const pointer = formatPointer(tokens);
    deciding.set(pointer, [...(deciding.get(pointer) ?? []), { rule, silences }]);
  }
  const kept = unique.filter(({ rule, tokens }) => {
    const others = deciding.get(formatPointer(tokens)) ?? [];
    return !others.some((one) => one.rule !== rule && one.silences(rule));
  });
  const places = new Places(record);
  return kept
    .map((finding) => ({ finding, place: places.of(finding.tokens) }))
    .sort(
      (one, other) =>
        compare(one.place, other.place) || rankOf(one.finding.rule) - rankOf(other.finding.rule),
    )
    .map(({ finding }) => finding);
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, position] of one.entries()) {
    const difference = position - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Positions of elements in the document, as the index of the member or item on each level. */
class Places {
  private readonly record: JsonObject;
  private readonly indexes = new Map<JsonObject, Map<string, number>>();

  constructor(record: JsonObject) {
    this.record = record;
  }

  of(tokens: Tokens): number[] {
    const place: number[] = [];
    let node: JsonNode | undefined = this.record;
    for (const token of tokens) {
      if (node?.kind === 'object') {
        const position = this.position(node, token);
        place.push(position);
        node = node.members[position]?.value;
      } else {
        place.push(Number(token));
        node = node?.kind === 'array' ? node.items[Number(token)] : undefined;
      }
    }
    return place;
  }

  private position(object: JsonObject, key: string): number {
    const { members } = object;
    if (members.length < manyMembers) return members.findIndex((one) => one.key === key);
    let index = this.indexes.get(object);
    if (!index) {
      index = new Map(members.map((one, position) => [one.key, position]));
      this.indexes.set(object, index);
    }
    return index.get(key) ?? -1;
  }
}
