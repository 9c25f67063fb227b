import type { Request, Response } from 'express';
import { streamBeat } from '../../core/app/changes.ts';
import { hashToken } from '../access/secret.ts';
import type { Changes } from '../fhir/changes.ts';
import { bearerIn } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Bytes that a listener may leave unread before it is dropped: it comes again, and reads anew what it shows. */
const mostUnread = 256 * 1024;

/** Milliseconds between two looks whether the token of a stream is still taken. */
const look = 1000;

/**
 * `/app/changes`: a stream of events (WHATWG HTML section 9.2) of the records that change, for as long as it is read and its
 * token is taken. `isTaken` says so of a token's SHA-256, and counts as no use.
 */
export function changeRoutes(changes: Changes, isTaken: (sha256: string) => boolean): readonly TableRoute[] {
  const follow = (request: Request, response: Response): void => {
    const sha256 = hashToken(bearerIn(request.headers));
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    const end = () => {
      leave();
      response.end();
    };
    const write = (text: string) => {
      // An event that comes behind the end of a session is for nobody.
      if (!isTaken(sha256)) {
        end();
        return;
      }
      response.write(text);
      if (response.writableLength > mostUnread) response.destroy();
    };
    const beat = setInterval(() => write(':\n\n'), streamBeat * 1000).unref();
    const watch = setInterval(() => {
      if (!isTaken(sha256)) end();
    }, look).unref();
    const stop = changes.listen((event) => {
      if (event) write(`data: ${JSON.stringify(event)}\n\n`);
      else end();
    });
    const leave = () => {
      clearInterval(beat);
      clearInterval(watch);
      stop();
    };
    response.once('close', leave);
    // At once, so that its reader knows that the server is there; then as often as a reader waits for.
    write(':\n\n');
  };
  return [{ method: 'GET', path: '/app/changes', answer: follow }];
}
