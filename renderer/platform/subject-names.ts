import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../core/api/client.ts';
import { mostNamed, SubjectNames } from '../../core/app/subject-names.ts';
import { containedId } from '../../core/fhir/names.ts';
import { bareIds, parseReference } from '../../core/fhir/reference.ts';
import { is } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';

/** Milliseconds that subjects gather: what is scrolled past is not asked for. */
const gathering = 150;

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

interface Wish {
  readonly asked: string;
  readonly signal: AbortSignal;
  readonly resolve: (name: string | null) => void;
}

const wishes = new WeakMap<Client, Wish[]>();

/** One request asks for all that came into sight together. */
function nameOf(client: Client, asked: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const wish = { asked, signal, resolve };
    const gathered = wishes.get(client);
    if (gathered) {
      gathered.push(wish);
      return;
    }
    const started = [wish];
    wishes.set(client, started);
    setTimeout(() => {
      wishes.delete(client);
      void fulfil(client, started);
    }, gathering);
  });
}

/** A name is worth a request, and no message: without an answer the id stands there. */
async function fulfil(client: Client, gathered: readonly Wish[]): Promise<void> {
  const of = gathered.filter(({ signal }) => !signal.aborted).map(({ asked }) => asked);
  let names: SubjectNames['names'] = {};
  try {
    const asked = [...new Set(of)].slice(0, mostNamed);
    const answer = asked.length > 0 ? await client.app('POST', '/subject-names', { of: asked }) : undefined;
    if (is(SubjectNames, answer)) ({ names } = answer);
  } catch {
    names = {};
  }
  for (const { asked, resolve } of gathered) resolve(names[asked] ?? null);
}
