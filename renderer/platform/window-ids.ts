/**
 * By what a window is known to the server. Each loading of the page has ids of its own, so that no two ever write one
 * draft; a window remembers those that it had before, and knows what it left when it is loaded anew.
 */
import * as v from 'valibot';
import { parseAs } from '../../core/json/shape.ts';
import { createStore } from '../ui/store.ts';

const storageKey = 'chartkeeper.windows';
const mostKept = 32;

const lockOf = (id: string) => `chartkeeper.window.${id}`;

const former = kept();

/** The ids that this window had and that no living one has; a window that was duplicated remembers those of the other. */
export const formerWindows = createStore<ReadonlySet<string>>(new Set());
void findFormer();

/** A new id, which is this window's until the page is left. */
export function newWindowId(): string {
  const id = crypto.randomUUID();
  if (typeof sessionStorage === 'undefined') return id;
  sessionStorage.setItem(storageKey, JSON.stringify([...kept(), id].slice(-mostKept)));
  // Held until the page goes: that tells that the window lives.
  void locks()?.request(lockOf(id), () => new Promise(() => undefined));
  return id;
}

async function findFormer(): Promise<void> {
  const gone = await Promise.all(former.map(isGone));
  const ids = former.filter((_, at) => gone[at]);
  if (ids.length > 0) formerWindows.set(new Set(ids));
}

async function isGone(id: string): Promise<boolean> {
  const free = await locks()?.request(lockOf(id), { ifAvailable: true }, (lock) => lock !== null);
  return free ?? false;
}

/** Absent where the page is served in the clear to another machine. */
function locks(): LockManager | undefined {
  return (navigator as Partial<Navigator>).locks;
}

function kept(): readonly string[] {
  if (typeof sessionStorage === 'undefined') return [];
  return parseAs(v.array(v.string()), sessionStorage.getItem(storageKey) ?? '') ?? [];
}
