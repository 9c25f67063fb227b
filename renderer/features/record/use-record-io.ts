import { useQueryClient } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { useNoteLink } from '../../platform/live.ts';
import { usePerson } from '../../platform/people.ts';
import type { Version } from '../../platform/record-version.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { DraftsContext } from './drafts/drafts-context.ts';
import {
  fetchOutcome,
  discard,
  keepAsDraft,
  checkServerVersion,
  loadRecord,
  refreshTab,
  announceOutcome,
  type RecordContext,
} from './record-reading.ts';
import { compare, merge, save, applySavedVersion } from './record-saving.ts';
import type { RecordTarget } from './record-state.ts';

export type { RecordTarget };

/** Returns the requests of a record tab. Each dispatches its result; none rejects. */
export function useRecordRequests() {
  const { client, name, remote } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const drafts = use(DraftsContext);
  const reportReachability = useNoteLink();
  const person = usePerson()?.name;
  return useMemo(() => {
    const context: RecordContext = {
      announce,
      client,
      drafts,
      name,
      reportReachability,
      person,
      queries,
      remote,
    };
    return {
      ask: fetchOutcome.bind(undefined, context),
      tell: announceOutcome.bind(undefined, context),
      read: loadRecord.bind(undefined, context),
      renew: refreshTab.bind(undefined, context),
      look: checkServerVersion.bind(undefined, context),
      discard: discard.bind(undefined, context),
      save: save.bind(undefined, context),
      compare: compare.bind(undefined, context),
      merge: merge.bind(undefined, context),
      keepAsDraft: keepAsDraft.bind(undefined, context),
      takeSaved: applySavedVersion.bind(undefined, context),
    };
  }, [announce, client, drafts, name, reportReachability, person, queries, remote]);
}

export type RecordRequests = ReturnType<typeof useRecordRequests>;

/** A record under review, and the version that its text is based on. */
export interface UnderReview {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly io: RecordRequests;
}
