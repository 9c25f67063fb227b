/**
 * features/audit lists the actions of users and tokens, and verifies the audit log. The app shell mounts it only for the
 * local server. Invariant: visible entries never move, and the view never changes entries.
 */
import { auditActions, type AuditEntry, type AuditFilter } from '../../../core/app/audit.ts';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { sinceOf, formatStatus, toneOf } from '../../ui/log/log-facts.ts';
import type { LogForm, LogState } from '../../ui/log/use-log.ts';
import { text } from '../../ui/text.ts';
import type { Tone } from '../../ui/tone-dot.tsx';

/** Filter row. An empty text is no filter. */
export interface AuditForm extends LogForm {
  readonly action: string;
  readonly outcome: string;
  /** `true` excludes entries that changed nothing. */
  readonly changes: string;
}

export const noFilter: AuditForm = { text: '', action: '', outcome: '', changes: '', period: '' };

export const outcomes = ['done', 'refused'] as const;

/** Converts the form to a filter for the server. */
export function filterOf({ form, selectedAt }: LogState<AuditForm, AuditEntry>): AuditFilter {
  const words = form.text.trim();
  const action = auditActions.find((candidate) => candidate === form.action);
  const outcome = outcomes.find((candidate) => candidate === form.outcome);
  return {
    ...(words !== '' && { text: words }),
    ...(action && { action }),
    ...(form.changes === 'true' && { changes: true }),
    ...(outcome && { outcome }),
    ...sinceOf(form.period, selectedAt),
  };
}

const recordAddress = /^(?:[^?]*\/)?([A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/?]+)?$/;

/** Returns the record of an entry, if it is about one. */
export function recordOf({ what: target }: AuditEntry): { type: ResourceType; id: string } | undefined {
  const [, type = '', id = ''] = recordAddress.exec(target) ?? [];
  return isResourceType(type) ? { type, id } : undefined;
}

/** Returns the outcome of an entry by its status. Commands have no status. */
export function outcomeOf({ status }: AuditEntry): { readonly tone: Tone; readonly label: string } {
  if (status === 0) return { tone: 'good', label: text.audit.byCommand };
  return { tone: toneOf(status), label: formatStatus(status) };
}
