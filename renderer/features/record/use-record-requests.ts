import { useQueryClient } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { useReportReachability } from '../../platform/live.ts';
import { usePerson } from '../../platform/people.ts';
import type { Version } from '../../platform/record-version.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { DraftsContext } from './drafts/drafts-context.ts';
import {
  fetchOutcome,
  discardChanges,
  keepAsDraft,
  checkServerVersion,
  loadRecord,
  refreshRecord,
  announceOutcome,
  type RecordContext,
} from './record-reading.ts';
import { compareVersions, mergeVersions, saveRecord, applySavedVersion } from './record-saving.ts';
import type { RecordTarget } from './record-state.ts';

export type { RecordTarget };

/** Returns the actions of a record tab. Each dispatches its result to the tab; their promises never reject. */
export function useRecordRequests() {
  const { client, name: connectionName, remote } = useConnection();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const drafts = use(DraftsContext);
  const reportReachability = useReportReachability();
  const person = usePerson()?.name;
  return useMemo(() => {
    const context: RecordContext = {
      announce,
      client,
      drafts,
      connectionName,
      reportReachability,
      person,
      queryClient,
      remote,
    };
    return {
      fetchOutcome: fetchOutcome.bind(undefined, context),
      announceOutcome: announceOutcome.bind(undefined, context),
      loadRecord: loadRecord.bind(undefined, context),
      refreshRecord: refreshRecord.bind(undefined, context),
      checkServerVersion: checkServerVersion.bind(undefined, context),
      discardChanges: discardChanges.bind(undefined, context),
      saveRecord: saveRecord.bind(undefined, context),
      compareVersions: compareVersions.bind(undefined, context),
      mergeVersions: mergeVersions.bind(undefined, context),
      keepAsDraft: keepAsDraft.bind(undefined, context),
      applySavedVersion: applySavedVersion.bind(undefined, context),
    };
  }, [announce, client, drafts, connectionName, reportReachability, person, queryClient, remote]);
}

export type RecordRequests = ReturnType<typeof useRecordRequests>;

/** A record under review, and the version that its text is based on. */
export interface RecordReview {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly requests: RecordRequests;
}
