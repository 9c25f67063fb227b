import { rulesPart, type Derivation } from '../../../core/derive/derivations.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import type { StoreState } from './asking.ts';
import type { DerivedStore } from '../derived.ts';

export function sqliteDerived(
  on: StoreState,
  derivations: readonly Derivation[],
): DerivedStore & { opened(): void } {
  const names = derivations.map(({ name }) => name);
  const listeners = new Set<() => void>();
  return {
    async state() {
      const { progress, skipped, judged } = on.parts.rebuild;
      return { rebuild: progress, skipped, judged };
    },

    async renew(what, now) {
      const { rebuild, writes } = on.parts;
      const wanted = what === 'everything' ? names : resourceTypes.map(rulesPart);
      const under = rebuild.coverage.rebuild?.parts ?? new Set<string>();
      if (wanted.every((part) => under.has(part))) return;
      try {
        await writes.add(() => rebuild.begin(new Set([...wanted, ...under]), now));
      } catch (error) {
        rebuild.start();
        throw error;
      }
    },

    async step(slice) {
      const { rebuild, backlog, writes, rowsChanged } = on.parts;
      if (!rebuild.settled) writes.direct(() => rebuild.settle());
      const passed = await writes.add(() => {
        backlog.settle();
        return rebuild.pass(slice);
      });
      const more = rebuild.take(passed, slice.now);
      if (passed.changed > 0 || passed.ended) rowsChanged(passed.ended);
      return more;
    },

    async mend(type, id, version, derived, now) {
      const { rebuild, backlog, writes, rowsChanged } = on.parts;
      const stands = () => !rebuild.mend(type, id, version, derived);
      if (backlog.seenBy(stands, (work) => writes.now(work))) return;
      await writes.add(() => rebuild.mend(type, id, version, derived, now));
      rowsChanged(true);
    },

    onOpened: (listener) => void listeners.add(listener),

    /** To be called where something else is open than before. */
    opened() {
      for (const listener of listeners) listener();
    },
  };
}
