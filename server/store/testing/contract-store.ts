/**
 * The contract of a store, by subject: what each `contract-*.ts` promises holds for every engine (contract.test.ts). Only
 * the store's own methods are called. Invariant: a test has a store of its own, and nothing in it is told by a clock.
 */
import { afterEach, beforeEach, expect } from 'vitest';
import type { Derivation } from '../../../core/derive/derivations.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { indexRows } from '../../../core/fhir/index-rows.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { scan } from '../../../core/json/scan.ts';
import type { NewVersion, SearchPage, SharedStore } from '../store.ts';

interface OpenedStore<Store extends SharedStore> {
  readonly store: Store;
  /** Closes it, and opens what it wrote again by other derivations. */
  readonly reopen: (of: readonly Derivation[]) => Promise<Store>;
  /** Closes it, and removes what it wrote. */
  remove(): Promise<void>;
  /** Changes a letter of a stored text behind its back. */
  damage(id: string, version: number): Promise<void>;
}

export interface Engine<Store extends SharedStore = SharedStore> {
  readonly name: string;
  /** An empty store that nobody else has. */
  makeStore(): Promise<OpenedStore<Store>>;
}

/** What the tests of a subject work with; made anew for each. */
export interface World<Store extends SharedStore> {
  readonly store: Store;
  /** Changes a letter of a stored text of a record behind the store's back. */
  readonly damage: (id: string, version: number) => Promise<void>;
  /** From now on the store is one that a program with these derivations opened. */
  readonly reopen: (of: readonly Derivation[]) => Promise<void>;
  /** A version of a Composition with that title, a second later than the one before. */
  readonly next: (id: string, version: number, title: string, more?: More) => NewVersion;
  /** Stores the next version of a record. */
  readonly change: (id: string, title: string, more?: More) => Promise<void>;
}

interface More {
  readonly type?: ResourceType;
  readonly status?: string;
  readonly issues?: readonly IssueRow[];
  /** Members beside the usual ones, which they may replace. */
  readonly members?: object;
}

export function worldOf<Store extends SharedStore>(engine: Engine<Store>): World<Store> {
  let opened: OpenedStore<Store> | undefined;
  let clock = 0;
  beforeEach(async () => {
    opened = await engine.makeStore();
    clock = Date.UTC(2026, 0, 1);
  });
  afterEach(() => opened?.remove());
  const now = () => {
    if (!opened) throw new Error('No test is under way.');
    return opened;
  };
  const world: World<Store> = {
    get store() {
      return now().store;
    },
    async reopen(of) {
      const before = now();
      opened = { ...before, store: await before.reopen(of) };
    },
    damage: (id, version) => now().damage(id, version),
    next(id, version, title, { type = 'Composition', status = 'final', issues = [], members = {} } = {}) {
      clock += 1000;
      const text = JSON.stringify({
        ...{ resourceType: type, id, status, date: `20${String(10 + (title.length % 80))}`, title },
        subject: { reference: 'Patient/p' },
        ...members,
      });
      return {
        ...{ type, id, version, text, issues, author: 'test' },
        lastUpdated: new Date(clock).toISOString(),
        operation: version === 1 ? 'create' : 'update',
        index: indexRows(type, scan(text).root),
      };
    },
    async change(id, title, more = {}) {
      const current = (await world.store.read(more.type ?? 'Composition', id))?.version ?? 0;
      expect(await world.store.replace(world.next(id, current + 1, title, more), current)).toBe('stored');
    },
  };
  return world;
}

export function asked(...pairs: Pair[]): SearchCriteria {
  return readCriteria('Composition', pairs);
}

export function idsOf(page: SearchPage): string[] {
  return Array.from(page.records, ({ id }) => id);
}

export function issue(rule: string, pointer: string): IssueRow {
  const severity = rule.startsWith('schema') ? 'error' : 'warning';
  return { rule, severity, category: 'conformance', pointer };
}
