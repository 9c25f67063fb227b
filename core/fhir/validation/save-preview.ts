import { member } from '../../json/node.ts';
import { objectIn } from '../../json/scan.ts';
import { detailsOf, type OutcomeIssue } from '../outcome.ts';
import type { ResourceType } from '../resource.ts';

/** Issues that a save would meet, as `$validate` returns them. */
export interface SavePreview {
  readonly rejected: readonly OutcomeIssue[];
  /** Errors that do not prevent the save: the previous version has them too, or the level tolerates them. */
  readonly tolerated: readonly OutcomeIssue[];
  readonly warnings: readonly OutcomeIssue[];
}

/**
 * Splits the issues of `$validate` by the errors for which the server would reject the text.
 *
 * `$validate` truncates long lists, so the rejected issues may be missing in `issues`.
 */
export function previewSave(issues: readonly OutcomeIssue[], rejected: readonly OutcomeIssue[]): SavePreview {
  const rejectedKeys = new Set(rejected.map(toIdentity));
  return {
    rejected,
    tolerated: issues.filter(
      (issue) =>
        (issue.severity === 'error' || issue.severity === 'fatal') && !rejectedKeys.has(toIdentity(issue)),
    ),
    warnings: issues.filter(({ severity }) => severity === 'warning'),
  };
}

/** Message for a body with another id than the address (row 26). */
export const otherIdText = 'The id in the body differs from the id in the address.';

/** Returns the issue of a text with another id than `id`; undefined if the id is equal or absent. */
export function otherIdIssue(type: ResourceType, id: string, text: string): OutcomeIssue | undefined {
  const bodyId = member(objectIn(text), 'id');
  if (!bodyId || (bodyId.kind === 'string' && bodyId.value === id)) return undefined;
  // The server uses the same message code (server/fhir/faults.ts).
  const details = detailsOf({ messageCode: 'record.otherId', text: otherIdText });
  return { severity: 'error', code: 'value', details, expression: [`${type}.id`] };
}

function toIdentity({ diagnostics, expression = [] }: OutcomeIssue): string {
  return JSON.stringify([diagnostics, ...expression]);
}
