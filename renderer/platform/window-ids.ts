/**
 * Ids by which the server knows a window. Each page load has its own ids, so that no two windows write one
 * draft. A window remembers its previous ids and thereby its drafts after a reload.
 */
import * as v from 'valibot';
import { parseAs } from '../../core/json/shape.ts';
import { createStore } from '../ui/store.ts';

const storageKey = 'chartkeeper.windows';
const maxStoredIds = 32;

const lockOf = (id: string) => `chartkeeper.window.${id}`;

const previousIds = readStoredIds();

/**
 * Ids that this window had and that no living window has. A duplicated window remembers the ids of the original.
 */
export const previousWindows = createStore<ReadonlySet<string>>(new Set());
void findPrevious();

/** Returns a new id of this window, until the page is left. */
export function newWindowId(): string {
  const id = crypto.randomUUID();
  if (typeof sessionStorage === 'undefined') return id;
  sessionStorage.setItem(storageKey, JSON.stringify([...readStoredIds(), id].slice(-maxStoredIds)));
  // The lock is held until the page is left. It proves that the window lives.
  void locks()?.request(lockOf(id), () => new Promise(() => undefined));
  return id;
}

async function findPrevious(): Promise<void> {
  const isGoneById = await Promise.all(previousIds.map(isGone));
  const ids = previousIds.filter((_, index) => isGoneById[index]);
  if (ids.length > 0) previousWindows.set(new Set(ids));
}

async function isGone(id: string): Promise<boolean> {
  const isFree = await locks()?.request(lockOf(id), { ifAvailable: true }, (lock) => lock !== null);
  return isFree ?? false;
}

/** Undefined if the page is served without TLS to another machine. */
function locks(): LockManager | undefined {
  return (navigator as Partial<Navigator>).locks;
}

function readStoredIds(): readonly string[] {
  if (typeof sessionStorage === 'undefined') return [];
  return parseAs(v.array(v.string()), sessionStorage.getItem(storageKey) ?? '') ?? [];
}
