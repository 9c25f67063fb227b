import { ownerName } from '../../core/app/tokens.ts';
import type { NewAuditEntry } from '../store/audit-rows.ts';
import type { MoveState } from './state.ts';

/** What the trail says of a move: where the chains ended that came with it, and from where. */
export function entryOf({ from, compared }: MoveState): NewAuditEntry {
  const ends = compared?.ends ?? '';
  return {
    ...{ time: Date.now(), who: ownerName, action: 'move', status: 0, requestId: '' },
    what: ends === '' ? `from ${from}` : `${ends} from ${from}`,
  };
}
