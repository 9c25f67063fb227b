import { expressionAt } from '../fhir/validation/finding.ts';
import { relocateFindings } from '../fhir/follow-findings.ts';
import type { Issue } from '../fhir/text-validation.ts';
import { parsePointer } from '../json/pointer.ts';
import { headOf, resolveNearest } from '../json/nearest-element.ts';
import { tryScan } from '../json/scan.ts';
import { defineMessages, type Message } from '../text/message.ts';
import type { ProfileFindings } from './profiles.ts';

/** Requirement of a profile that cannot be checked here. It neither passes nor fails. */
export interface OpenIssue extends Message {
  readonly profile: string;
  readonly expression: string;
  readonly pointer: string;
  readonly needs: string;
}

export interface ProfileIssues {
  readonly issues: readonly Issue[];
  readonly open: readonly OpenIssue[];
}

/** Result without profiles. */
export const noProfileIssues: ProfileIssues = { issues: [], open: [] };

/** Message for a claimed or requested profile that is not installed. */
export const profileMessages = defineMessages('profile', {
  absent: 'The profile is not installed, so this {type} was not checked against it.',
});

/**
 * Returns the profile findings at their elements in a text, and the undecided requirements.
 *
 * @param validatedText - Text of the findings. Findings follow their elements from it into `text`.
 */
export function profileIssuesOf(
  type: string,
  text: string,
  { findings, undecided: undecidedRules, absent: missingProfiles }: ProfileFindings,
  validatedText = text,
): ProfileIssues {
  const open = [
    ...missingProfiles.map((profile) => ({
      ...profileMessages.absent({ type }),
      profile,
      needs: profile,
      expression: `${type}.meta.profile`,
      pointer: '/meta/profile',
    })),
    ...undecidedRules,
  ];
  if (findings.length === 0) return { issues: [], open };
  const { root } = tryScan(text);
  if (!root) return { issues: [], open };
  const validatedRoot = validatedText === text ? undefined : tryScan(validatedText).root;
  const currentFindings = validatedRoot ? relocateFindings(findings, validatedRoot, root) : findings;
  const issues = currentFindings.map((finding) => {
    const tokens = parsePointer(finding.pointer) ?? [];
    return { ...finding, expression: expressionAt(type, tokens), ...headOf(resolveNearest(root, tokens)) };
  });
  return { issues, open };
}
