import { useMutation, useQueryClient } from '@tanstack/react-query';
import { provenanceOf } from '../../core/api/provenance.ts';
import { People, Person } from '../../core/app/people.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { useConnection } from './connection.ts';
import { usePreference } from './preferences.ts';
import { useAnswer } from './use-answer.ts';

const queryKey = ['people'];

/** What changes who is at the keyboard and is on its way: a save waits for it. */
let under: Promise<unknown> = Promise.resolve();

/** Resolves once the server knows who is at the keyboard, as the page shows it. */
export function seated(): Promise<unknown> {
  return under;
}

/** The named people of this installation; they are the local server's, whichever is worked on. */
export function usePeople() {
  return useAnswer('/people', People, { queryKey, staleTime: Infinity });
}

/** Who is at the keyboard; undefined while nobody is named. */
export function usePerson(): Person | undefined {
  const { data } = usePeople();
  return data?.people.find(({ id }) => id === data.current);
}

/** The choice of nobody: menus and radios take texts. */
export const nobody = '';

/** Who is at the keyboard, as a choice among texts. What came of it is said in the status bar. */
export function useSeat(): { readonly value: string; readonly choose: (id: string) => void } {
  const announce = useAnnounce();
  const people = usePeople().data?.people ?? [];
  const { seat } = usePeopleChanges();
  return {
    value: usePerson()?.id ?? nobody,
    choose: (id) =>
      seat.mutate(id === nobody ? null : id, {
        onSuccess: () =>
          announce(text.people.added(people.find((one) => one.id === id)?.name ?? text.people.none)),
        onError: () => announce(text.people.unkept),
      }),
  };
}

/** What can be done with names. Each changes the list once the server has it. */
export function usePeopleChanges() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const after = { onSettled: () => queries.invalidateQueries({ queryKey }) };
  const take = <T>(work: Promise<T>): Promise<T> => {
    under = work.catch(() => undefined);
    return work;
  };
  const seat = useMutation({
    mutationFn: (id: string | null) => take(client.app('PUT', '/person', { id })),
    ...after,
  });
  const add = useMutation({
    mutationFn: (name: string) =>
      take(
        (async () => {
          const person = await client.ask(Person, 'POST', '/people', { name });
          await client.app('PUT', '/person', { id: person.id });
          return person;
        })(),
      ),
    ...after,
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: Person) => client.app('PUT', `/people/${encodeURIComponent(id)}`, { name }),
    ...after,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Person) => client.app('DELETE', `/people/${encodeURIComponent(id)}`),
    ...after,
  });
  return { seat, add, rename, remove };
}

/** The header that says why, as of now; undefined where nothing is said. */
export function provenanceFor(reason: string, person: Person | undefined): string | undefined {
  const words = reason.trim();
  return words === '' ? undefined : provenanceOf(words, new Date(), person?.name);
}

/** Whether a change needs a reason that is not given yet. */
export function useLacksReason(reason: string): boolean {
  const [demanded] = usePreference('demandReason');
  const { remote } = useConnection();
  return demanded && remote === undefined && reason.trim() === '';
}
