import type { Request, Response } from 'express';
import { streamBeat } from '../../core/app/changes.ts';
import type { Changes } from '../fhir/changes.ts';
import type { TableRoute } from './route-table.ts';

/** Bytes that a listener may leave unread before it is dropped: it comes again, and reads anew what it shows. */
const mostUnread = 256 * 1024;

/** `/app/changes`: a stream of events (WHATWG HTML section 9.2) of the records that change, for as long as it is read. */
export function changeRoutes(changes: Changes): readonly TableRoute[] {
  const follow = (_request: Request, response: Response): void => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    const write = (text: string) => {
      response.write(text);
      if (response.writableLength > mostUnread) response.destroy();
    };
    // At once, so that its reader knows that the server is there; then as often as a reader waits for.
    write(':\n\n');
    const beat = setInterval(() => write(':\n\n'), streamBeat * 1000).unref();
    const stop = changes.listen((event) => {
      if (event) write(`data: ${JSON.stringify(event)}\n\n`);
      else response.end();
    });
    response.once('close', () => {
      clearInterval(beat);
      stop();
    });
  };
  return [{ method: 'GET', path: '/app/changes', answer: follow }];
}
