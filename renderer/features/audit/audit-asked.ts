import type { RecordName } from '../../platform/workbench-actions.ts';
import { createStore } from '../../ui/store.ts';

/** The record whose entries are to be shown next; the Audit view takes it up as its filter. */
export const auditAsked = createStore<RecordName | undefined>(undefined);
