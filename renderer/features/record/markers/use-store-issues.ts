import { useMemo } from 'react';
import { StoreFindings } from '../../../../core/app/quality.ts';
import { storeIssuesOf, type StoreIssue } from '../../../../core/app/store-issues.ts';
import { isUnstored } from '../../../../core/fhir/new-record.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { useConnection } from '../../../platform/connection.ts';
import { useAnswer } from '../../../platform/use-answer.ts';
import type { Version } from '../../../platform/record-version.ts';
import { byPlace, type JudgedByAll } from './use-profile-issues.ts';

/** A judgement with what the store finds at the record, which no text tells by itself. */
export interface JudgedWithStore extends JudgedByAll {
  readonly issues: readonly (JudgedByAll['issues'][number] | StoreIssue)[];
  /** True if the store's findings are here; where they are not, nobody may say that there is none. */
  readonly store: 'read' | 'pending' | 'failed';
}

interface OpenRecordName {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: Version | undefined;
}

/** Adds what this server's store finds at the record: it needs other records, or the versions before. */
export function useStoreIssues(
  { type, id, base }: OpenRecordName,
  judged: JudgedByAll | undefined,
): JudgedWithStore | undefined {
  const { name, remote } = useConnection();
  // Another server's store tells nothing of this kind, and a new record is in none.
  const isAsked = remote === undefined && base !== undefined && !isUnstored(id);
  const { data, isPending } = useAnswer(`/quality/records/${type}/${id}`, StoreFindings, {
    // The worklist's key in front: what has the counts read anew has these read too.
    queryKey: ['quality', name, 'record', type, id, base?.version],
    enabled: isAsked,
    placeholderData: (before, query) => (query?.queryKey[4] === id ? before : undefined),
    retry: false,
  });
  const store = !isAsked || data ? 'read' : isPending ? 'pending' : 'failed';
  const text = judged?.text;
  const found = useMemo(
    () =>
      text === undefined || !base || !data
        ? []
        : storeIssuesOf({ type, text, base: base.text, version: base.version }, data),
    [type, text, base, data],
  );
  return useMemo(() => judged && together(judged, found, store), [judged, found, store]);
}

function together(
  judged: JudgedByAll,
  found: readonly StoreIssue[],
  store: JudgedWithStore['store'],
): JudgedWithStore {
  if (found.length === 0) return { ...judged, store };
  const issues = [...judged.issues, ...found].toSorted(byPlace);
  return { ...judged, issues, total: judged.total + found.length, store };
}
