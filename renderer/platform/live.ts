/**
 * What the page hears of its server without a request of the steward's: whether it is there, and which records others
 * change. The workbench listens; the frame, the open record and the results show it.
 */
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { ChangeEvent, streamBeat, type RecordChange } from '../../core/app/changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { parseAs } from '../../core/json/shape.ts';
import { desktop } from './desktop.ts';
import { eventsOf } from './event-stream.ts';
import { session } from './session.ts';
import { createStore, useStore, type Store } from '../ui/store.ts';

/** How the server is reached; `since` is when it was there last, in ms since 1970. */
export type Link =
  | { readonly state: 'unknown' | 'connected' }
  | { readonly state: 'reconnecting' | 'gone'; readonly since: number };

/** A version that somebody stored. */
export type Heard = Omit<RecordChange, 'type' | 'id'>;

type HeardOf = ReadonlyMap<string, Heard>;

export interface Live {
  readonly link: Store<Link>;
  /** By `type/id`, the newest version that was heard of. */
  readonly heard: Store<HeardOf>;
}

/** Milliseconds after which a server that is looked for is called gone. */
const patience = 5000;
const firstWait = 500;
const lastWait = 10_000;
/** Milliseconds without a sign of life after which a stream is given up. */
const silence = streamBeat * 1000 * 3;

export function createLive(): Live {
  return { link: createStore<Link>({ state: 'unknown' }), heard: createStore<HeardOf>(new Map()) };
}

const nameOf = (type: ResourceType, id: string): string => `${type}/${id}`;

/** Takes what an event tells. */
function hear({ heard }: Live, text: string): ChangeEvent | undefined {
  const event = parseAs(ChangeEvent, text);
  if (!event || event.changes.length === 0) return event;
  const next = new Map(heard.get());
  for (const { type, id, ...version } of event.changes) next.set(nameOf(type, id), version);
  heard.set(next);
  return event;
}

function isThere({ link }: Live): boolean {
  return link.get().state === 'connected';
}

function lose({ link }: Live): void {
  const now = Date.now();
  const last = link.get();
  const since = 'since' in last ? last.since : now;
  link.set({ state: now - since < patience ? 'reconnecting' : 'gone', since });
}

interface Listening {
  readonly signal: AbortSignal;
  /** Something changed; without an event, something may have changed while nobody listened. */
  readonly onChange: (event?: ChangeEvent) => void;
}

/** What the server tells, from now on; ends with the server. */
async function* events(signal: AbortSignal): AsyncGenerator<string> {
  const headers = desktop ? {} : { Authorization: `Bearer ${session.token() ?? ''}` };
  const { body, ok } = await fetch('/app/changes', { headers, signal });
  if (ok && body) yield* eventsOf(body);
}

/** What one window passes on to the others: an event's data, or without it that the server went away. */
interface Told {
  readonly data?: string;
  /** Something may have changed while nobody listened. */
  readonly missed?: boolean;
}

/** A window that has just come asks whether the server is there. */
const asking = 'there?';
const channel = 'chartkeeper-changes';

/**
 * Listens until the signal, and comes again where the stream breaks. One window of a browser holds the stream and tells the
 * others, as a browser opens six connections to a server at most (HTTP/1.1); where it goes, another takes over. Never rejects.
 */
export async function listen(live: Live, { signal, onChange }: Listening): Promise<void> {
  const others = new BroadcastChannel(channel);
  let stream: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = firstWait;
  let missed = false;

  function take(told: Told): void {
    clearTimeout(timer);
    missed ||= told.missed === true || told.data === undefined;
    if (told.data === undefined) {
      lose(live);
      return;
    }
    watch();
    if (!isThere(live)) live.link.set({ state: 'connected' });
    wait = firstWait;
    const event = told.data === '' ? undefined : hear(live, told.data);
    if (missed) onChange();
    else if (event) onChange(event);
    missed = false;
  }
  function watch(): void {
    clearTimeout(timer);
    timer = setTimeout(() => (stream ? stream.abort() : take({})), silence);
  }
  function tell(told: Told): void {
    take(told);
    others.postMessage(told);
  }

  async function lead(): Promise<void> {
    stream = new AbortController();
    watch();
    // Who was told before takes over from a window that went.
    let gap = isThere(live);
    try {
      for await (const data of events(AbortSignal.any([signal, stream.signal]))) {
        tell({ data, ...(gap && { missed: true }) });
        gap = false;
      }
    } catch {
      // Told by the state.
    }
    stream = undefined;
    if (!signal.aborted) tell({});
  }

  others.onmessage = ({ data }: MessageEvent<Told | typeof asking>) => {
    if (data !== asking) take(data);
    else if (stream && isThere(live)) others.postMessage({ data: '' } satisfies Told);
  };
  others.postMessage(asking);
  while (!signal.aborted) {
    await navigator.locks.request(channel, { signal }, lead).catch(() => undefined);
    await pause(wait, signal);
    wait = Math.min(lastWait, wait * 2);
  }
  clearTimeout(timer);
  others.close();
}

/** Resolves after so many milliseconds, or once nobody listens. */
function pause(milliseconds: number, signal: AbortSignal) {
  return new Promise<unknown>((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', resolve);
  });
}

export const LiveContext = createContext<Live>(createLive());

/** How the server is reached. */
export function useLink(): Link {
  return useStore(use(LiveContext).link);
}

/** Takes whether another server, which tells nothing by itself, has answered. */
export function useNoteLink(): (answered: boolean) => void {
  const live = use(LiveContext);
  return useCallback(
    (answered) => {
      if (!answered) lose(live);
      else if (live.link.get().state !== 'connected') live.link.set({ state: 'connected' });
    },
    [live],
  );
}

/** The newest version of a record that was heard of; undefined where nothing was. */
export function useHeard(type: ResourceType, id: string): Heard | undefined {
  const { heard } = use(LiveContext);
  const get = useCallback(() => heard.get().get(nameOf(type, id)), [heard, type, id]);
  return useSyncExternalStore(heard.subscribe, get);
}
