import { expressionAt } from '../fhir/expression.ts';
import { followFindings } from '../fhir/follow-findings.ts';
import type { Issue } from '../fhir/text-validation.ts';
import { parsePointer } from '../json/pointer.ts';
import { headOf, resolveNearest } from '../json/nearest-element.ts';
import { tryScan } from '../json/scan.ts';
import { defineMessages, type Message } from '../text/message.ts';
import type { ProfileFindings } from './profiles.ts';

/** Something that profiles ask and that can't be checked here. It neither passes nor fails. */
export interface OpenIssue extends Message {
  readonly profile: string;
  readonly expression: string;
  readonly pointer: string;
  readonly needs: string;
}

export interface ProfileIssues {
  readonly found: readonly Issue[];
  readonly open: readonly OpenIssue[];
}

/** Where nothing is judged by a profile. */
export const noProfileIssues: ProfileIssues = { found: [], open: [] };

/** Sentence for a profile that is claimed or requested and not installed. */
export const profileMessages = defineMessages('profile', {
  absent: 'The profile is not installed, so this {type} was not checked against it.',
});

/**
 * What profiles say of a text: findings at the characters of their elements, and what is undecided or not at hand. What was
 * found in another text, `foundIn`, stands at the same elements.
 */
export function profileIssuesOf(
  type: string,
  text: string,
  { findings, undecided, absent }: ProfileFindings,
  foundIn = text,
): ProfileIssues {
  const open = [
    ...absent.map((profile) => ({
      ...profileMessages.absent({ type }),
      profile,
      needs: profile,
      expression: `${type}.meta.profile`,
      pointer: '/meta/profile',
    })),
    ...undecided,
  ];
  if (findings.length === 0) return { found: [], open };
  const { root } = tryScan(text);
  if (!root) return { found: [], open };
  const before = foundIn === text ? undefined : tryScan(foundIn).root;
  const here = before ? followFindings(findings, before, root) : findings;
  const found = here.map((one) => {
    const tokens = parsePointer(one.pointer) ?? [];
    return { ...one, expression: expressionAt(type, tokens), ...headOf(resolveNearest(root, tokens)) };
  });
  return { found, open };
}
