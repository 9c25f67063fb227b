import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { ConnectionName } from '../core/app/record-link.ts';
import { matchesSchema, type Shape } from '../core/json/shape.ts';
import { writeAtomically } from './atomic-file.ts';
import type { Log } from './log.ts';

const MAX_CONNECTIONS = 8;
const MAX_ZOOM = 9;

/** Minutes without input after which the window locks; 0 is never. */
export const lockChoices = [0, 5, 15, 30, 60] as const;
export type LockMinutes = (typeof lockChoices)[number];

const Pixels = v.pipe(v.number(), v.safeInteger());
const Bounds = v.object({ x: Pixels, y: Pixels, width: Pixels, height: Pixels });
export type Bounds = Shape<typeof Bounds>;

/** Stored state of the shell, with the defaults of the first start. It contains nothing of a record. */
const ShellState = v.object({
  /** Bounds of the window when it was last neither maximized nor minimized, in screen pixels. */
  bounds: v.fallback(v.optional(Bounds), undefined),
  maximized: v.fallback(v.boolean(), false),
  /** Zoom level of Chromium: 0 is 100 %, each step is 20 % more or less. */
  zoom: v.fallback(v.pipe(v.number(), v.minValue(-MAX_ZOOM), v.maxValue(MAX_ZOOM)), 0),
  /** Names of the last used connections, latest first. */
  connections: v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((names) =>
        names.filter((name) => matchesSchema(ConnectionName, name)).slice(0, MAX_CONNECTIONS),
      ),
    ),
    [],
  ),
  lockMinutes: v.fallback(v.picklist(lockChoices), 0),
});
export type ShellState = Shape<typeof ShellState>;

/** Reads a stored state, member by member. A missing or invalid member gets its default. */
export function readShellState(storedState: unknown): ShellState {
  const result = v.safeParse(ShellState, storedState);
  return result.success ? result.output : v.parse(ShellState, {});
}

/** Returns `names` with `name` first and without duplicates. */
export function withConnection(names: readonly string[], name: string): readonly string[] {
  return [name, ...names.filter((candidate) => candidate !== name)].slice(0, MAX_CONNECTIONS);
}

function readStateFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export type StateStore = ReturnType<typeof createStateStore>;

/** Creates the store of `file`. It continues without a file that cannot be written, but forgets its state. */
export function createStateStore(file: string, log: Log) {
  let state = readShellState(readStateFile(file));
  return {
    get: () => state,
    /** Changes some members and writes all of them. */
    change(part: Partial<ShellState>): void {
      state = { ...state, ...part };
      try {
        writeAtomically(file, `${JSON.stringify(state)}\n`);
      } catch {
        log('window state: not written');
      }
    },
  };
}
