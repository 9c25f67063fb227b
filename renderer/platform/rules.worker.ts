import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { issueOfFinding, type Finding } from '../../core/fhir/validation/finding.ts';
import { refusals, type ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { rejectedFindings } from '../../core/fhir/validation/save-gate.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { VersionPair } from '../../core/fhir/validation/version-pair.ts';
import { objectIn, tryScan } from '../../core/json/scan.ts';

/** A text that is to be saved. */
export interface Save {
  readonly text: string;
  /** The text of the current version; absent for a new record. */
  readonly base?: string | undefined;
  /** The level of the server that stores it. */
  readonly level: ValidationLevel;
}

export interface RulesQuestion {
  readonly ticket: number;
  readonly type: ResourceType;
  readonly today: string;
  /** Texts of which all issues are wanted, or saves of which the rejected issues are. */
  readonly asked: readonly (string | Save)[];
}

export interface RulesAnswer {
  readonly ticket: number;
  /** The issues of each text or save. */
  readonly findings: readonly (readonly OutcomeIssue[])[];
}

self.addEventListener('message', ({ data }: MessageEvent<RulesQuestion>) => {
  const findings = data.asked.map((one) =>
    typeof one === 'string' ? judged(one, data) : rejected(one, data).map(issueOfFinding),
  );
  const answer: RulesAnswer = { ticket: data.ticket, findings };
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

/** A text that is no object is refused by the server for that reason. */
function rejected({ text, base, level }: Save, { type, today }: RulesQuestion): readonly Finding[] {
  const [after, before] = [objectIn(text), base === undefined ? undefined : objectIn(base)];
  if (!after) return [];
  const findings = validate(after, type, { today });
  if (!before) return refusals(findings, level);
  return rejectedFindings({ type, versions: new VersionPair(before, after), findings, level, today });
}
