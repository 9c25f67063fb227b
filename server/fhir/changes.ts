/**
 * Tells whoever listens which records changed. The service notes what it stored, `/app/changes` hands them on. Invariant:
 * it tells of a version once it is stored, and costs its write nothing where nobody listens.
 */
import { authorshipIn } from '../../core/app/authorship.ts';
import type { ChangeEvent, RecordChange } from '../../core/app/changes.ts';
import type { NewVersion } from '../store/store.ts';

/** Milliseconds in which changes are gathered: an import is few events, and a run of judging one a second. */
const gathering = { records: 200, findings: 1000 };

/** Records that one event names; of more, their number is enough to read anew what is shown. */
const mostNamed = 200;

/** Takes an event; undefined where there is none any more, as the server ends. */
export type ChangeListener = (event: ChangeEvent | undefined) => void;

export interface Changes {
  /** Returns how to stop listening. */
  listen(listener: ChangeListener): () => void;
  /** A version was stored. */
  readonly note: (version: NewVersion) => void;
  /** Findings changed without a write, or how far the records are judged. */
  readonly noteFindings: () => void;
  close(): void;
}

export function createChanges(): Changes {
  const listeners = new Set<ChangeListener>();
  const waiting = new Map<string, RecordChange>();
  let more = 0;
  let timer: NodeJS.Timeout | undefined;
  let findingsTimer: NodeJS.Timeout | undefined;

  function tell(): void {
    const findings = findingsTimer !== undefined;
    const event = { changes: [...waiting.values()], more, ...(findings && { findings }) };
    clearTimeout(timer);
    clearTimeout(findingsTimer);
    timer = undefined;
    findingsTimer = undefined;
    waiting.clear();
    more = 0;
    for (const listener of listeners) listener(event);
  }

  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    note({ type, id, version, lastUpdated, author, person }) {
      if (listeners.size === 0) return;
      const name = `${type}/${id}`;
      if (waiting.size < mostNamed || waiting.has(name)) {
        waiting.set(name, { type, id, version, lastUpdated, ...authorshipIn({ author, person }) });
      } else more += 1;
      timer ??= setTimeout(tell, gathering.records).unref();
    },
    noteFindings() {
      if (listeners.size > 0) findingsTimer ??= setTimeout(tell, gathering.findings).unref();
    },
    close() {
      clearTimeout(timer);
      clearTimeout(findingsTimer);
      for (const listener of listeners) listener(undefined);
      listeners.clear();
    },
  };
}
