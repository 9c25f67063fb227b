import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { ConnectionName } from '../core/app/record-link.ts';
import { is, type Shape } from '../core/json/shape.ts';
import { writeAtomically } from './atomic-file.ts';
import type { Log } from './log.ts';

const MOST_CONNECTIONS = 8;
const MOST_ZOOM = 9;

/** Minutes without input after which the window locks; 0 is never. */
export const lockChoices = [0, 5, 15, 30, 60] as const;
export type LockMinutes = (typeof lockChoices)[number];

const Pixels = v.pipe(v.number(), v.safeInteger());
const Bounds = v.object({ x: Pixels, y: Pixels, width: Pixels, height: Pixels });
export type Bounds = Shape<typeof Bounds>;

/** What the shell remembers for the next start, each member with what holds on the first; nothing of a record is in it. */
const ShellState = v.object({
  /** Of the window when it was last neither maximized nor minimized, in the screen's own pixels. */
  bounds: v.fallback(v.optional(Bounds), undefined),
  maximized: v.fallback(v.boolean(), false),
  /** Zoom level as Chromium counts: 0 is 100 %, each step a fifth more or less. */
  zoom: v.fallback(v.pipe(v.number(), v.minValue(-MOST_ZOOM), v.maxValue(MOST_ZOOM)), 0),
  /** Names of the connections used at last, newest first. */
  connections: v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((names) => names.filter((name) => is(ConnectionName, name)).slice(0, MOST_CONNECTIONS)),
    ),
    [],
  ),
  lockMinutes: v.fallback(v.picklist(lockChoices), 0),
});
export type ShellState = Shape<typeof ShellState>;

/** Reads what was kept, member by member: what is missing or no longer known is as on the first start. */
export function readShellState(kept: unknown): ShellState {
  const read = v.safeParse(ShellState, kept);
  return read.success ? read.output : v.parse(ShellState, {});
}

/** Returns `names` with `name` in front and none twice. */
export function withConnection(names: readonly string[], name: string): readonly string[] {
  return [name, ...names.filter((one) => one !== name)].slice(0, MOST_CONNECTIONS);
}

function readKept(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export type StateStore = ReturnType<typeof createStateStore>;

/** Returns what `file` remembers. A state that cannot be written is no fault: the next start begins without it. */
export function createStateStore(file: string, log: Log) {
  let state = readShellState(readKept(file));
  return {
    get: () => state,
    /** Changes some of it and writes all of it. */
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
