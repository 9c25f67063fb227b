/**
 * Live events of the server: whether it is reachable, and which records other clients change. The workbench
 * listens; the frame, the open record and the results show it.
 */
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { ChangeEvent, heartbeatSeconds, type RecordChange } from '../../core/app/changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { parseAs } from '../../core/json/shape.ts';
import { desktop } from './desktop.ts';
import { eventsOf } from './event-stream.ts';
import { session } from './session.ts';
import { createStore, useStore, type Store } from '../ui/store.ts';

/** Connection state; `since` is the time of the last contact in ms since 1970. */
export type ConnectionState =
  | { readonly state: 'unknown' | 'connected' }
  | { readonly state: 'reconnecting' | 'gone'; readonly since: number };

/** A version that a client stored. */
export type LiveEvent = Omit<RecordChange, 'type' | 'id'>;

type EventsByRecord = ReadonlyMap<string, LiveEvent>;

export interface Live {
  readonly link: Store<ConnectionState>;
  /** Latest reported version by `type/id`. */
  readonly events: Store<EventsByRecord>;
}

/** Milliseconds after which an unreachable server counts as gone. */
const timeoutMs = 5000;
const firstRetryMs = 500;
const maxRetryMs = 10_000;
/** Milliseconds without a heartbeat after which a stream is closed. */
const maxSilenceMs = heartbeatSeconds * 1000 * 3;

export function createLive(): Live {
  return {
    link: createStore<ConnectionState>({ state: 'unknown' }),
    events: createStore<EventsByRecord>(new Map()),
  };
}

const nameOf = (type: ResourceType, id: string): string => `${type}/${id}`;

function applyEvent({ events }: Live, text: string): ChangeEvent | undefined {
  const changeEvent = parseAs(ChangeEvent, text);
  if (!changeEvent || changeEvent.changes.length === 0) return changeEvent;
  const nextEvents = new Map(events.get());
  for (const { type, id, ...version } of changeEvent.changes) nextEvents.set(nameOf(type, id), version);
  events.set(nextEvents);
  return changeEvent;
}

function isThere({ link }: Live): boolean {
  return link.get().state === 'connected';
}

function markUnreachable({ link }: Live): void {
  const now = Date.now();
  const previousLink = link.get();
  const since = 'since' in previousLink ? previousLink.since : now;
  link.set({ state: now - since < timeoutMs ? 'reconnecting' : 'gone', since });
}

interface ListenOptions {
  readonly signal: AbortSignal;
  /** Called on each change. Without an event, changes may have been missed. */
  readonly onChange: (event?: ChangeEvent) => void;
}

/** Yields the events of the server until the stream ends. */
async function* streamEvents(signal: AbortSignal): AsyncGenerator<string> {
  const headers = desktop ? {} : { Authorization: `Bearer ${session.token() ?? ''}` };
  const { body, ok } = await fetch('/app/changes', { headers, signal });
  if (ok && body) yield* eventsOf(body);
}

/** Message between windows: the data of an event, or no data if the server is unreachable. */
interface WindowMessage {
  readonly data?: string;
  /** True if changes may have been missed. */
  readonly missed?: boolean;
}

/** Message of a new window that asks for the state of the server. */
const statusRequest = 'there?';
const channelName = 'chartkeeper-changes';

/**
 * Listens until the signal aborts and reconnects after an interruption. Never rejects.
 *
 * One window of a browser holds the stream and broadcasts to the others, because HTTP/1.1 browsers open only
 * six connections to a server. When that window closes, another takes over.
 */
export async function listenForChanges(live: Live, { signal, onChange }: ListenOptions): Promise<void> {
  const otherWindows = new BroadcastChannel(channelName);
  let stream: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryDelayMs = firstRetryMs;
  let hasMissedEvents = false;

  function handleMessage(message: WindowMessage): void {
    clearTimeout(timer);
    hasMissedEvents ||= message.missed === true || message.data === undefined;
    if (message.data === undefined) {
      markUnreachable(live);
      return;
    }
    restartSilenceTimer();
    if (!isThere(live)) live.link.set({ state: 'connected' });
    retryDelayMs = firstRetryMs;
    const event = message.data === '' ? undefined : applyEvent(live, message.data);
    if (hasMissedEvents) onChange();
    else if (event) onChange(event);
    hasMissedEvents = false;
  }
  function restartSilenceTimer(): void {
    clearTimeout(timer);
    timer = setTimeout(() => (stream ? stream.abort() : handleMessage({})), maxSilenceMs);
  }
  function broadcast(message: WindowMessage): void {
    handleMessage(message);
    otherWindows.postMessage(message);
  }

  async function holdStream(): Promise<void> {
    stream = new AbortController();
    restartSilenceTimer();
    // A window that had contact before takes over from a closed window.
    let hasGap = isThere(live);
    try {
      for await (const data of streamEvents(AbortSignal.any([signal, stream.signal]))) {
        broadcast({ data, ...(hasGap && { missed: true }) });
        hasGap = false;
      }
    } catch {
      // The state reports the failure.
    }
    stream = undefined;
    if (!signal.aborted) broadcast({});
  }

  otherWindows.onmessage = ({ data }: MessageEvent<WindowMessage | typeof statusRequest>) => {
    if (data !== statusRequest) handleMessage(data);
    else if (stream && isThere(live)) otherWindows.postMessage({ data: '' } satisfies WindowMessage);
  };
  otherWindows.postMessage(statusRequest);
  while (!signal.aborted) {
    await navigator.locks.request(channelName, { signal }, holdStream).catch(() => undefined);
    await pause(retryDelayMs, signal);
    retryDelayMs = Math.min(maxRetryMs, retryDelayMs * 2);
  }
  clearTimeout(timer);
  otherWindows.close();
}

/** Resolves after a delay, or when the signal aborts. */
function pause(delayMs: number, signal: AbortSignal) {
  return new Promise<unknown>((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    setTimeout(resolve, delayMs);
    signal.addEventListener('abort', resolve);
  });
}

export const LiveContext = createContext<Live>(createLive());

/** Returns the connection state of the server. */
export function useLink(): ConnectionState {
  return useStore(use(LiveContext).link);
}

/** Returns the function that reports whether another server has answered. It sends no events itself. */
export function useReportReachability(): (answered: boolean) => void {
  const live = use(LiveContext);
  return useCallback(
    (hasAnswered) => {
      if (!hasAnswered) markUnreachable(live);
      else if (live.link.get().state !== 'connected') live.link.set({ state: 'connected' });
    },
    [live],
  );
}

/** Returns the latest reported version of a record; undefined without an event. */
export function useLiveEvents(type: ResourceType, id: string): LiveEvent | undefined {
  const { events } = use(LiveContext);
  const get = useCallback(() => events.get().get(nameOf(type, id)), [events, type, id]);
  return useSyncExternalStore(events.subscribe, get);
}
