import { useQueryClient } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { useNoteLink } from '../../platform/live.ts';
import { usePerson } from '../../platform/people.ts';
import type { Version } from '../../platform/record-version.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { DraftsContext } from './drafts/drafts-context.ts';
import { ask, discard, keepAsDraft, look, read, renew, tell, type Means } from './record-reading.ts';
import { compare, merge, save, takeSaved } from './record-saving.ts';
import type { RecordTarget } from './record-state.ts';

export type { RecordTarget };

/** The requests of a record tab. Each reports by dispatching; none rejects. */
export function useRecordIo() {
  const { client, name, remote } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const drafts = use(DraftsContext);
  const note = useNoteLink();
  const person = usePerson()?.name;
  return useMemo(() => {
    const means: Means = { announce, client, drafts, name, note, person, queries, remote };
    return {
      ask: ask.bind(undefined, means),
      tell: tell.bind(undefined, means),
      read: read.bind(undefined, means),
      renew: renew.bind(undefined, means),
      look: look.bind(undefined, means),
      discard: discard.bind(undefined, means),
      save: save.bind(undefined, means),
      compare: compare.bind(undefined, means),
      merge: merge.bind(undefined, means),
      keepAsDraft: keepAsDraft.bind(undefined, means),
      takeSaved: takeSaved.bind(undefined, means),
    };
  }, [announce, client, drafts, name, note, person, queries, remote]);
}

export type RecordIo = ReturnType<typeof useRecordIo>;

/** A record whose text, made on the version `base`, is under review. */
export interface UnderReview {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly io: RecordIo;
}
