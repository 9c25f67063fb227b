/** Targets of commands in tests: a new data folder and a new shared store, with their flags. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratedDatabase, postgresPrograms } from './postgres.ts';

export interface TestPlace {
  /** Flags that select the target. */
  readonly flags: readonly string[];
  remove(): Promise<void>;
}

interface PlaceKind {
  readonly name: string;
  /** True if PostgreSQL is needed and not installed. */
  readonly lacking: boolean;
  make(): Promise<TestPlace>;
}

export const commandPlaces: readonly PlaceKind[] = [
  {
    name: 'in a data folder',
    lacking: false,
    async make() {
      const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-place-'));
      const flags = ['--data', join(folder, 'data')];
      return { flags, remove: () => rm(folder, { recursive: true, force: true }) };
    },
  },
  {
    name: 'in a shared store (not run where PostgreSQL is not installed)',
    lacking: postgresPrograms() === undefined,
    async make() {
      const database = await migratedDatabase();
      return { flags: ['--store', database.address], remove: () => database.remove() };
    },
  },
];
