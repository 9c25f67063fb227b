import type { RecordName } from '../../platform/workbench-actions.ts';
import { createStore } from '../../ui/store.ts';

/** Record whose entries are shown next. The Audit view consumes it as its filter. */
export const initialAuditFilter = createStore<RecordName | undefined>(undefined);
