/**
 * What the page hears of its server without a request of the steward's: whether it is there, and which records others
 * change. The workbench listens; the frame, the open record and the results show it.
 */
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { Authorship } from '../../core/app/authorship.ts';
import { ChangeEvent, streamBeat } from '../../core/app/changes.ts';
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
export interface Heard extends Pick<Authorship, 'author' | 'person'> {
  readonly version: number;
  readonly lastUpdated: string;
}

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

function lose({ link }: Live): void {
  const now = Date.now();
  const last = link.get();
  const since = 'since' in last ? last.since : now;
  link.set({ state: now - since < patience ? 'reconnecting' : 'gone', since });
}

interface Listening {
  readonly signal: AbortSignal;
  /** Something changed, or may have changed while nobody listened. */
  readonly onChange: () => void;
}

/** What the server tells, from now on; ends with the server. */
async function* events(signal: AbortSignal): AsyncGenerator<string> {
  const headers = desktop ? {} : { Authorization: `Bearer ${session.token() ?? ''}` };
  const { body, ok } = await fetch('/app/changes', { headers, signal });
  if (ok && body) yield* eventsOf(body);
}

/** Listens until the signal, and comes again where the stream breaks. Never rejects. */
export async function listen(live: Live, { signal, onChange }: Listening): Promise<void> {
  let wait = firstWait;
  let missed = false;
  const over = () => signal.aborted;
  while (!over()) {
    const quiet = new AbortController();
    let timer = setTimeout(() => quiet.abort(), silence);
    try {
      for await (const data of events(AbortSignal.any([signal, quiet.signal]))) {
        clearTimeout(timer);
        timer = setTimeout(() => quiet.abort(), silence);
        if (live.link.get().state !== 'connected') live.link.set({ state: 'connected' });
        wait = firstWait;
        if (missed || (data !== '' && hear(live, data))) onChange();
        missed = false;
      }
    } catch {
      // Told by the state.
    }
    clearTimeout(timer);
    if (over()) return;
    missed = true;
    lose(live);
    await pause(wait, signal);
    wait = Math.min(lastWait, wait * 2);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
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
