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
      const { progress, skippedCount, validatedAt } = state.parts.rebuild;
      return { rebuild: progress, skipped: skippedCount, judged: validatedAt };
    },

    async renew(scope, now) {
      const { rebuild, writes } = state.parts;
      const requestedParts = scope === 'everything' ? names : resourceTypes.map(rulesPart);
      const partsInProgress = rebuild.coverage.rebuild?.parts ?? new Set<string>();
      if (requestedParts.every((part) => partsInProgress.has(part))) return;
      try {
        await writes.add(() => rebuild.begin(new Set([...requestedParts, ...partsInProgress]), now));
      } catch (error) {
        rebuild.start();
        throw error;
      }
    },

    async step(slice) {
      const { rebuild, backlog, writes, rowsChanged } = state.parts;
      if (!rebuild.settled) writes.direct(() => rebuild.settle());
      const result = await writes.add(() => {
        backlog.settle();
        return rebuild.pass(slice);
      });
      const hasMore = rebuild.take(result, slice.now);
      if (result.changedCount > 0 || result.ended) rowsChanged(result.ended);
      return hasMore;
    },

    async mend(type, id, version, expectedRows, now) {
      const { rebuild, backlog, writes, rowsChanged } = state.parts;
      const isCurrent = () => !rebuild.mend(type, id, version, expectedRows);
      if (backlog.runIndexed(isCurrent, (work) => writes.now(work))) return;
      await writes.add(() => rebuild.mend(type, id, version, expectedRows, now));
      rowsChanged(true);
    },

    onOpened: (listener) => void listeners.add(listener),

    /** Notifies the listeners that another file is open. */
    notifyOpened() {
      for (const listener of listeners) listener();
    },
  };
}
