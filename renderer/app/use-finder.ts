import { IconClipboardText, IconFileText, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { narrow } from '../../core/api/narrow.ts';
import { FindAnswer, findLimits, type RecordMatch } from '../../core/app/find.ts';
import { definitionOf, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { useConnection } from '../platform/connection.ts';
import { useWorkbenchActions } from '../platform/workbench-actions.ts';
import { toFailure } from '../ui/failure.ts';
import { text } from '../ui/text.ts';
import type { LauncherEntry } from './launcher-entries.ts';

/** Matches and a message about them. */
interface FinderResults {
  readonly entries: readonly LauncherEntry[];
  readonly message: string;
}

const noResults: FinderResults = { entries: [], message: '' };

/** Delay until the next request while the index is behind the records. */
const refetchDelayMs = 1000;

/**
 * Returns the matches of the local finder: patients, then records by type. If the query names a type, only that type.
 * Matches of an earlier query are dropped, because Enter would open them.
 */
export function useFinder(query: string, types: readonly ResourceType[] = resourceTypes): FinderResults {
  const { client, remote, name } = useConnection();
  const { openPatient, openRecord } = useWorkbenchActions();
  const searchText = useDeferredValue(query.trim().slice(0, findLimits.characters));
  const enabled = !remote && searchText !== '';
  const { data, error } = useQuery({
    enabled,
    queryKey: ['find', name, searchText],
    queryFn: async ({ signal }) =>
      narrow(
        await client.app('GET', `/find?q=${encodeURIComponent(searchText)}`, undefined, signal),
        FindAnswer,
      ),
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.behind === 0 ? false : refetchDelayMs,
  });
  const { groups, remote: onRemote, indexing, unindexed } = text.launcher;
  if (remote && searchText !== '') return { entries: [], message: onRemote };
  if (enabled && error) return { entries: [], message: toFailure(error).sentences.join(' ') };
  if (!enabled || !data || searchText !== query.trim().slice(0, findLimits.characters)) return noResults;
  const entries = [
    ...(types.length < resourceTypes.length ? [] : data.patients).map((patient) => ({
      id: `patient:${patient.id}`,
      group: groups.patients,
      label: patient.name || patient.id,
      detail: [patient.name && patient.id, text.launcher.records(patient.records)]
        .filter(Boolean)
        .join(' · '),
      icon: IconUser,
      run: () => openPatient({ id: patient.id, name: patient.name }),
    })),
    ...data.records.flatMap(({ type, found: matches }) =>
      (types.includes(type) ? matches : []).map((record) => ({
        id: `found:${type}/${record.id}`,
        group: groups.ofType(type),
        label: record.title || record.id,
        detail: formatDetail(type, record),
        icon: definitionOf(type).readingView === 'document' ? IconFileText : IconClipboardText,
        run: () => openRecord({ type, id: record.id, title: record.title || record.id }),
      })),
    ),
  ];
  return { entries, message: data.behind === null ? unindexed : data.behind > 0 ? indexing : '' };
}

function formatDetail(type: ResourceType, { id, patient, status, date, end }: RecordMatch): string {
  const time = [date.slice(0, 10), end.slice(0, 10)].filter(Boolean).join(' – ');
  return [patient.name || patient.id, status, time, `${type}/${id}`].filter(Boolean).join(' · ');
}
