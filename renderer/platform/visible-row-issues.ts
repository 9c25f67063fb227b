import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import { isResourceType, perType, type ResourceType } from '../../core/fhir/resource.ts';
import type { RecordSummary } from '../../core/fhir/summary.ts';
import { stringMember } from '../../core/json/node.ts';
import { useConnection } from './connection.ts';
import { batchRequests } from './gather.ts';
import { findingsOf } from './rules.ts';

export interface IssueCount {
  readonly errors: number;
  readonly warnings: number;
}

/**
 * Returns the issue counts of a remote record, validated here while its row is visible. Undefined before, if
 * it can't be read, and for the local server, which has its own counts. Each version is validated once.
 */
export function useVisibleRowIssues({
  type,
  id,
  version,
  lastUpdated,
}: Pick<RecordSummary, 'type' | 'id' | 'version' | 'lastUpdated'>): IssueCount | undefined {
  const { client, remote, name } = useConnection();
  const { data } = useQuery({
    queryKey: ['sight', name, type, id, version, lastUpdated],
    enabled: remote !== undefined && isResourceType(type) && id !== '',
    queryFn: ({ signal }) => (isResourceType(type) ? countIssuesByType[type](client, id, signal) : null),
    staleTime: Infinity,
    retry: false,
  });
  return data ?? undefined;
}

/** One search reads the records of all rows that became visible together. */
const countIssuesByType = perType((type) => batchRequests((client, ids) => countsOf(client, type, ids)));

async function countsOf(
  client: Client,
  type: ResourceType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IssueCount>> {
  const texts = await textsOf(client, type, ids);
  const findingsByText = await findingsOf(type, [...texts.values()]);
  return new Map(
    [...texts.keys()].map((id, index) => {
      const findings = findingsByText[index] ?? [];
      const errors = findings.filter(({ severity }) => severity === 'error').length;
      return [id, { errors, warnings: findings.length - errors }];
    }),
  );
}

/** Servers that reject a search by ids only: their records are read individually. */
const clientsWithoutIdSearch = new WeakSet<Client>();

/** Returns the full texts of records by id. Records that can't be read are left out. */
async function textsOf(
  client: Client,
  type: ResourceType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!clientsWithoutIdSearch.has(client)) {
    try {
      const { records } = await client.search(type, [
        ['_id', ids.join(',')],
        ['_count', String(ids.length)],
      ]);
      return new Map(records.map(({ node, text }) => [stringMember(node, 'id') ?? '', text]));
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status >= 500) throw error;
      clientsWithoutIdSearch.add(client);
    }
  }
  const results = await Promise.allSettled(ids.map((id) => client.read(type, id)));
  return new Map(
    results.flatMap((result, index) =>
      result.status === 'fulfilled' ? [[ids[index] ?? '', result.value.text] as const] : [],
    ),
  );
}
