import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { issueOfFinding } from '../../core/fhir/validation/finding.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { tryScan } from '../../core/json/scan.ts';

export interface RulesQuestion {
  readonly ticket: number;
  readonly type: ResourceType;
  readonly texts: readonly string[];
  readonly today: string;
}

export interface RulesAnswer {
  readonly ticket: number;
  /** What is wrong with each of the texts. */
  readonly findings: readonly (readonly OutcomeIssue[])[];
}

self.addEventListener('message', ({ data }: MessageEvent<RulesQuestion>) => {
  const answer: RulesAnswer = { ticket: data.ticket, findings: data.texts.map((text) => judged(text, data)) };
  self.postMessage(answer);
});

function judged(text: string, { type, today }: RulesQuestion): readonly OutcomeIssue[] {
  const { root, faults } = tryScan(text);
  if (!root) {
    return faults.map(({ message }) => ({
      severity: 'error',
      code: 'structure',
      details: { text: message },
    }));
  }
  if (root.kind !== 'object') return [];
  return validate(root, type, { today }).map(issueOfFinding);
}
