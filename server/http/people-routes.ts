import { check } from '../../core/app/check.ts';
import { CurrentRequest, NamedRequest, type People } from '../../core/app/people.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Principal } from '../access/principal.ts';
import { principalOf } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { done, json } from './reply.ts';
import { idOf } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** `/app/people` and `/app/person`: the named people, and who sits at the keyboard (core/app/people.ts). */
export function peopleRoutes({
  people,
  sessions,
}: Pick<Workspace, 'people' | 'sessions'>): readonly TableRoute[] {
  const seatOf = ({ kind, id, name, seat }: Principal) =>
    kind === 'owner' ? seat && people.lastOf(name) : sessions.seated(id);

  /** False where nobody sits behind the token. */
  function seatAt({ kind, id, name, seat }: Principal, person: string | undefined): boolean {
    if (kind !== 'owner') return sessions.seat(id, person);
    if (seat) people.keepLast(name, person);
    return seat === true;
  }

  const list = json((_request, response) => {
    const seated = seatOf(principalOf(response));
    const current = seated !== undefined && people.nameOf(seated) !== undefined ? { current: seated } : {};
    return { people: [...people.list()], ...current } satisfies People;
  });
  const add = json((request) => {
    const { name } = valueOf(check(NamedRequest, jsonBody(request, 'Person')));
    return people.add(name);
  }, 201);
  const rename = json((request) => {
    const { name } = valueOf(check(NamedRequest, jsonBody(request, 'Person')));
    const id = idOf(request);
    const ended = people.rename(id, name);
    if (ended === 'unknown') throw unknown();
    if (ended === 'taken') throw new FhirError('exists', { text: 'Somebody else has this name here.' });
    return { id, name };
  });
  const remove = done((request) => {
    if (!people.remove(idOf(request))) throw unknown();
  });
  const seat = done((request, response) => {
    const { id } = valueOf(check(CurrentRequest, jsonBody(request, 'Person')));
    if (id !== null && people.nameOf(id) === undefined) throw unknown();
    if (!seatAt(principalOf(response), id ?? undefined)) {
      throw new FhirError('not-offered', {
        text: 'This is the token of no session: what it writes has its own name alone.',
      });
    }
  });
  return [
    { method: 'GET', path: '/app/people', answer: list },
    { method: 'POST', path: '/app/people', body: true, answer: add },
    { method: 'PUT', path: '/app/people/:id', body: true, answer: rename },
    { method: 'DELETE', path: '/app/people/:id', answer: remove },
    { method: 'PUT', path: '/app/person', body: true, answer: seat },
  ];
}

function unknown(): FhirError {
  return new FhirError('not-found', { text: 'Nobody here has this id.' });
}
