/**
 * features/record/drafts keeps what is typed and not saved in the workspace database, and offers it again after a
 * restart. The app shell hands it the open tabs. Invariant: one draft has one writer; a draft is removed only after its
 * text was saved or discarded.
 */
import { ApiFailure } from '../../../../core/api/failure.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { createStore, type Store } from '../../../ui/store.ts';

/** The unsaved text of a tab. */
export interface Unsaved {
  readonly type: ResourceType;
  readonly recordId: string;
  readonly title: string;
  readonly baseVersion?: number | undefined;
  readonly baseEtag?: string | undefined;
  readonly base: string;
  readonly text: string;
}

/** Whether a tab's text is safe: when it was saved as a draft, or that it is not. */
export type DraftState =
  | { readonly kind: 'saved'; readonly at: number }
  | { readonly kind: 'failed' }
  | undefined;

/** A draft as it is sent: without its base where the server holds that already. */
type Sent = Omit<Unsaved, 'base'> & { readonly base?: string; readonly window: string };

interface KeeperOptions {
  readonly api: {
    save(id: string, draft: Sent): Promise<unknown>;
    remove(id: string): Promise<unknown>;
  };
  /** Names this window among those on one server. */
  readonly window: string;
  readonly newId: () => string;
  readonly now: () => number;
  /** Milliseconds from the last key to the save. */
  readonly pause: () => number;
}

const firstRetry = 1000;
const lastRetry = 10_000;

type Wanted = Unsaved | 'gone';

interface Entry {
  id: string;
  wanted: Wanted;
  /** What the server holds; `unknown` after a save without an answer. */
  held: Wanted | 'unknown';
  /** The base text that the server holds with the draft. */
  heldBase?: string | undefined;
  state: DraftState;
  retry: number;
  timer?: ReturnType<typeof setTimeout>;
  /** The requests on their way, one after the other. */
  sending?: Promise<void> | undefined;
}

/** Keeps one draft for each tab; requests of one draft follow each other, and those that fail are sent again. */
export class DraftKeeper {
  readonly window: string;
  private readonly options: KeeperOptions;
  private readonly entries = new Map<string, Entry>();
  private readonly leaving = new Set<Entry>();
  /** Count what happened to any draft, and that one came or went. */
  private readonly changes = createStore(0);
  private readonly comings = createStore(0);
  private left = false;
  /** The open tabs by their keys; undefined until they are told. */
  private open: ReadonlySet<string> | undefined;
  readonly subscribe = this.changes.subscribe;
  /** Tells when a draft came or went. */
  readonly watch = this.comings.subscribe;
  readonly keys = (): readonly string[] => [...this.entries.keys()];
  readonly stateOf = (key: string): DraftState => this.entries.get(key)?.state;

  constructor(options: KeeperOptions) {
    this.window = options.window;
    this.options = options;
  }

  /** Notes a tab's unsaved text; it is saved a pause after the last call with another one. */
  keep(key: string, unsaved: Unsaved): void {
    if (this.left) return;
    const entry = this.entries.get(key) ?? newEntry(this.options.newId());
    this.entries.set(key, entry);
    if (isSame(entry.wanted, unsaved)) return;
    entry.wanted = unsaved;
    this.schedule(entry, this.options.pause());
  }

  /** Which tabs are open; the drafts of all others go. */
  attend(open: ReadonlySet<string>): void {
    this.open = open;
    for (const key of this.keys()) if (!open.has(key)) this.drop(key);
  }

  /** The tab's text was saved or discarded: its draft goes. */
  drop(key: string): void {
    const entry = this.entries.get(key);
    if (!entry || this.left) return;
    this.entries.delete(key);
    entry.wanted = 'gone';
    // A save on its way ends first; the entry is remembered until its draft is gone.
    this.leaving.add(entry);
    void this.send(entry);
    count(this.changes);
  }

  /** Saves a tab's text now and lets its draft go on without the tab; false where it was not saved. */
  async release(key: string): Promise<boolean> {
    const entry = this.entries.get(key);
    if (!entry) return false;
    await this.send(entry);
    if (!isHeld(entry)) return false;
    this.entries.delete(key);
    count(this.comings);
    count(this.changes);
    return true;
  }

