/**
 * Stores unsaved text as drafts in the workspace database and offers drafts again after a restart. The app
 * shell passes the open tabs.
 * Invariant: one draft has one writer. A draft is removed only after its text was saved or discarded.
 */
import { ApiFailure } from '../../../../core/api/failure.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { createStore, type Store } from '../../../ui/store.ts';

export interface UnsavedText {
  readonly type: ResourceType;
  readonly recordId: string;
  readonly title: string;
  readonly baseVersion?: number | undefined;
  readonly baseEtag?: string | undefined;
  readonly base: string;
  readonly text: string;
}

/** State of a tab's draft: the time of the last save, or failed. */
export type DraftState =
  | { readonly kind: 'saved'; readonly savedAtMs: number }
  | { readonly kind: 'failed' }
  | undefined;

/** Request that stores a draft. The base is left out if the server has it already. */
type DraftRequest = Omit<UnsavedText, 'base'> & { readonly base?: string; readonly window: string };

interface DraftAutosaveOptions {
  readonly api: {
    save(id: string, draft: DraftRequest): Promise<unknown>;
    remove(id: string): Promise<unknown>;
  };
  /** Id of this window, unique on one server. */
  readonly window: string;
  readonly newId: () => string;
  readonly now: () => number;
  /** Returns the milliseconds from the last key to the save. */
  readonly getPauseMs: () => number;
}

const firstRetryMs = 1000;
const maxRetryMs = 10_000;

type DesiredDraft = UnsavedText | 'gone';

interface Entry {
  id: string;
  desired: DesiredDraft;
  /** Draft on the server; `unknown` after a save without a response. */
  storedDraft: DesiredDraft | 'unknown';
  /** Base text that the server stores with the draft. */
  loadedBase?: string | undefined;
  state: DraftState;
  retryDelayMs: number;
  timer?: ReturnType<typeof setTimeout>;
  /** Resolves when the pending requests have finished. */
  pendingSend?: Promise<void> | undefined;
}

/** Keeps one draft per tab. Requests of one draft run in order; failed ones are sent again. */
export class DraftAutosave {
  readonly window: string;
  private readonly options: DraftAutosaveOptions;
  private readonly entries = new Map<string, Entry>();
  private readonly removedEntries = new Set<Entry>();
  /** Counters: any change of a draft, and drafts added or removed. */
  private readonly changes = createStore(0);
  private readonly membershipChanges = createStore(0);
  private hasLeft = false;
  /** Keys of the open tabs; undefined until `setOpenTabs` is called. */
  private openTabKeys: ReadonlySet<string> | undefined;
  readonly subscribe = this.changes.subscribe;
  /** Calls a listener when a draft was added or removed. */
  readonly watch = this.membershipChanges.subscribe;
  readonly keys = (): readonly string[] => [...this.entries.keys()];
  readonly stateOf = (key: string): DraftState => this.entries.get(key)?.state;

  constructor(options: DraftAutosaveOptions) {
    this.window = options.window;
    this.options = options;
  }

  /** Stores a tab's unsaved text after a pause without another change. */
  setText(key: string, text: UnsavedText): void {
    if (this.hasLeft) return;
    const entry = this.entries.get(key) ?? newEntry(this.options.newId());
    this.entries.set(key, entry);
    if (isSame(entry.desired, text)) return;
    entry.desired = text;
    // A text that waits is not shown as saved.
    if (entry.state?.kind === 'saved') this.set(entry, undefined);
    this.schedule(entry, this.options.getPauseMs());
  }

  /** Sets the open tabs and drops the drafts of all others. */
  setOpenTabs(tabKeys: ReadonlySet<string>): void {
    this.openTabKeys = tabKeys;
    for (const key of this.keys()) if (!tabKeys.has(key)) this.dropDraft(key);
  }

  /** Removes the draft of a tab whose text was saved or discarded. */
  dropDraft(key: string): void {
    const entry = this.entries.get(key);
    if (!entry || this.hasLeft) return;
    this.entries.delete(key);
    entry.desired = 'gone';
    // A pending save finishes first. The entry is kept until its draft is removed.
    this.removedEntries.add(entry);
    void this.send(entry);
    count(this.changes);
  }

  /** Saves a tab's text now and releases its draft from the tab. Resolves to false if the save failed. */
  async releaseDraft(key: string): Promise<boolean> {
    const entry = this.entries.get(key);
    if (!entry) return false;
    await this.send(entry);
    if (!isStored(entry)) return false;
    this.entries.delete(key);
    count(this.membershipChanges);
    count(this.changes);
    return true;
  }

  /** Saves every tab's text now and releases all drafts. Resolves to false if a save failed. */
  async releaseAll(): Promise<boolean> {
    const entries = [...this.entries.values()];
    await Promise.all(entries.map((entry) => this.send(entry)));
    this.hasLeft = entries.every(isStored);
    return this.hasLeft;
  }

