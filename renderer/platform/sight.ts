import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import { isResourceType, perType, type ResourceType } from '../../core/fhir/resource.ts';
import type { RecordSummary } from '../../core/fhir/summary.ts';
import { stringMember } from '../../core/json/node.ts';
import { useConnection } from './connection.ts';
import { gather } from './gather.ts';
import { findingsOf } from './rules.ts';

export interface IssueCount {
  readonly errors: number;
  readonly warnings: number;
}

/**
 * The issues of a record of another server, judged here, where its row is in sight; undefined until then, where it cannot
 * be read, and for the local server, which counts its own. A version is judged once.
 */
export function useSightIssues({
  type,
  id,
  version,
  lastUpdated,
}: Pick<RecordSummary, 'type' | 'id' | 'version' | 'lastUpdated'>): IssueCount | undefined {
  const { client, remote, name } = useConnection();
  const { data } = useQuery({
    queryKey: ['sight', name, type, id, version, lastUpdated],
    enabled: remote !== undefined && isResourceType(type) && id !== '',
    queryFn: ({ signal }) => (isResourceType(type) ? judged[type](client, id, signal) : null),
    staleTime: Infinity,
    retry: false,
  });
  return data ?? undefined;
}

/** One search reads the records of all rows that came into sight together. */
const judged = perType((type) => gather((client, ids) => countsOf(client, type, ids)));

async function countsOf(
  client: Client,
  type: ResourceType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IssueCount>> {
  const texts = await textsOf(client, type, ids);
  const judgements = await findingsOf(type, [...texts.values()]);
  return new Map(
    [...texts.keys()].map((id, index) => {
      const findings = judgements[index] ?? [];
      const errors = findings.filter(({ severity }) => severity === 'error').length;
      return [id, { errors, warnings: findings.length - errors }];
    }),
  );
}

/** Servers that refuse a search by ids alone: their records are read one by one. */
const readSingly = new WeakSet<Client>();

/** The whole texts of records, by id; a record that cannot be read is left out. */
async function textsOf(
  client: Client,
  type: ResourceType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!readSingly.has(client)) {
    try {
      const { records } = await client.search(type, [
        ['_id', ids.join(',')],
        ['_count', String(ids.length)],
      ]);
      return new Map(records.map(({ node, text }) => [stringMember(node, 'id') ?? '', text]));
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status >= 500) throw error;
      readSingly.add(client);
    }
  }
  const read = await Promise.allSettled(ids.map((id) => client.read(type, id)));
  return new Map(
    read.flatMap((one, index) =>
      one.status === 'fulfilled' ? [[ids[index] ?? '', one.value.text] as const] : [],
    ),
  );
}
