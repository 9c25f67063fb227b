import { formatPointer } from '../../json/pointer.ts';
import type { JsonNode, JsonObject } from '../../json/node.ts';
import { identity, type Finding, type Tokens } from './finding.ts';
import { rankOf } from './rules.ts';

/** A broken rule, and the test for rules whose findings it suppresses at the same element. */
interface Deciding {
  readonly rule: string;
  readonly silences: (rule: string) => boolean;
}

/** Rules that suppress other findings at the same element. */
const decisive: Readonly<Record<string, Deciding['silences']>> = {
  empty: () => true,
  'ele-1': () => true,
  sibling: (rule) => rule.startsWith('schema-'),
  'schema-type': (rule) => rule.startsWith('schema-'),
};
/** Object size from which members are looked up through an index. */
const manyMembers = 32;

/** Returns one finding per rule and element in document order, without echoes of the same defect. */
export function arrange(findings: readonly Finding[], record: JsonObject): Finding[] {
  if (findings.length === 0) return [];
  const unique = [...new Map(findings.map((finding) => [identity(finding), finding])).values()];
  const deciding = new Map<string, Deciding[]>();
  for (const { rule, tokens } of unique) {
    const silences = decisive[rule];
    if (!silences) continue;
    const pointer = formatPointer(tokens);
    deciding.set(pointer, [...(deciding.get(pointer) ?? []), { rule, silences }]);
  }
  const remaining = unique.filter(({ rule, tokens }) => {
    const decidingRules = deciding.get(formatPointer(tokens)) ?? [];
    return !decidingRules.some((deciding) => deciding.rule !== rule && deciding.silences(rule));
  });
  const places = new Places(record);
  return remaining
    .map((finding) => ({ finding, place: places.getPath(finding.tokens) }))
    .sort(
      (leftFinding, rightFinding) =>
        compare(leftFinding.place, rightFinding.place) ||
        rankOf(leftFinding.finding.rule) - rankOf(rightFinding.finding.rule),
    )
    .map(({ finding }) => finding);
}

function compare(leftPath: readonly number[], rightPath: readonly number[]): number {
  for (const [index, position] of leftPath.entries()) {
    const difference = position - (rightPath[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return leftPath.length - rightPath.length;
}

/** Finds the position of elements in the document: the index of the member or item on each level. */
class Places {
  private readonly record: JsonObject;
  private readonly indexes = new Map<JsonObject, Map<string, number>>();

  constructor(record: JsonObject) {
    this.record = record;
  }

  getPath(tokens: Tokens): number[] {
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
    if (members.length < manyMembers) return members.findIndex((entry) => entry.key === key);
    let index = this.indexes.get(object);
    if (!index) {
      index = new Map(members.map((entry, position) => [entry.key, position]));
      this.indexes.set(object, index);
    }
    return index.get(key) ?? -1;
  }
}
