import { useQuery } from '@tanstack/react-query';
import { maxSubjectNames, SubjectNames } from '../../core/app/subject-names.ts';
import { containedId } from '../../core/fhir/names.ts';
import { bareIds, parseReference } from '../../core/fhir/reference.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';
import { batchRequests } from './gather.ts';

/** Subject of a record, as stated in its row. */
export interface Subject {
  readonly type: string;
  readonly id: string;
  /** Literal reference; undefined for a record that was not read. */
  readonly subject: string | undefined;
  readonly subjectName: string;
}

/**
 * Returns the name of a record's subject: from the record, otherwise from another record of the same subject.
 */
export function useSubjectName({ type, id, subject, subjectName }: Subject): string | undefined {
  const isKeyedByRecord = subject === undefined || containedId(subject) !== undefined;
  const key = isKeyedByRecord ? `${type}/${id}` : parseReference(subject) ? bareIds(subject) : '';
  const isNameless = subjectName === '';
  const { data: name } = useNameQuery(isNameless ? key : '');
  // Sources may use one id for different subjects. The record tells which one it means.
  const isUnknown = isNameless && !isKeyedByRecord && key !== '' && name === null;
  const { data: ownName } = useNameQuery(isUnknown ? `${type}/${id}` : '');
  return isNameless ? (name ?? ownName ?? undefined) : subjectName;
}

/** Returns the name of the subject of an id; undefined if no record states it, and for other servers. */
export function useNameOf(key: string): string | undefined {
  return useNameQuery(key).data ?? undefined;
}

function useNameQuery(key: string) {
  const { client, remote } = useConnection();
  return useQuery({
    queryKey: ['subject-name', key],
    enabled: remote === undefined && key !== '',
    queryFn: ({ signal }) => nameOf(client, key, signal),
    staleTime: 300_000,
    retry: false,
  });
}

/** A failed request is ignored: the id is shown instead of the name. */
const nameOf = batchRequests(async (client, keys) => {
  const batch = keys.slice(0, maxSubjectNames);
  const response = await client.app('POST', '/subject-names', { of: batch }).catch(() => undefined);
  return new Map(matchesSchema(SubjectNames, response) ? Object.entries(response.names) : []);
});
