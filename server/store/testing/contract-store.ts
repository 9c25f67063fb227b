/**
 * Contract of a store, by subject. The tests of each `contract-*.ts` run for every engine (contract.test.ts) and use
 * only methods of the store. Invariant: each test has a separate store, and no result depends on the clock.
 */
import { afterEach, beforeEach, expect } from 'vitest';
import type { Derivation } from '../../../core/derive/derivations.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { indexRows } from '../../../core/derive/derive.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { scan } from '../../../core/json/scan.ts';
import type { NewVersion, SearchPage, SharedStore } from '../store.ts';

interface OpenedStore<Store extends SharedStore> {
  readonly store: Store;
  /** Closes the store and opens its data with other derivations. */
  readonly reopen: (derivations: readonly Derivation[]) => Promise<Store>;
  /** Closes the store and removes its data. */
  remove(): Promise<void>;
  /** Changes a letter of a stored text without the store. */
  damage(id: string, version: number): Promise<void>;
}

export interface Engine<Store extends SharedStore = SharedStore> {
  readonly name: string;
  /** Creates an empty store for one test. */
  makeStore(): Promise<OpenedStore<Store>>;
}

/** Objects for the tests of a subject, created for each test. */
export interface World<Store extends SharedStore> {
  readonly store: Store;
  /** Changes a letter of a stored text without the store. */
  readonly damage: (id: string, version: number) => Promise<void>;
  /** Reopens the store as a program with these derivations does. */
  readonly reopen: (derivations: readonly Derivation[]) => Promise<void>;
  /** Creates a version of a Composition, one second later than the previous one. */
  readonly next: (id: string, version: number, title: string, options?: VersionOptions) => NewVersion;
  /** Stores the next version of a record. */
  readonly change: (id: string, title: string, options?: VersionOptions) => Promise<void>;
}

interface VersionOptions {
  readonly type?: ResourceType;
  readonly status?: string;
  readonly issues?: readonly IssueRow[];
  /** Members in addition to the default ones, or in place of them. */
  readonly members?: object;
}

export function worldOf<Store extends SharedStore>(engine: Engine<Store>): World<Store> {
  let openedStore: OpenedStore<Store> | undefined;
  let clock = 0;
  beforeEach(async () => {
    openedStore = await engine.makeStore();
    clock = Date.UTC(2026, 0, 1);
  });
  afterEach(() => openedStore?.remove());
  const getOpened = () => {
    if (!openedStore) throw new Error('No test is under way.');
    return openedStore;
  };
  const world: World<Store> = {
    get store() {
      return getOpened().store;
    },
    async reopen(derivations) {
      const before = getOpened();
      openedStore = { ...before, store: await before.reopen(derivations) };
    },
    damage: (id, version) => getOpened().damage(id, version),
    next(id, version, title, { type = 'Composition', status = 'final', issues = [], members = {} } = {}) {
      clock += 1000;
      const text = JSON.stringify({
        resourceType: type,
        id,
        status,
        date: `20${String(10 + (title.length % 80))}`,
        title,
        subject: { reference: 'Patient/p' },
        ...members,
      });
      return {
        type,
        id,
        version,
        text,
        issues,
        author: 'test',
        lastUpdated: new Date(clock).toISOString(),
        operation: version === 1 ? 'create' : 'update',
        index: indexRows(type, scan(text).root),
      };
    },
    async change(id, title, options = {}) {
      const current = (await world.store.read(options.type ?? 'Composition', id))?.version ?? 0;
      expect(await world.store.replace(world.next(id, current + 1, title, options), current)).toBe('stored');
    },
  };
  return world;
}

export function toCriteria(...pairs: Pair[]): SearchCriteria {
  return readCriteria('Composition', pairs);
}

export function idsOf(page: SearchPage): string[] {
  return Array.from(page.records, ({ id }) => id);
}

export function issue(rule: string, pointer: string): IssueRow {
  const severity = rule.startsWith('schema') ? 'error' : 'warning';
  return { rule, severity, category: 'conformance', pointer };
}
