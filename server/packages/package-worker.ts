/** Worker that reads a package. A worker starts from its own entry file. */
import { lowerPriority, serveRequests } from '../threads/serve-requests.ts';
import { readPackage } from './read-package.ts';

lowerPriority();
const handlers = { readPackage };

export type PackageHandlers = typeof handlers;

serveRequests(handlers);
