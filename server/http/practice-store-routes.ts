import type { PracticeStoreOpened } from '../../core/app/practice.ts';
import type { Actor } from '../store/actor.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { TrainingParts } from './training-routes.ts';

export interface PracticeStore {
  /** Returns the id of its connection; undefined before it is first opened. */
  connectionId(): string | undefined;
  /** Opens it, and loads the missing records of the clean clinic. */
  open(actor: Actor): Promise<PracticeStoreOpened>;
  /** Returns its training data and exercises, if the connection is its own. */
  partsOf(connection: string | undefined): Promise<TrainingParts | undefined>;
}

/** `/app/practice-store`: a second store with made-up records, which the page opens as a connection. */
export function createPracticeStoreRoutes(practiceStore: PracticeStore): readonly TableRoute[] {
  const read = createJsonHandler(() => {
    const connection = practiceStore.connectionId();
    return connection === undefined ? {} : { connection };
  });
  const open = createJsonHandler((request) => practiceStore.open(request.actor));
  return [
    { method: 'GET', path: '/app/practice-store', handler: read },
    { method: 'POST', path: '/app/practice-store', handler: open },
  ];
}
