import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { provenanceFor, usePerson } from '../../platform/people.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { initialBulk, type RetryState } from './bulk-state.ts';
import { Course, examineAll, sendAll, take, undoAll, type BulkWork } from './bulk-work.ts';
import { gather } from './gather.ts';
import { keepRun } from './kept-run.ts';

/** A bulk replace and what can be done with it. Nothing rejects: what goes wrong becomes part of the state. */
export function useBulk() {
  const { client, name, remote } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [state, show] = useState(initialBulk);
  const [course] = useState(() => new Course(show));
  const [reason, setReason] = useState('');
  const person = usePerson();
  useEffect(() => course.explain(provenanceFor(reason, person)), [course, person, reason]);
  useEffect(() => () => course.abort(), [course]);
  const actions = useMemo(
    () => actionsOf({ course, announce, client, level, name, queries, remote }),
    [course, announce, client, level, name, queries, remote],
  );
  return { state, reason, setReason, ...actions };
}

export type Bulk = ReturnType<typeof useBulk>;

function actionsOf(work: BulkWork) {
  const { client, course } = work;
  return {
    /** Lists the records, then tries the operations on each. */
    dryRun: (source: BulkSource, operations: readonly BulkOperation[]) => {
      course.label = source.label;
      course.apply({ type: 'gather', operations });
      course.begin(async (signal) => {
        for await (const targets of gather(client, source)) {
          if (signal.aborted) return;
          course.apply({ type: 'gathered', targets });
        }
        course.apply({ type: 'examine' });
        await examineAll(work, signal);
      });
    },
    /** Sends what the dry run found ready. */
    run: () =>
      course.begin(async (signal) => {
        const { operations, phase, targets } = course.state;
        // Pressed twice before the first was kept.
        if (phase !== 'examined') return;
        const run = await keepRun(client, course.label, operations, targets);
        course.unkept = [];
        course.apply({ type: 'run', run, now: Date.now() });
        if (course.state.phase === 'running') await sendAll(work, run.id, signal);
      }),
    stop: () => {
      course.abort();
      course.apply({ type: 'stop' });
    },
    resume: () => {
      course.apply({ type: 'resume', now: Date.now() });
      const { phase, run } = course.state;
      if (phase === 'examining') course.begin((signal) => examineAll(work, signal));
      else if (run !== undefined) course.begin((signal) => sendAll(work, run, signal));
    },
    retry: (state: RetryState) => {
      course.apply({ type: 'retry', state, now: Date.now() });
      const { phase, run } = course.state;
      if (phase === 'running' && run !== undefined) course.begin((signal) => sendAll(work, run, signal));
    },
    back: () => course.apply({ type: 'back' }),
    undo: () => {
      const { run } = course.state;
      if (run === undefined) return;
      course.begin(async (signal) => {
        if (course.state.run === run) await undoAll(work, run, signal);
      });
    },
    restore: (id: string) => course.begin(() => take(work, id)),
  };
}
