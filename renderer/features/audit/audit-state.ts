/**
 * features/audit shows who did what to which record, and whether that trail is whole. The app shell mounts it, for the
 * local server alone. Invariant: what the user reads does not move; entries are never changed from here.
 */
import { auditActions, type AuditEntry, type AuditFilter } from '../../../core/app/audit.ts';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { sinceOf, statusWords, toneOf } from '../../ui/log/log-facts.ts';
import type { LogForm, LogState } from '../../ui/log/use-log.ts';
import { text } from '../../ui/text.ts';
import type { Tone } from '../../ui/tone-dot.tsx';

/** The filter row; empty text asks nothing. */
export interface AuditForm extends LogForm {
  readonly action: string;
  readonly outcome: string;
  /** `true` leaves out what changed nothing. */
  readonly changes: string;
}

export const noFilter: AuditForm = { text: '', action: '', outcome: '', changes: '', period: '' };

export const outcomes = ['done', 'refused'] as const;

/** What the form asks of the server. */
export function filterOf({ form, chosenAt }: LogState<AuditForm, AuditEntry>): AuditFilter {
  const words = form.text.trim();
  const action = auditActions.find((one) => one === form.action);
  const outcome = outcomes.find((one) => one === form.outcome);
  return {
    ...(words !== '' && { text: words }),
    ...(action && { action }),
    ...(form.changes === 'true' && { changes: true }),
    ...(outcome && { outcome }),
    ...sinceOf(form.period, chosenAt),
  };
}

const recordAddress = /^(?:[^?]*\/)?([A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/?]+)?$/;

/** The record that an entry is about, where it is about one. */
export function recordOf({ what }: AuditEntry): { type: ResourceType; id: string } | undefined {
  const [, type = '', id = ''] = recordAddress.exec(what) ?? [];
  return isResourceType(type) ? { type, id } : undefined;
}

/** How an entry ended: by its status, or by the command line, which has none. */
export function outcomeOf({ status }: AuditEntry): { readonly tone: Tone; readonly label: string } {
  if (status === 0) return { tone: 'good', label: text.audit.byCommand };
  return { tone: toneOf(status), label: statusWords(status) };
}
