import {
  invariant,
  reportIf,
  type PlainObject,
  type ReportFinding,
  type Rule,
} from '../../types/definition/rule.ts';
import { markupOf, type Markup } from './xhtml.ts';

function markupIn({ div }: PlainObject): Markup | undefined {
  return typeof div === 'string' ? markupOf(div) : undefined;
}

/** Rules of the narrative (FHIR R4 narrative.html). */
export const narrativeRules = [
  {
    id: 'txt-1',
    ...invariant,
    text: 'The narrative is not valid FHIR XHTML.',
    appliesTo: ['Narrative'],
    check: (narrative: PlainObject, report: ReportFinding) => {
      const markup = markupIn(narrative);
      if (markup?.fault !== undefined) report(['div'], `${markup.fault}, at character ${markup.offset ?? 0}`);
    },
  },
  {
    id: 'txt-2',
    severity: 'error',
    category: 'completeness',
    code: 'invariant',
    text: 'The narrative is empty. Write it or remove it.',
    appliesTo: ['Narrative'],
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
    text: 'The narrative lacks the XHTML namespace. Add xmlns to its outer div.',
    appliesTo: ['Narrative'],
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
    text: 'The narrative was generated before the last change. Regenerate it.',
  },
] as const satisfies readonly Rule[];
