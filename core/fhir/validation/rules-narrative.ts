import { invariant, reportIf, type Members, type Report, type Rule } from '../../types/definition/rule.ts';
import { readMarkup, type Markup } from './xhtml.ts';

/** Three rules ask for the same narrative, one after the other. */
let last: { readonly div: string; readonly markup: Markup } | undefined;

function markupOf({ div }: Members): Markup | undefined {
  if (typeof div !== 'string') return undefined;
  if (last?.div !== div) last = { div, markup: readMarkup(div) };
  return last.markup;
}

/** Rules of the human-readable text (FHIR R4 narrative.html). */
export const narrativeRules = [
  {
    id: 'txt-1',
    ...invariant,
    text: 'The narrative is not well-formed XHTML of the elements and attributes that FHIR allows; correct it.',
    on: ['Narrative'],
    check: (narrative: Members, report: Report) => {
      const markup = markupOf(narrative);
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
      const markup = markupOf(narrative);
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
      const markup = markupOf(narrative);
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
