import type { ServerResponse } from 'node:http';
import { heartbeatSeconds } from '../../core/app/changes.ts';
import { hashToken } from '../access/secret.ts';
import type { Changes } from '../fhir/changes.ts';
import type { Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Unread bytes above which a listener is disconnected. It reconnects and reloads. */
const maxUnreadBytes = 256 * 1024;

const eventType = { 'Content-Type': 'text/event-stream; charset=utf-8' };

/** Milliseconds between two checks of the token of an idle stream. A revocation elsewhere is read within 2 s. */
const tokenCheckIntervalMs = 2000;

/**
 * `/app/changes`: server-sent events about changed records (WHATWG HTML section 9.2).
 *
 * @param isTokenValid - True if the token with this SHA-256 is valid. The stream ends otherwise.
 */
export function createChangeRoutes(
  changes: Changes,
  isTokenValid: (sha256: string) => boolean,
): readonly TableRoute[] {
  const follow = (client: ServerResponse, sha256: string): void => {
    const end = () => {
      stopListening();
      client.end();
    };
    const write = (text: string) => {
      // A session that has ended receives no further event.
      if (!isTokenValid(sha256)) {
        end();
        return;
      }
      client.write(text);
      if (client.writableLength > maxUnreadBytes) client.destroy();
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
    client.once('close', stopListening);
    // The first event comes at once, so that the client knows that the server is there.
    write(':\n\n');
  };
  const handler: Handler = ({ bearerToken }) => {
    const sha256 = hashToken(bearerToken);
    return { status: 200, headers: eventType, body: (client) => follow(client, sha256) };
  };
  return [{ method: 'GET', path: '/app/changes', handler }];
}