  /**
   * Continues a claimed draft in a tab. Returns false if the tab was closed; the draft then stays on the
   * server.
   */
  adoptDraft(key: string, id: string, draft: UnsavedText, savedAtMs: number): boolean {
    if (this.openTabKeys?.has(key) === false) return false;
    const state = { kind: 'saved', savedAtMs } as const;
    this.entries.set(key, {
      id,
      desired: draft,
      storedDraft: draft,
      loadedBase: draft.base,
      state,
      retryDelayMs: 0,
    });
    count(this.membershipChanges);
    count(this.changes);
    return true;
  }

  /** Sends pending text without waiting for the pause. */
  sendPending(): void {
    for (const entry of this.entries.values()) if (entry.retryDelayMs === 0) void this.send(entry);
  }

  /**
   * Sends the texts that are not stored, because the page is being left. The browser aborts a request that is under way,
   * so its text is sent again.
   */
  sendBeforeLeaving(): void {
    for (const entry of this.entries.values()) {
      const { desired, pendingSend } = entry;
      if (desired === 'gone' || isStored(entry)) continue;
      if (!pendingSend) void this.send(entry);
      else void this.options.api.save(entry.id, this.bodyOf(entry, desired)).catch(() => undefined);
    }
  }

  /** Returns true if a draft belongs to a tab of this window. It is not offered again then. */
  ownsDraft(id: string): boolean {
    return [...this.entries.values(), ...this.removedEntries].some((entry) => entry.id === id);
  }

  private set(entry: Entry, state: DraftState): void {
    entry.state = state;
    count(this.changes);
  }

  private schedule(entry: Entry, delayMs: number): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void this.send(entry), delayMs);
  }

  private send(entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    entry.pendingSend ??= this.sendUntilStored(entry).finally(() => (entry.pendingSend = undefined));
    return entry.pendingSend;
  }

  /** Sends until the server has the desired draft. Schedules a retry after a failed request. */
  private async sendUntilStored(entry: Entry): Promise<void> {
    const { api } = this.options;
    while (entry.desired !== entry.storedDraft) {
      const { desired } = entry;
      try {
        await (desired === 'gone' ? api.remove(entry.id) : api.save(entry.id, this.bodyOf(entry, desired)));
        this.handleStored(entry, desired);
      } catch (error) {
        if (this.prepareResend(entry, error)) continue;
        if (desired !== 'gone') entry.storedDraft = 'unknown';
        entry.retryDelayMs = Math.min(
          maxRetryMs,
          entry.retryDelayMs === 0 ? firstRetryMs : entry.retryDelayMs * 2,
        );
        this.schedule(entry, entry.retryDelayMs);
        this.set(entry, { kind: 'failed' });
        return;
      }
    }
    this.removedEntries.delete(entry);
  }

  private handleStored(entry: Entry, desired: DesiredDraft): void {
    const isMembershipChanged = desired === 'gone' || typeof entry.storedDraft === 'string';
    entry.storedDraft = desired;
    entry.loadedBase = desired === 'gone' ? undefined : desired.base;
    entry.retryDelayMs = 0;
    const isShown = desired !== 'gone' && desired === entry.desired;
    this.set(entry, isShown ? { kind: 'saved', savedAtMs: this.options.now() } : undefined);
    if (isMembershipChanged) count(this.membershipChanges);
  }

  private bodyOf({ loadedBase }: Entry, { base, ...members }: UnsavedText): DraftRequest {
    return { ...members, window: this.window, ...(base !== loadedBase && { base }) };
  }

  /** Returns true if the same text can be sent again at once. */
  private prepareResend(entry: Entry, error: unknown): boolean {
    if (!(error instanceof ApiFailure)) return false;
    if (error.status === 409) {
      // Another window has claimed this draft. Ours gets a new id.
      entry.id = this.options.newId();
      entry.storedDraft = 'gone';
      entry.loadedBase = undefined;
      return true;
    }
    if (error.status !== 400 || entry.loadedBase === undefined) return false;
    entry.loadedBase = undefined;
    return true;
  }
}

function newEntry(id: string): Entry {
  return { id, desired: 'gone', storedDraft: 'gone', state: undefined, retryDelayMs: 0 };
}

function count({ get, set }: Store<number>): void {
  set(get() + 1);
}

/** Returns true if the server has the text of the tab. */
function isStored({ storedDraft, desired }: Entry): boolean {
  return typeof storedDraft !== 'string' && storedDraft === desired;
}

function isSame(desired: DesiredDraft, unsavedText: UnsavedText): boolean {
  const comparedNames = ['text', 'base', 'baseVersion', 'baseEtag', 'title'] as const;
  return typeof desired !== 'string' && comparedNames.every((name) => desired[name] === unsavedText[name]);
}
