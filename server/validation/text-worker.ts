/** Worker of `textPool`. A worker starts from its own entry file. */
import { doHere, type JobName } from '../fhir/drafts.ts';
import { serveRequests } from '../threads/serve-requests.ts';

const handlers = {
  run: (job: JobName, jobArguments: readonly unknown[]): unknown => doHere(job, jobArguments as never),
};

export type TextHandlers = typeof handlers;

serveRequests(handlers);
