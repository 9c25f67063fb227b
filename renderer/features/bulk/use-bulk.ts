import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isTokenRefused } from '../../../core/api/failure.ts';
import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { recordsKey, useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { provenanceFor, seated, usePerson } from '../../platform/people.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import { bulkReducer, initialBulk, progressOf, type BulkAction, type RetryState } from './bulk-state.ts';
import { gather } from './gather.ts';
import { keepOutcomes, keepRun, noteRun, readRun, turnRun } from './kept-run.ts';
import { eachTarget, examineTarget, RunHalted, sendTarget } from './run-loop.ts';

/** A bulk replace and what can be done with it. Nothing rejects: what goes wrong becomes part of the state. */
export function useBulk() {
  const { client, name, remote } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [state, show] = useState(initialBulk);
  const latest = useRef(initialBulk);
  const control = useRef(new AbortController());
  /** The loop under way: a new one starts when what it sent has come back. */
  const working = useRef(Promise.resolve());
  const label = useRef('');
  const [reason, setReason] = useState('');
  const person = usePerson();
  const why = useRef<string>(undefined);
  useEffect(() => {
    why.current = provenanceFor(reason, person);
  }, [person, reason]);

  useEffect(() => () => control.current.abort(), []);

  const actions = useMemo(() => {
    const apply = (action: BulkAction) => {
      latest.current = bulkReducer(latest.current, action);
      show(latest.current);
    };

    function fail(error: unknown) {
      const cause = error instanceof RunHalted ? error.cause : error;
      if (isTokenRefused(cause)) session.requireToken();
      apply({ type: 'failed', failure: toFailure(cause) });
    }

    /** Does `task` behind what is under way; stopping aborts its signal. */
    function begin(task: (signal: AbortSignal) => Promise<void>) {
      const own = new AbortController();
      control.current = own;
      working.current = working.current.then(() => task(own.signal)).catch(fail);
    }

    /** The loop over the records that are in a state, with the options of this moment. */
    async function loop(
      from: 'waiting' | 'ready',
      work: typeof examineTarget,
      report: (settled: Parameters<typeof keepOutcomes>[2]) => Promise<void> | void,
      signal: AbortSignal,
    ) {
      const { targets, operations } = latest.current;
      const options = {
        ...{ client, operations, judge: { level, today: localDay() } },
        confirmed: consentOf(remote).confirmed,
        provenance: why.current,
      };
      const places = targets.flatMap((target, place) => (target.state === from ? [place] : []));
      await eachTarget(places, (place) => latest.current.targets[place], {
        work: (target) => work(target, options),
        report: (settled) => {
          apply({ type: 'settled', settled, now: Date.now() });
          return report(settled);
        },
        signal,
        waits: (seconds) => announce(text.bulk.waits(seconds)),
      });
    }

    const examine = (signal: AbortSignal) => loop('waiting', examineTarget, () => undefined, signal);

    async function send(run: string, signal: AbortSignal) {
      await seated();
      await turnRun(client, run, 'running');
      try {
        await loop('ready', sendTarget, (settled) => keepOutcomes(client, run, settled), signal);
      } catch (error) {
        fail(error);
      }
      await rest(run);
    }

    /** The run ended or stopped: what the server, the log, the status bar and the views are told. */
    async function rest(run: string) {
      const { phase, counts } = latest.current;
      const { done, remaining } = progressOf({ counts });
      for (const key of [recordsKey, 'search', 'overview', 'quality', 'history', 'bulk', 'activity']) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
      announce(
        phase === 'finished'
          ? text.bulk.finished(done)
          : text.bulk.stoppedAt(done, done + remaining, remaining),
      );
      await turnRun(client, run, phase === 'finished' ? 'finished' : 'stopped');
      await noteRun(client, text.bulk.note(label.current), counts, remote && name);
      void queries.invalidateQueries({ queryKey: ['bulk'] });
    }

    return {
      /** Lists the records, then tries the operations on each. */
      dryRun: (source: BulkSource, operations: readonly BulkOperation[]) => {
        label.current = source.label;
        apply({ type: 'gather', operations });
        begin(async (signal) => {
          for await (const targets of gather(client, source)) {
            if (signal.aborted) return;
            apply({ type: 'gathered', targets });
          }
          apply({ type: 'examine' });
          await examine(signal);
        });
      },
      /** Sends what the dry run found ready. */
      run: () => {
        begin(async (signal) => {
          const { operations, targets } = latest.current;
          const run = await keepRun(client, label.current, operations, targets);
          apply({ type: 'run', run, now: Date.now() });
          if (latest.current.phase === 'running') await send(run, signal);
        });
      },
      stop: () => {
        control.current.abort();
        apply({ type: 'stop' });
      },
      resume: () => {
        apply({ type: 'resume', now: Date.now() });
        const { phase, run } = latest.current;
        if (phase === 'examining') begin(examine);
        else if (run !== undefined) begin((signal) => send(run, signal));
      },
      retry: (state: RetryState) => {
        apply({ type: 'retry', states: [state], now: Date.now() });
        const { phase, run } = latest.current;
        if (phase === 'running' && run !== undefined) begin((signal) => send(run, signal));
      },
      back: () => apply({ type: 'back' }),
      /** Takes up a kept run where it was left. */
      restore: (id: string) => {
        begin(async () => {
          const { run, targets } = await readRun(client, id);
          label.current = run.label;
          apply({ type: 'restored', run: run.id, operations: run.operations, targets });
        });
      },
    };
  }, [announce, client, level, name, queries, remote]);

  return { state, reason, setReason, ...actions };
}

export type Bulk = ReturnType<typeof useBulk>;
