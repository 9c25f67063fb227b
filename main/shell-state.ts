import { readFileSync } from 'node:fs';
import { isConnectionName } from '../core/app/record-link.ts';
import { writeAtomically } from './atomic-file.ts';
import type { Log } from './log.ts';

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Minutes without input after which the window locks; 0 is never. */
export const lockChoices = [0, 5, 15, 30, 60] as const;
export type LockMinutes = (typeof lockChoices)[number];

/** What the shell remembers for the next start; nothing of a record is in it. */
export interface ShellState {
  /** Of the window when it was last neither maximized nor minimized, in the screen's own pixels. */
  readonly bounds?: Bounds;
  readonly maximized: boolean;
  /** Zoom level as Chromium counts: 0 is 100 %, each step a fifth more or less. */
  readonly zoom: number;
  /** Names of the connections used at last, newest first. */
  readonly connections: readonly string[];
  readonly lockMinutes: LockMinutes;
}

export interface StateStore {
  readonly get: () => ShellState;
  /** Changes some of it and writes all of it. */
  readonly change: (part: Partial<ShellState>) => void;
}

const MOST_CONNECTIONS = 8;
const MOST_ZOOM = 9;

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBounds(value: unknown): value is Bounds {
  return isFields(value) && ['x', 'y', 'width', 'height'].every((name) => Number.isSafeInteger(value[name]));
}

/** Reads what was kept, field by field: what is missing or no longer known is as on the first start. */
export function readShellState(kept: unknown): ShellState {
  const { bounds, maximized, zoom, connections, lockMinutes } = isFields(kept) ? kept : {};
  return {
    ...(isBounds(bounds) && { bounds }),
    maximized: maximized === true,
    zoom: typeof zoom === 'number' && Math.abs(zoom) <= MOST_ZOOM ? zoom : 0,
    connections: Array.isArray(connections)
      ? connections.filter(isConnectionName).slice(0, MOST_CONNECTIONS)
      : [],
    lockMinutes: lockChoices.find((one) => one === lockMinutes) ?? 0,
  };
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

/** Returns what `file` remembers. A state that cannot be written is no fault: the next start begins without it. */
export function createStateStore(file: string, log: Log): StateStore {
  let state = readShellState(readKept(file));
  return {
    get: () => state,
    change(part) {
      state = { ...state, ...part };
      try {
        writeAtomically(file, `${JSON.stringify(state)}\n`);
      } catch {
        log('window state: not written');
      }
    },
  };
}
