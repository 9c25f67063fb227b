import { rulesPart, type Derivation } from '../../../core/derive/derivations.ts';
import type { Derived } from '../../../core/derive/derive.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import type { DerivedState, DerivedStore, Slice } from '../derived.ts';
import type { IndexBacklog } from './index-backlog.ts';
import type { RecordRebuild } from './rebuild.ts';
import type { WriteQueue } from './write-queue.ts';

/** What stands on the database as it is open now. */
interface DerivedParts {
  readonly rebuild: RecordRebuild;
  readonly backlog: IndexBacklog;
  readonly writes: WriteQueue;
  /** What was counted holds no more. */
  readonly rowsChanged: (ended: boolean) => void;
}

export class SqliteDerived implements DerivedStore {
  private readonly parts: () => DerivedParts;
  private readonly names: readonly string[];
  private readonly listeners = new Set<() => void>();

  constructor(parts: () => DerivedParts, derivations: readonly Derivation[]) {
    this.parts = parts;
    this.names = derivations.map(({ name }) => name);
  }

  async state(): Promise<DerivedState> {
    const { progress, skipped, judged } = this.parts().rebuild;
    return { rebuild: progress, skipped, judged };
  }

  async renew(what: 'everything' | 'rules', now: number): Promise<void> {
    const { rebuild, writes } = this.parts();
    const wanted = what === 'everything' ? this.names : resourceTypes.map(rulesPart);
    const under = rebuild.coverage.rebuild?.parts ?? new Set<string>();
    if (wanted.every((part) => under.has(part))) return;
    try {
      await writes.add(() => rebuild.begin(new Set([...wanted, ...under]), now));
    } catch (error) {
      rebuild.start();
      throw error;
    }
  }

  async step(slice: Slice): Promise<boolean> {
    const { rebuild, backlog, writes, rowsChanged } = this.parts();
    if (!rebuild.settled) writes.direct(() => rebuild.settle());
    const passed = await writes.add(() => {
      backlog.settle();
      return rebuild.pass(slice);
    });
    const more = rebuild.take(passed, slice.now);
    if (passed.changed > 0 || passed.ended) rowsChanged(passed.ended);
    return more;
  }

  async mend(type: ResourceType, id: string, version: number, derived: Derived, now: number): Promise<void> {
    const { rebuild, backlog, writes, rowsChanged } = this.parts();
    const stands = () => !rebuild.mend(type, id, version, derived);
    if (backlog.seenBy(stands, (work) => writes.now(work))) return;
    await writes.add(() => rebuild.mend(type, id, version, derived, now));
    rowsChanged(true);
  }

  onOpened(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** To be called where something else is open than before. */
  opened(): void {
    for (const listener of this.listeners) listener();
  }
}
