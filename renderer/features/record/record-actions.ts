import { text } from '../../ui/text.ts';
import type { Phase } from './record-state.ts';

export type ActName = 'format' | 'reload' | 'discard' | 'patch' | 'history' | 'review';

/** Why an action on the record cannot be done now; absent where it can. */
type Refusals = Readonly<Partial<Record<ActName, string | undefined>>>;

/** What can be done with the record now. */
export interface RecordActions {
  readonly refused: Refusals;
  /** Does it, where it is not refused meanwhile. */
  readonly run: (name: ActName) => void;
}

interface Standing {
  readonly hasText: boolean;
  /** Whether no server holds it yet. */
  readonly unstored: boolean;
  /** Names a server that nothing is sent to. */
  readonly readOnly?: string | undefined;
}

/** Why each action is refused. */
export function refusals(phase: Phase, { hasText, unstored, readOnly }: Standing): Refusals {
  if (unstored) {
    const why = text.record.refusal.unstored;
    return { ...inPhase(phase, hasText), reload: why, patch: why, history: why };
  }
  if (readOnly === undefined) return inPhase(phase, hasText);
  const why = text.record.refusal.readOnly(readOnly);
  return { ...inPhase(phase, hasText), format: why, patch: why, review: why };
}

function inPhase(phase: Phase, hasText: boolean): Refusals {
  const { refusal } = text.record;
  if (phase.name === 'loading') return { ...unread(refusal.loading), reload: refusal.loading };
  if (!hasText || phase.name === 'unreadable') return unread(refusal.unread);
  switch (phase.name) {
    case 'clean':
    case 'saved':
      return { discard: refusal.clean, review: refusal.clean };
    case 'invalid': {
      const { line, column } = phase.fault;
      const why = refusal.invalid(line, column);
      return { format: why, patch: why, review: why };
    }
    case 'dirty':
      return {};
    case 'reviewing':
    case 'saving':
    case 'conflict':
    case 'failed':
    case 'unconfirmed':
      return { discard: refusal.review, patch: refusal.review };
  }
}

/** Without a text, all but to read it. */
function unread(why: string): Refusals {
  return { format: why, discard: why, patch: why, history: why, review: why };
}
