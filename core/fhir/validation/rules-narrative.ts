import { invariant, reportIf, type Members, type Report, type Rule } from '../../types/definition/rule.ts';
import { markupOf, type Markup } from './xhtml.ts';

function markupIn({ div }: Members): Markup | undefined {
  return typeof div === 'string' ? markupOf(div) : undefined;
}

/** Rules of the human-readable text (FHIR R4 narrative.html). */
export const narrativeRules = [
  {
    id: 'txt-1',
    ...invariant,
    text: 'The narrative is not well-formed XHTML of the elements and attributes that FHIR allows; correct it.',
    on: ['Narrative'],
    check: (narrative: Members, report: Report) => {
      const markup = markupIn(narrative);
      if (markup?.fault !== undefined) report(['div'], `${markup.fault}, at character ${markup.at ?? 0}`);
    },
  },
  {
    id: 'txt-2',
    severity: 'error',
    category: 'completeness',
    code: 'invariant',
    text: 'The narrative shows nothing; write what a reader needs to know, or remove it.',
    on: ['Narrative'],
    check: reportIf((narrative) => {
      const markup = markupIn(narrative);
      return markup?.fault === undefined && markup?.hasContent === false;
    }, 'div'),
  },
  {
    id: 'narrative-namespace',
    severity: 'warning',
    category: 'conformance',
    code: 'business-rule',
    text: 'The narrative does not declare the XHTML namespace; add xmlns to its first div.',
    on: ['Narrative'],
    check: reportIf((narrative) => {
      const markup = markupIn(narrative);
      return markup?.fault === undefined && markup?.hasNamespace === false;
    }, 'div'),
  },
  {
    id: 'narrative-stale',
    severity: 'warning',
    category: 'plausibility',
    code: 'business-rule',
    text: 'The generated narrative is older than the last change of the content; write it anew.',
  },
] as const satisfies readonly Rule[];
