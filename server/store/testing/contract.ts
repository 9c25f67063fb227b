/** Runs the full contract of a store for an engine. */
import { describe } from 'vitest';
import type { Derivation } from '../../../core/derive/derivations.ts';
import type { SharedStore } from '../store.ts';
import { audit } from './contract-audit.ts';
import { batches } from './contract-batches.ts';
import { checks } from './contract-checks.ts';
import { supportingResources } from './contract-companions.ts';
import { damage } from './contract-damage.ts';
import { derivedRows } from './contract-derived.ts';
import { erasure } from './contract-erasure.ts';
import { findings } from './contract-findings.ts';
import { findingStates } from './contract-finding-states.ts';
import { pages } from './contract-pages.ts';
import { relations } from './contract-relations.ts';
import { search } from './contract-search.ts';
import type { Engine } from './contract-store.ts';
import { versions } from './contract-versions.ts';

const parts = {
  versions,
  pages,
  search,
  findings,
  'finding states': findingStates,
  audit,
  companions: supportingResources,
  batches,
  damage,
  erasure,
  derived: derivedRows,
  checks,
  relations,
};

export type Part = keyof typeof parts;

/** Runs the contract tests for an engine, part by part. */
export function testContract(engineFor: (part: Part) => Engine): void {
  describe.each(Object.entries(parts))('%s', (part, test) => test(engineFor(part as Part)));
}

interface EngineActions<Store extends SharedStore> {
  readonly open: (derivations?: readonly Derivation[]) => Promise<Store>;
  /** Runs SQL without the store. */
  readonly run: (text: string) => Promise<unknown>;
  readonly removeData: () => unknown;
}

/** Creates a store of an engine in the form that the tests use. */
export async function openTestStore<Store extends SharedStore>({
  open,
  run,
  removeData,
}: EngineActions<Store>) {
  let store = await open();
  return {
    store,
    async damage(id: string, version: number) {
      await run(damageSql(id, version));
    },
    async reopen(derivations: readonly Derivation[]) {
      await store.close();
      store = await open(derivations);
      return store;
    },
    async remove() {
      await store.close();
      await removeData();
    },
  };
}

const damageSql = (id: string, version: number) =>
  `UPDATE version SET body = replace(body, 'title', 'tutle') WHERE id = '${id}' AND version = ${version}`;
