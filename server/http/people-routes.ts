import { check } from '../../core/app/check.ts';
import { CurrentRequest, NamedRequest, type People } from '../../core/app/people.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Principal } from '../access/principal.ts';
import { parseJsonBody, getCheckedValue } from './body.ts';
import { createEmptyHandler, createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { Workspace } from '../workspace/workspace.ts';

const messages = defineMessages('person', {
  absent: 'There is no person with this ID.',
  nameTaken: 'Someone here already has this name.',
  tokenWithoutSession: 'This token has no session. What it writes is recorded under its own name.',
});

/** `/app/people` and `/app/person`: named people and the current person (core/app/people.ts). */
export function createPeopleRoutes({
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

  const list = createJsonHandler((request) => {
    const currentId = findCurrentPerson(request.principal);
    const current =
      currentId !== undefined && people.nameOf(currentId) !== undefined ? { current: currentId } : {};
    return { people: [...people.list()], ...current } satisfies People;
  });
  const add = createJsonHandler((request) => {
    const { name } = getCheckedValue(check(NamedRequest, parseJsonBody(request, 'Person')));
    return people.add(name);
  }, 201);
  const rename = createJsonHandler((request) => {
    const { name } = getCheckedValue(check(NamedRequest, parseJsonBody(request, 'Person')));
    const { id } = request;
    const result = people.rename(id, name);
    if (result === 'unknown') throw createUnknownError();
    if (result === 'taken') throw new FhirError('exists', messages.nameTaken());
    return { id, name };
  });
  const remove = createEmptyHandler((request) => {
    if (!people.remove(request.id)) throw createUnknownError();
  });
  const setPerson = createEmptyHandler((request) => {
    const { id } = getCheckedValue(check(CurrentRequest, parseJsonBody(request, 'Person')));
    if (id !== null && people.nameOf(id) === undefined) throw createUnknownError();
    if (!setCurrentPerson(request.principal, id ?? undefined)) {
      throw new FhirError('not-offered', messages.tokenWithoutSession());
    }
  });
  return [
    { method: 'GET', path: '/app/people', handler: list },
    { method: 'POST', path: '/app/people', body: true, handler: add },
    { method: 'PUT', path: '/app/people/:id', body: true, handler: rename },
    { method: 'DELETE', path: '/app/people/:id', handler: remove },
    { method: 'PUT', path: '/app/person', body: true, handler: setPerson },
  ];
}

function createUnknownError(): FhirError {
  return new FhirError('not-found', messages.absent());
}
