/**
 * Notifies listeners of changed records. The service reports stored versions; `/app/changes` forwards it.
 * Invariant: a version is announced after it was stored, and a write costs nothing without listeners.
 */
import { authorshipIn } from '../../core/app/authorship.ts';
import type { ChangeEvent, RecordChange } from '../../core/app/changes.ts';
import type { NewVersion } from '../store/store.ts';

/**
 * Milliseconds during which changes are collected: an import becomes few events, and validation one a
 * second.
 */
const gathering = { records: 200, findings: 1000 };

/** Maximum number of records that an event names. A larger event has only the number, and the page reloads. */
const maxNamedRecords = 200;

/** Receives an event; undefined when no more events follow because the server stops. */
export type ChangeListener = (event: ChangeEvent | undefined) => void;

/** A stored version, or the last one of a removed record. */
export type ChangedVersion = Pick<
  NewVersion,
  'type' | 'id' | 'version' | 'lastUpdated' | 'author' | 'person'
>;

export interface Changes {
  /** Returns how to stop listening. */
  listen(listener: ChangeListener): () => void;
  readonly note: (version: ChangedVersion) => void;
  /** Findings changed without a write, or validation progressed. */
  readonly noteFindings: () => void;
  close(): void;
}

export function createChanges(): Changes {
  const listeners = new Set<ChangeListener>();
  const pendingByRecord = new Map<string, RecordChange>();
  let unnamedCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let findingsTimer: NodeJS.Timeout | undefined;

  function tell(): void {
    const findings = findingsTimer !== undefined;
    const event = {
      changes: [...pendingByRecord.values()],
      more: unnamedCount,
      ...(findings && { findings }),
    };
    clearTimeout(timer);
    clearTimeout(findingsTimer);
    timer = undefined;
    findingsTimer = undefined;
    pendingByRecord.clear();
    unnamedCount = 0;
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
      if (pendingByRecord.size < maxNamedRecords || pendingByRecord.has(name)) {
        pendingByRecord.set(name, { type, id, version, lastUpdated, ...authorshipIn({ author, person }) });
      } else unnamedCount += 1;
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
