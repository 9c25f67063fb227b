import { useQuery } from '@tanstack/react-query';
import { mostNamed, SubjectNames } from '../../core/app/subject-names.ts';
import { containedId } from '../../core/fhir/names.ts';
import { bareIds, parseReference } from '../../core/fhir/reference.ts';
import { is } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';
import { gather } from './gather.ts';

/** Whom a record is about, as far as its row tells. */
export interface Subject {
  readonly type: string;
  readonly id: string;
  /** The literal reference; undefined of a record that was not read. */
  readonly subject: string | undefined;
  readonly subjectName: string;
}

/** What a record's subject is called: by the record itself, else by another of the same subject. */
export function useSubjectName({ type, id, subject, subjectName }: Subject): string | undefined {
  const ofRecord = subject === undefined || containedId(subject) !== undefined;
  const asked = ofRecord ? `${type}/${id}` : parseReference(subject) ? bareIds(subject) : '';
  const name = useNameOf(subjectName === '' ? asked : '');
  return subjectName === '' ? name : subjectName;
}

/** What the subject of an id is called; undefined where no record says, and for other servers. */
export function useNameOf(asked: string): string | undefined {
  const { client, remote } = useConnection();
  const { data } = useQuery({
    queryKey: ['subject-name', asked],
    enabled: remote === undefined && asked !== '',
    queryFn: ({ signal }) => nameOf(client, asked, signal),
    staleTime: 300_000,
    retry: false,
  });
  return data ?? undefined;
}

/** A name is worth a request, and no message: without an answer the id stands there. */
const nameOf = gather(async (client, asked) => {
  const of = asked.slice(0, mostNamed);
  const answer = await client.app('POST', '/subject-names', { of }).catch(() => undefined);
  return new Map(is(SubjectNames, answer) ? Object.entries(answer.names) : []);
});
