import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { provenanceFor, usePerson } from '../../platform/people.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { initialBulk, type RetryState } from './bulk-state.ts';
import { RunContext, examineAll, sendAll, restoreRun, undoAll, type BulkWork } from './bulk-work.ts';
import { collectTargets } from './gather.ts';
import { saveRun } from './saved-run.ts';

/** State and actions of a bulk replace. Actions never reject: errors become part of the state. */
export function useBulk() {
  const { client, name, remote } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [state, show] = useState(initialBulk);
  const [context] = useState(() => new RunContext(show));
  const [reason, setReason] = useState('');
  const person = usePerson();
  useEffect(() => context.setProvenance(provenanceFor(reason, person)), [context, person, reason]);
  useEffect(() => () => context.abort(), [context]);
  const actions = useMemo(
    () => actionsOf({ context, announce, client, level, name, queries, remote }),
    [context, announce, client, level, name, queries, remote],
  );
  return { state, reason, setReason, ...actions };
}

export type Bulk = ReturnType<typeof useBulk>;

function actionsOf(work: BulkWork) {
  const { client, context } = work;
  return {
    /** Lists the records, then tries the operations on each. */
    dryRun: (source: BulkSource, operations: readonly BulkOperation[]) => {
      context.label = source.label;
      context.apply({ type: 'gather', operations });
      context.enqueueTask(async (signal) => {
        for await (const targets of collectTargets(client, source)) {
          if (signal.aborted) return;
          context.apply({ type: 'gathered', targets });
        }
        context.apply({ type: 'examine' });
        await examineAll(work, signal);
      });
    },
    /** Sends the records that the dry run found ready. */
    run: () =>
      context.enqueueTask(async (signal) => {
        const { operations, phase, targets } = context.state;
        // A double click queues a second run, which must not start.
        if (phase !== 'examined') return;
        const run = await saveRun(client, context.label, operations, targets);
        context.unsavedResults = [];
        context.apply({ type: 'run', run, now: Date.now() });
        if (context.state.phase === 'running') await sendAll(work, run.id, signal);
      }),
    stop: () => {
      context.abort();
      context.apply({ type: 'stop' });
    },
    resume: () => {
      context.apply({ type: 'resume', now: Date.now() });
      const { phase, run } = context.state;
      if (phase === 'examining') context.enqueueTask((signal) => examineAll(work, signal));
      else if (run !== undefined) context.enqueueTask((signal) => sendAll(work, run, signal));
    },
    retry: (state: RetryState) => {
      context.apply({ type: 'retry', state, now: Date.now() });
      const { phase, run } = context.state;
      if (phase === 'running' && run !== undefined)
        context.enqueueTask((signal) => sendAll(work, run, signal));
    },
    back: () => context.apply({ type: 'back' }),
    undo: () => {
      const { run } = context.state;
      if (run === undefined) return;
      context.enqueueTask(async (signal) => {
        if (context.state.run === run) await undoAll(work, run, signal);
      });
    },
    restore: (id: string) => context.enqueueTask(() => restoreRun(work, id)),
  };
}
