import { rulesPart, type Derivation } from '../../../core/derive/derivations.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import type { StoreState } from './reader-client.ts';
import type { DerivedStore } from '../derived.ts';

export function sqliteDerived(
  state: StoreState,
  derivations: readonly Derivation[],
): DerivedStore & { notifyOpened(): void } {
  const names = derivations.map(({ name }) => name);
  const listeners = new Set<() => void>();
  return {
    async state() {
      const { progress, skippedCount, validatedAtMs } = state.parts.rebuild;
      return { rebuild: progress, skippedCount, validatedAtMs };
    },

    async startRebuild(scope, now) {
      const { rebuild, writes } = state.parts;
      const requestedParts = scope === 'everything' ? names : resourceTypes.map(rulesPart);
      const partsInProgress = rebuild.status.rebuild?.parts ?? new Set<string>();
      if (requestedParts.every((part) => partsInProgress.has(part))) return;
      try {
        await writes.add(() => rebuild.startRebuildOf(new Set([...requestedParts, ...partsInProgress]), now));
      } catch (error) {
        rebuild.resume();
        throw error;
      }
    },

    async runSlice(slice) {
      const { rebuild, backlog, writes, notifyRowsChanged } = state.parts;
      if (!rebuild.isPlanStored) writes.direct(() => rebuild.storePlan());
      const result = await writes.add(() => {
        backlog.writeAll();
        return rebuild.runBatch(slice);
      });
      const hasMore = rebuild.applyResult(result, slice.now);
      if (result.changedCount > 0 || result.isEnd) notifyRowsChanged(result.isEnd);
      return hasMore;
    },

    async correctRows(type, id, version, expectedRows, now) {
      const { rebuild, backlog, writes, notifyRowsChanged } = state.parts;
      const name = { type, id, version };
      const isCurrent = () => !rebuild.differs(name, expectedRows);
      if (backlog.runIndexed(isCurrent, (work) => writes.now(work))) return;
      await writes.add(() => rebuild.correctRows(name, expectedRows, now));
      notifyRowsChanged(true);
    },

    onOpened: (listener) => void listeners.add(listener),

    /** Notifies the listeners that another file is open. */
    notifyOpened() {
      for (const listener of listeners) listener();
    },
  };
}
