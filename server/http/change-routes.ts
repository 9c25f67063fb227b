import type { Request, Response } from 'express';
import { heartbeatSeconds } from '../../core/app/changes.ts';
import { hashToken } from '../access/secret.ts';
import type { Changes } from '../fhir/changes.ts';
import { findBearerToken } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Unread bytes above which a listener is disconnected. It reconnects and reloads. */
const maxUnreadBytes = 256 * 1024;

/** Milliseconds between two checks of the token of a stream. */
const tokenCheckIntervalMs = 1000;

/**
 * `/app/changes`: server-sent events about changed records (WHATWG HTML section 9.2).
 *
 * @param isTokenValid - True if the token with this SHA-256 is valid. The stream ends otherwise.
 */
export function createChangeRoutes(
  changes: Changes,
  isTokenValid: (sha256: string) => boolean,
): readonly TableRoute[] {
  const follow = (request: Request, response: Response): void => {
    const sha256 = hashToken(findBearerToken(request.headers));
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    const end = () => {
      stopListening();
      response.end();
    };
    const write = (text: string) => {
      // A session that has ended receives no further event.
      if (!isTokenValid(sha256)) {
        end();
        return;
      }
      response.write(text);
      if (response.writableLength > maxUnreadBytes) response.destroy();
    };
    const heartbeat = setInterval(() => write(':\n\n'), heartbeatSeconds * 1000).unref();
    const tokenCheck = setInterval(() => {
      if (!isTokenValid(sha256)) end();
    }, tokenCheckIntervalMs).unref();
    const unsubscribe = changes.listen((event) => {
      if (event) write(`data: ${JSON.stringify(event)}\n\n`);
      else end();
    });
    const stopListening = () => {
      clearInterval(heartbeat);
      clearInterval(tokenCheck);
      unsubscribe();
    };
    response.once('close', stopListening);
    // The first event comes at once, so that the client knows that the server is there.
    write(':\n\n');
  };
  return [{ method: 'GET', path: '/app/changes', handler: follow }];
}
