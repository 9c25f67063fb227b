/**
 * The side of a worker thread: answers the requests of a `ThreadPool`. Called by the entry files of threads.
 * Invariant: every request gets a reply, also if its result can't be sent.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import {
  serializeError,
  type FromThread,
  type ThreadData,
  type ThreadReply,
  type ThreadRequest,
  type ToThread,
} from './messages.ts';

let currentId = 0;

/** Returns the `data` that the pool starts its threads with. */
export function getThreadData(): unknown {
  return (workerData as ThreadData).data;
}

/** Returns true if nobody waits for the result of the running request. Only for handlers that return no promise. */
export function isRequestAborted(): boolean {
  return Atomics.load((workerData as ThreadData).abortedId, 0) === currentId;
}

/** Priority steps below the thread that answers requests. */
const prioritySteps = 10;

/**
 * Lowers the priority of the calling thread, so that the thread for requests runs first when processors are
 * scarce. Call it in a thread with long work. Only Linux has priorities per thread; elsewhere this would
 * affect the process.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(prioritySteps);
}

/**
 * Answers requests by the handlers. A handler returns its result or a promise; what it throws is the error of the
 * request. Replies to the requests of one message are sent in one message.
 *
 * @param close - Called after the last request, before the thread ends.
 */
export function serveRequests(
  handlers: Readonly<Record<string, (...parameters: never[]) => unknown>>,
  close: () => unknown = () => undefined,
): void {
  const port = parentPort;
  if (!port) throw new Error('This module runs in a worker thread.');
  const pendingReplies = new Set<Promise<void>>();

  function send(replies: FromThread): void {
    try {
      port?.postMessage(replies);
    } catch (error) {
      if (replies.length > 1) for (const reply of replies) send([reply]);
      else port?.postMessage(replies.map((reply) => toSendableReply(reply, error)));
    }
  }

  function createReply({ id, name, parameters }: ThreadRequest): ThreadReply | undefined {
    currentId = id;
    try {
      const result: unknown = Reflect.apply(handlers[name] as () => unknown, handlers, parameters);
      if (!(result instanceof Promise)) return { id, result };
      const pendingReply = result
        .then(
          (value: unknown) => send([{ id, result: value }]),
          (error: unknown) => send([{ id, error: serializeError(error) }]),
        )
        .finally(() => pendingReplies.delete(pendingReply));
      pendingReplies.add(pendingReply);
      return undefined;
    } catch (error) {
      return { id, error: serializeError(error) };
    }
  }

  async function end(): Promise<void> {
    await Promise.all(pendingReplies);
    await close();
    port?.close();
  }

  port.on('message', (message: ToThread) => {
    if (message === 'end') {
      void end();
      return;
    }
    const replies = message.flatMap((request) => createReply(request) ?? []);
    if (replies.length > 0) send(replies);
  });
  // Ends the thread, because the ID of the request is unknown.
  port.on('messageerror', (error) => {
    throw error;
  });
  send([]);
}

/** Omits the result or the members of an error that can't be sent. */
function toSendableReply(reply: ThreadReply, sendError: unknown): ThreadReply {
  const { id } = reply;
  return { id, error: 'error' in reply ? { ...reply.error, members: {} } : serializeError(sendError) };
}
