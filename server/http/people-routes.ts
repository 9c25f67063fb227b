import { check } from '../../core/app/check.ts';
import { CurrentRequest, NamedRequest, type People } from '../../core/app/people.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Principal } from '../access/principal.ts';
import { principalOf } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { done, json } from './reply.ts';
import { idOf } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { Workspace } from '../workspace/workspace.ts';

const messages = defineMessages('person', {
  absent: 'There is no person with this ID.',
  nameTaken: 'Someone here already has this name.',
  tokenWithoutSession: 'This token has no session. What it writes is recorded under its own name.',
});

/** `/app/people` and `/app/person`: named people and the current person (core/app/people.ts). */
export function peopleRoutes({
  people,
  sessions,
}: Pick<Workspace, 'people' | 'sessions'>): readonly TableRoute[] {
  const findCurrentPerson = ({ kind, id, name, seat }: Principal) =>
    kind === 'owner' ? seat && people.lastOf(name) : sessions.seated(id);

  /** Sets the person of a token. Returns false for a token without a person. */
  function setCurrentPerson({ kind, id, name, seat }: Principal, person: string | undefined): boolean {
    if (kind !== 'owner') return sessions.seat(id, person);
    if (seat) people.keepLast(name, person);
    return seat === true;
  }

  const list = json((_request, response) => {
    const currentId = findCurrentPerson(principalOf(response));
    const current =
      currentId !== undefined && people.nameOf(currentId) !== undefined ? { current: currentId } : {};
    return { people: [...people.list()], ...current } satisfies People;
  });
  const add = json((request) => {
    const { name } = valueOf(check(NamedRequest, jsonBody(request, 'Person')));
    return people.add(name);
  }, 201);
  const rename = json((request) => {
    const { name } = valueOf(check(NamedRequest, jsonBody(request, 'Person')));
    const id = idOf(request);
    const result = people.rename(id, name);
    if (result === 'unknown') throw createUnknownError();
    if (result === 'taken') throw new FhirError('exists', messages.nameTaken());
    return { id, name };
  });
  const remove = done((request) => {
    if (!people.remove(idOf(request))) throw createUnknownError();
  });
  const setPerson = done((request, response) => {
    const { id } = valueOf(check(CurrentRequest, jsonBody(request, 'Person')));
    if (id !== null && people.nameOf(id) === undefined) throw createUnknownError();
    if (!setCurrentPerson(principalOf(response), id ?? undefined)) {
      throw new FhirError('not-offered', messages.tokenWithoutSession());
    }
  });
  return [
    { method: 'GET', path: '/app/people', answer: list },
    { method: 'POST', path: '/app/people', body: true, answer: add },
    { method: 'PUT', path: '/app/people/:id', body: true, answer: rename },
    { method: 'DELETE', path: '/app/people/:id', answer: remove },
    { method: 'PUT', path: '/app/person', body: true, answer: setPerson },
  ];
}

function createUnknownError(): FhirError {
  return new FhirError('not-found', messages.absent());
}
