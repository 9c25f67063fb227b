import { useMutation, useQueryClient } from '@tanstack/react-query';
import { provenanceOf } from '../../core/api/provenance.ts';
import { People, Person } from '../../core/app/people.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { useConnection } from './connection.ts';
import { usePreference } from './preferences.ts';
import { useAppQuery } from './use-answer.ts';

const queryKey = ['people'];

/** Pending change of the current person. A save waits for it. */
let pendingChange: Promise<unknown> = Promise.resolve();

/** Resolves when the server knows the current person that the page shows. */
export function waitForCurrentPerson(): Promise<unknown> {
  return pendingChange;
}

/**
 * Returns the named people of this installation. They belong to the local server, whichever server is active.
 */
export function usePeople() {
  return useAppQuery('/people', People, { queryKey, staleTime: Infinity });
}

/** Returns the current person; undefined if none is selected. */
export function usePerson(): Person | undefined {
  const { data } = usePeople();
  return data?.people.find(({ id }) => id === data.current);
}

/** Value of the choice "nobody", because menus and radio buttons need strings. */
export const nobody = '';

/** Returns the current person as a selectable value. The status bar reports the result of a change. */
export function useCurrentPerson(): { readonly value: string; readonly choose: (id: string) => void } {
  const announce = useAnnounce();
  const people = usePeople().data?.people ?? [];
  const { setPerson } = usePeopleChanges();
  return {
    value: usePerson()?.id ?? nobody,
    choose: (id) =>
      setPerson.mutate(id === nobody ? null : id, {
        onSuccess: () => {
          const name = people.find((candidate) => candidate.id === id)?.name;
          announce(name === undefined ? text.people.none : text.people.added(name));
        },
        onError: () => announce(text.people.unkept),
      }),
  };
}

/** Returns the changes of the people list. Each refreshes the list afterwards. */
export function usePeopleChanges() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const refreshOptions = { onSettled: () => queries.invalidateQueries({ queryKey }) };
  const track = <T>(work: Promise<T>): Promise<T> => {
    pendingChange = work.catch(() => undefined);
    return work;
  };
  const setPerson = useMutation({
    mutationFn: (id: string | null) => track(client.app('PUT', '/person', { id })),
    ...refreshOptions,
  });
  const add = useMutation({
    mutationFn: (name: string) =>
      track(
        (async () => {
          const person = await client.requestAs(Person, 'POST', '/people', { name });
          await client.app('PUT', '/person', { id: person.id });
          return person;
        })(),
      ),
    ...refreshOptions,
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: Person) => client.app('PUT', `/people/${encodeURIComponent(id)}`, { name }),
    ...refreshOptions,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Person) => client.app('DELETE', `/people/${encodeURIComponent(id)}`),
    ...refreshOptions,
  });
  return { setPerson, add, rename, remove };
}

/** Returns the provenance header for a reason, as of now; undefined without a reason. */
export function provenanceFor(reason: string, person: Person | undefined): string | undefined {
  const reasonText = reason.trim();
  return reasonText === '' ? undefined : provenanceOf(reasonText, new Date(), person?.name);
}

/** Returns true if a change needs a reason and none is entered. */
export function useIsReasonMissing(reason: string): boolean {
  const [isReasonRequired] = usePreference('demandReason');
  const { remote } = useConnection();
  return isReasonRequired && remote === undefined && reason.trim() === '';
}
