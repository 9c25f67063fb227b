import { expressionAt } from '../fhir/expression.ts';
import { followFindings } from '../fhir/follow-findings.ts';
import type { Issue } from '../fhir/judgement.ts';
import { parsePointer } from '../json/pointer.ts';
import { headOf, reach } from '../json/reach.ts';
import { tryScan } from '../json/scan.ts';
import type { ProfileFindings, UndecidedDemand } from './profiles.ts';

/** What a profile asks of an element, and what cannot be decided here. It is neither passed nor broken. */
export interface OpenIssue extends Omit<UndecidedDemand, 'element'> {
  readonly text: string;
}

export interface ProfileIssues {
  readonly found: readonly Issue[];
  readonly open: readonly OpenIssue[];
}

/** Where nothing is judged by a profile. */
export const noProfileIssues: ProfileIssues = { found: [], open: [] };

/** What an undecided demand says. */
export function undecidedText({ element, needs }: Pick<UndecidedDemand, 'element' | 'needs'>): string {
  return `Not decidable here: ${element} needs ${needs}.`;
}

/** What is said where a profile that records of a type claim, or are to be judged by, is not at hand. */
export function absentText(type: string): string {
  return `No profile of this address on a ${type} is at hand: nothing was judged by it.`;
}

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
      ...{ text: absentText(type), profile, needs: profile },
      ...{ expression: `${type}.meta.profile`, pointer: '/meta/profile' },
    })),
    ...undecided.map((one) => ({ ...one, text: undecidedText(one) })),
  ];
  if (findings.length === 0) return { found: [], open };
  const { root } = tryScan(text);
  if (!root) return { found: [], open };
  const before = foundIn === text ? undefined : tryScan(foundIn).root;
  const here = before ? followFindings(findings, before, root) : findings;
  const found = here.map((one) => {
    const tokens = parsePointer(one.pointer) ?? [];
    return { ...one, expression: expressionAt(type, tokens), ...headOf(reach(root, tokens)) };
  });
  return { found, open };
}
