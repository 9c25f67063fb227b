import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isTokenRefused } from '../../../core/api/failure.ts';
import { sentOf, type BulkOperation, type BulkSource } from '../../../core/app/bulk.ts';
import { recordsKey, useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { provenanceFor, seated, usePerson } from '../../platform/people.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { zoneOf } from '../../platform/zone.ts';
import { localDay } from '../../ui/time.ts';
import { wordsOf } from './bulk-words.ts';
import {
  bulkReducer,
  initialBulk,
  isInterrupted,
  type BulkAction,
  type RetryState,
  type Settled,
} from './bulk-state.ts';
import { compute } from './compute.ts';
import { gather } from './gather.ts';
import { keepOutcomes, keepRun, keepUndo, noteRun, readRun, turnRun } from './kept-run.ts';
import { examineTarget, replacing } from './replace-target.ts';
import { eachTarget, RunHalted } from './run-loop.ts';
import type { Work } from './target-work.ts';
import { undoing } from './undo-target.ts';

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
  /** Outcomes that the server did not keep yet. */
  const unkept = useRef<readonly Settled[]>([]);
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
      work: Work,
      report: (settled: readonly Settled[]) => Promise<void> | void,
      signal: AbortSignal,
    ) {
      const { targets, operations, run, kept } = latest.current;
      const options = {
        ...{ client, operations, judge: { level, today: localDay(), zoneOf, compute } },
        confirmed: consentOf(remote).confirmed,
        provenance: why.current,
      };
      const stepAt = (place: number) =>
        run !== undefined && kept?.undoes !== undefined && !remote
          ? { putBack: () => client.putBack(run, place, options) }
          : {};
      const places = targets.flatMap((target, place) => (target.state === from ? [place] : []));
      await eachTarget(places, (place) => latest.current.targets[place], {
        work: (target, place) => work(target, { ...options, ...stepAt(place) }),
        report: (settled) => {
          apply({ type: 'settled', settled, now: Date.now() });
          return report(settled);
        },
        signal,
        waits: (seconds) => announce(text.bulk.waits(seconds)),
      });
    }

    const examine = (signal: AbortSignal) => loop('waiting', examineTarget, () => undefined, signal);

    /** Keeps outcomes, those too that could not be kept when they came in. */
    async function keep(run: string, settled: readonly Settled[]) {
      const all = [...unkept.current, ...settled];
      unkept.current = all;
      await keepOutcomes(client, run, all);
      unkept.current = unkept.current.filter((one) => !all.includes(one));
    }

    const workOf = () => (latest.current.kept?.undoes === undefined ? replacing : undoing);

    async function send(run: string, signal: AbortSignal) {
      await seated();
      await turnRun(client, run, 'running');
      try {
        await loop('ready', workOf().send, (settled) => keep(run, settled), signal);
      } catch (error) {
        fail(error);
      }
      await rest(run);
    }

    /** Keeps the undo of the run that rests, and begins it. */
    async function undo(run: string, signal: AbortSignal) {
      if (isInterrupted(latest.current)) {
        apply({ type: 'settle' });
        await loop('ready', workOf().settle, (settled) => keep(run, settled), signal);
        if (signal.aborted) return;
      }
      await turnRun(client, run, latest.current.counts.ready > 0 ? 'stopped' : 'finished');
      const { id } = await keepUndo(client, run, text.bulk.undo.label(label.current));
      await take(id);
      apply({ type: 'resume', now: Date.now() });
      await send(id, signal);
    }

    /** Takes up a kept run where it was left. */
    async function take(id: string) {
      const { run, targets } = await readRun(client, id);
      label.current = run.label;
      unkept.current = [];
      apply({ type: 'restored', run, targets });
    }

    /** The run ended or stopped: what the server, the log, the status bar and the views are told. */
    async function rest(run: string) {
      const { phase, counts, kept } = latest.current;
      const { sent, of } = sentOf(counts);
      const said = wordsOf(latest.current);
      for (const key of [recordsKey, 'search', 'overview', 'quality', 'history', 'bulk', 'activity']) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
      announce(phase === 'finished' ? said.finished(counts.done) : text.bulk.stoppedAt(sent, of, of - sent));
      // Of a run that was cut short it stays known that it was.
      if (kept?.state !== 'running' || phase === 'finished') {
        await turnRun(client, run, phase === 'finished' ? 'finished' : 'stopped');
      }
      await noteRun(client, said.note(label.current), counts, remote && name);
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
          unkept.current = [];
          apply({ type: 'run', run, now: Date.now() });
          if (latest.current.phase === 'running') await send(run.id, signal);
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
      undo: () => {
        const { run } = latest.current;
        if (run !== undefined) begin((signal) => undo(run, signal));
      },
      restore: (id: string) => begin(() => take(id)),
    };
  }, [announce, client, level, name, queries, remote]);

  return { state, reason, setReason, ...actions };
}

export type Bulk = ReturnType<typeof useBulk>;
