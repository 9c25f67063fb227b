import type { Client } from '../../../core/api/client.ts';
import type { BulkSource } from '../../../core/app/bulk.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { expandPath } from '../../../core/json/path-pattern.ts';
import { locate, parsePointer } from '../../../core/json/pointer.ts';
import { print } from '../../../core/json/print.ts';
import { stringMember, type JsonNode } from '../../../core/json/node.ts';
import type { Target } from './bulk-state.ts';
import { gather } from './gather.ts';

/** Most records whose values are counted before the dry run. */
const mostSampled = 200;

/** Ids that are asked for at once: an address has its limits. */
const idsAtOnce = 50;

/** The first records of a run with their texts. */
export interface Sample {
  readonly records: readonly { readonly target: Target; readonly root: JsonNode; readonly text: string }[];
  /** Whether there are no others. */
  readonly all: boolean;
}

/** Reads the first records of a source, in its order. */
export async function readSample(
  client: Pick<Client, 'search' | 'nextPage' | 'app' | 'quality'>,
  source: BulkSource,
): Promise<Sample> {
  const targets: Target[] = [];
  for await (const page of gather(client, source)) {
    targets.push(...page);
    if (targets.length > mostSampled) break;
  }
  const asked = targets.slice(0, mostSampled);
  const found = new Map<string, { readonly node: JsonNode; readonly text: string }>();
  for (const type of resourceTypes) {
    const ids = asked.filter((target) => target.type === type).map(({ id }) => id);
    for (let first = 0; first < ids.length; first += idsAtOnce) {
      const part = ids.slice(first, first + idsAtOnce);
      const { records } = await client.search(type, [
        ['_id', part.join()],
        ['_count', String(part.length)],
      ]);
      for (const record of records) found.set(`${type}/${stringMember(record.node, 'id') ?? ''}`, record);
    }
  }
  const records = asked.flatMap((target) => {
    const record = found.get(`${target.type}/${target.id}`);
    return record ? [{ target, root: record.node, text: record.text }] : [];
  });
  return { records, all: targets.length <= mostSampled };
}

/** A value that stands at a path, as JSON text, and in how many places. */
export interface ValueCount {
  readonly value: string;
  readonly node: JsonNode;
  readonly count: number;
}

/** The values that stand at a path in a sample, the most frequent first. */
export function valuesAt({ records }: Sample, path: string): readonly ValueCount[] {
  const tokens = parsePointer(path);
  if (!tokens || tokens.length === 0) return [];
  const counts = new Map<string, ValueCount>();
  for (const { root } of records) {
    for (const pointer of expandPath(root, path)) {
      const node = locate(root, parsePointer(pointer) ?? []);
      if (!node) continue;
      const value = print(node);
      counts.set(value, { value, node, count: (counts.get(value)?.count ?? 0) + 1 });
    }
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}
