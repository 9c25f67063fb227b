import type { Client } from '../../../core/api/client.ts';
import type { BulkSource } from '../../../core/app/bulk.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { expandPath } from '../../../core/json/path-pattern.ts';
import { locate, parsePointer } from '../../../core/json/pointer.ts';
import { stringMember, serializeNode, type JsonNode } from '../../../core/json/node.ts';
import type { Target } from './bulk-state.ts';
import { collectTargets } from './gather.ts';

/** Maximum number of records whose values are counted before the dry run. */
const maxSampled = 200;

/** IDs per request, because URLs have a limited length. */
const idsPerRequest = 50;

/** The first records of a run with their texts. */
export interface Sample {
  readonly records: readonly { readonly target: Target; readonly root: JsonNode; readonly text: string }[];
  /** True if the sample contains all records. */
  readonly isComplete: boolean;
}

/** Reads the first records of a source, in its order. */
export async function readSample(
  client: Pick<Client, 'search' | 'nextPage' | 'app' | 'quality'>,
  source: BulkSource,
): Promise<Sample> {
  const targets: Target[] = [];
  for await (const page of collectTargets(client, source)) {
    targets.push(...page);
    if (targets.length > maxSampled) break;
  }
  const sampledTargets = targets.slice(0, maxSampled);
  const recordsByReference = new Map<string, { readonly node: JsonNode; readonly text: string }>();
  for (const type of resourceTypes) {
    const ids = sampledTargets.filter((target) => target.type === type).map(({ id }) => id);
    for (let offset = 0; offset < ids.length; offset += idsPerRequest) {
      const batchIds = ids.slice(offset, offset + idsPerRequest);
      const { records } = await client.search(type, [
        ['_id', batchIds.join()],
        ['_count', String(batchIds.length)],
      ]);
      for (const record of records)
        recordsByReference.set(`${type}/${stringMember(record.node, 'id') ?? ''}`, record);
    }
  }
  const records = sampledTargets.flatMap((target) => {
    const record = recordsByReference.get(`${target.type}/${target.id}`);
    return record ? [{ target, root: record.node, text: record.text }] : [];
  });
  return { records, isComplete: targets.length <= maxSampled };
}

/** A value at a path as JSON text, and its number of occurrences. */
export interface ValueCount {
  readonly value: string;
  readonly node: JsonNode;
  readonly count: number;
}

/** Returns the values at a path in a sample, most frequent first. */
export function valuesAt({ records }: Sample, path: string): readonly ValueCount[] {
  const tokens = parsePointer(path);
  if (!tokens || tokens.length === 0) return [];
  const counts = new Map<string, ValueCount>();
  for (const { root } of records) {
    for (const pointer of expandPath(root, path)) {
      const node = locate(root, parsePointer(pointer) ?? []);
      if (!node) continue;
      const value = serializeNode(node);
      counts.set(value, { value, node, count: (counts.get(value)?.count ?? 0) + 1 });
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}
