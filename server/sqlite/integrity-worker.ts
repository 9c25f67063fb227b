/** Worker thread of `verifyInWorker`. */
import { serveRequests } from '../threads/serve-requests.ts';
import { verifyCopy } from './inspect-copy.ts';

const handlers = { verifyCopy };

export type IntegrityHandlers = typeof handlers;

serveRequests(handlers);
