import { useMemo } from 'react';
import { StoreFindings } from '../../../../core/app/quality.ts';
import { storeIssuesOf, type StoreIssue } from '../../../../core/app/store-issues.ts';
import { isNewRecord } from '../../../../core/fhir/new-record.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { useConnection } from '../../../platform/connection.ts';
import { useAppQuery } from '../../../platform/use-answer.ts';
import type { Version } from '../../../platform/record-version.ts';
import { compareIssues, type CombinedValidation } from './use-profile-issues.ts';

/** A validation with the findings of the store, which need other records. */
export interface ValidationWithStore extends CombinedValidation {
  readonly issues: readonly (CombinedValidation['issues'][number] | StoreIssue)[];
  /** State of the store's findings. `absent`: a new record, or a record of another server. */
  readonly store: 'read' | 'pending' | 'failed' | 'absent';
}

interface OpenRecordName {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: Version | undefined;
}

/** Adds the findings of this server's store. They need other records or previous versions. */
export function useStoreIssues(
  { type, id, base }: OpenRecordName,
  validation: CombinedValidation | undefined,
): ValidationWithStore | undefined {
  const { name, remote } = useConnection();
  // Another server has no such findings, and a new record is not stored.
  const isEnabled = remote === undefined && base !== undefined && !isNewRecord(id);
  const { data, isPending } = useAppQuery(`/quality/records/${type}/${id}`, StoreFindings, {
    // The key starts like the worklist's, so that both are invalidated together.
    queryKey: ['quality', name, 'record', type, id, base?.version],
    enabled: isEnabled,
    placeholderData: (previous, query) => (query?.queryKey[4] === id ? previous : undefined),
    retry: false,
  });
  const store = !isEnabled ? 'absent' : data ? 'read' : isPending ? 'pending' : 'failed';
  const text = validation?.text;
  const storeIssues = useMemo(
    () =>
      text === undefined || !base || !data
        ? []
        : storeIssuesOf({ type, text, base: base.text, version: base.version }, data),
    [type, text, base, data],
  );
  return useMemo(
    () => validation && combine(validation, storeIssues, store),
    [validation, storeIssues, store],
  );
}

function combine(
  validation: CombinedValidation,
  storeIssues: readonly StoreIssue[],
  store: ValidationWithStore['store'],
): ValidationWithStore {
  if (storeIssues.length === 0) return { ...validation, store };
  const issues = [...validation.issues, ...storeIssues].toSorted(compareIssues);
  return { ...validation, issues, total: validation.total + storeIssues.length, store };
}
