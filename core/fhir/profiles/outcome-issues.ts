import { JsonSyntaxError } from '../../json/fault.ts';
import { parsePointer } from '../../json/pointer.ts';
import { headOf, reach } from '../../json/reach.ts';
import { scan } from '../../json/scan.ts';
import { pointerAt } from '../expression.ts';
import type { Issue } from '../judgement.ts';
import type { OutcomeIssue } from '../outcome.ts';

/** What a profile asks of an element, and what cannot be decided here. It is neither passed nor broken. */
export interface OpenIssue {
  readonly text: string;
  /** FHIRPath of the element. */
  readonly expression: string;
  readonly pointer?: string;
  /** Canonical of the profile. */
  readonly profile: string;
  /** What is missing: the canonical of a code system, say. */
  readonly needs: string;
}

export interface ProfileIssues {
  readonly found: readonly Issue[];
  readonly open: readonly OpenIssue[];
}

/** Where nothing is judged by a profile. */
export const noProfileIssues: ProfileIssues = { found: [], open: [] };

/**
 * What profiles say of a text, out of the answer of `$validate` (row 85): findings at the characters of their elements, and
 * what is undecided, or claimed and not at hand. The rules of R4 are left out: whoever asks has judged by them.
 */
export function profileIssuesOf(text: string, outcome: readonly OutcomeIssue[]): ProfileIssues {
  const open = outcome.flatMap(openOf);
  const told = outcome.filter(({ diagnostics = '' }) => diagnostics.startsWith('profile/'));
  if (told.length === 0) return { found: [], open };
  const root = rootOf(text);
  return { found: root ? told.map((issue) => foundOf(issue, root)) : [], open };
}

function rootOf(text: string) {
  try {
    return scan(text).root;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function foundOf(issue: OutcomeIssue, root: ReturnType<typeof scan>['root']): Issue {
  const { severity, code, details, diagnostics = '', expression: [expression = ''] = [] } = issue;
  const at = diagnostics.indexOf(': ');
  const [rule, profile] = [diagnostics.slice(0, at), diagnostics.slice(at + 2)];
  const pointer = pointerAt(expression) ?? '';
  const { start, end } = headOf(reach(root, parsePointer(pointer) ?? []));
  return {
    ...{ rule, profile, expression, pointer, start, end },
    severity: severity === 'error' ? 'error' : 'warning',
    category: code === 'required' ? 'completeness' : 'conformance',
    text: details?.text ?? rule,
  };
}

function openOf(issue: OutcomeIssue): OpenIssue[] {
  const { code, details, diagnostics: profile = '', expression: [expression = ''] = [] } = issue;
  if (code !== 'incomplete' && code !== 'not-found') return [];
  const text = details?.text ?? '';
  const pointer = pointerAt(expression);
  const needs = code === 'not-found' ? profile : (/ needs (.*)\.$/.exec(text)?.[1] ?? profile);
  return [{ text, expression, profile, needs, ...(pointer !== undefined && { pointer }) }];
}
