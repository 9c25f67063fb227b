import { member } from '../../json/node.ts';
import { objectIn } from '../../json/scan.ts';
import type { OutcomeIssue } from '../outcome.ts';
import type { ResourceType } from '../resource.ts';

/** What a save of a text would meet: issues as `$validate` answers them. */
export interface Verdict {
  /** Errors for which the save would be refused. */
  readonly refused: readonly OutcomeIssue[];
  /** Errors that do not refuse it: the version before has them too, or the level tolerates them. */
  readonly tolerated: readonly OutcomeIssue[];
  readonly warnings: readonly OutcomeIssue[];
}

/**
 * Sorts the issues that `$validate` finds in a text by the errors for which the server would refuse it. `$validate`
 * answers a part of very many issues, so that the refused ones need not be among them.
 */
export function verdictOf(issues: readonly OutcomeIssue[], refused: readonly OutcomeIssue[]): Verdict {
  const known = new Set(refused.map(identityOf));
  return {
    refused,
    tolerated: issues.filter(
      (issue) => (issue.severity === 'error' || issue.severity === 'fatal') && !known.has(identityOf(issue)),
    ),
    warnings: issues.filter(({ severity }) => severity === 'warning'),
  };
}

/** The sentence for a body that names another record than the address does (row 26). */
export const otherIdText = 'The id in the body differs from the id in the address.';

/** Returns the issue with which a server rejects a text of another id than `id`; undefined where it has the same or none. */
export function otherIdIssue(type: ResourceType, id: string, text: string): OutcomeIssue | undefined {
  const written = member(objectIn(text), 'id');
  if (!written || (written.kind === 'string' && written.value === id)) return undefined;
  return { severity: 'error', code: 'value', details: { text: otherIdText }, expression: [`${type}.id`] };
}

function identityOf({ diagnostics, expression = [] }: OutcomeIssue): string {
  return JSON.stringify([diagnostics, ...expression]);
}