  /** Saves every tab's text now, and lets the drafts go on without this window's tabs; false where one was not saved. */
  async leave(): Promise<boolean> {
    const all = [...this.entries.values()];
    await Promise.all(all.map((entry) => this.send(entry)));
    this.left = all.every(isHeld);
    return this.left;
  }

  /** The tab goes on with a draft that this window has claimed; false where it was closed by then: the draft stays as it is. */
  adopt(key: string, id: string, held: Unsaved, at: number): boolean {
    if (this.open?.has(key) === false) return false;
    const state = { kind: 'saved', at } as const;
    this.entries.set(key, { id, wanted: held, held, heldBase: held.base, state, retry: 0 });
    count(this.comings);
    count(this.changes);
    return true;
  }

  /** Sends what waits, without waiting for the last key. */
  flush(): void {
    for (const entry of this.entries.values()) if (entry.retry === 0) void this.send(entry);
  }

  /** Whether a draft belongs to a tab of this window, so that it is not offered again. */
  owns(id: string): boolean {
    return [...this.entries.values(), ...this.leaving].some((entry) => entry.id === id);
  }

  private set(entry: Entry, state: DraftState): void {
    entry.state = state;
    count(this.changes);
  }

  private schedule(entry: Entry, delay: number): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void this.send(entry), delay);
  }

  private send(entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    entry.sending ??= this.settle(entry).finally(() => (entry.sending = undefined));
    return entry.sending;
  }

  /** Sends until the server holds what is wanted; where a request fails, later again. */
  private async settle(entry: Entry): Promise<void> {
    const { api } = this.options;
    while (entry.wanted !== entry.held) {
      const { wanted } = entry;
      try {
        await (wanted === 'gone' ? api.remove(entry.id) : api.save(entry.id, this.bodyOf(entry, wanted)));
        this.took(entry, wanted);
      } catch (error) {
        if (this.mend(entry, error)) continue;
        if (wanted !== 'gone') entry.held = 'unknown';
        entry.retry = Math.min(lastRetry, entry.retry === 0 ? firstRetry : entry.retry * 2);
        this.schedule(entry, entry.retry);
        this.set(entry, { kind: 'failed' });
        return;
      }
    }
    this.leaving.delete(entry);
  }

  private took(entry: Entry, wanted: Wanted): void {
    const changed = wanted === 'gone' || typeof entry.held === 'string';
    entry.held = wanted;
    entry.heldBase = wanted === 'gone' ? undefined : wanted.base;
    entry.retry = 0;
    this.set(entry, wanted === 'gone' ? undefined : { kind: 'saved', at: this.options.now() });
    if (changed) count(this.comings);
  }

  private bodyOf({ heldBase }: Entry, { base, ...rest }: Unsaved): Sent {
    return { ...rest, window: this.window, ...(base !== heldBase && { base }) };
  }

  /** Whether the same text can be sent again at once, and goes through then. */
  private mend(entry: Entry, error: unknown): boolean {
    if (!(error instanceof ApiFailure)) return false;
    if (error.status === 409) {
      // Another window went on with this draft; ours begins anew beside it.
      entry.id = this.options.newId();
      entry.held = 'gone';
      entry.heldBase = undefined;
      return true;
    }
    if (error.status !== 400 || entry.heldBase === undefined) return false;
    entry.heldBase = undefined;
    return true;
  }
}

function newEntry(id: string): Entry {
  return { id, wanted: 'gone', held: 'gone', state: undefined, retry: 0 };
}

function count({ get, set }: Store<number>): void {
  set(get() + 1);
}

/** Whether the server holds the text that the tab has. */
function isHeld({ held, wanted }: Entry): boolean {
  return typeof held !== 'string' && held === wanted;
}

function isSame(left: Wanted, right: Unsaved): boolean {
  const compared = ['text', 'base', 'baseVersion', 'baseEtag', 'title'] as const;
  return typeof left !== 'string' && compared.every((name) => left[name] === right[name]);
}
