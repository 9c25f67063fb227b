import { detailsOf, type OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { issueOfFinding, type Finding } from '../../core/fhir/validation/finding.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import {
  validate,
  rejectedFindings,
  listRejections,
  VersionPair,
} from '../../core/fhir/validation/validate.ts';
import { objectIn, tryScan } from '../../core/json/scan.ts';

export interface Save {
  readonly text: string;
  /** Text of the current version; undefined for a new record. */
  readonly base?: string | undefined;
  readonly level: ValidationLevel;
}

export interface RulesQuestion {
  readonly ticket: number;
  readonly type: ResourceType;
  readonly today: string;
  /** Texts to validate, or saves whose rejected issues are returned. */
  readonly inputs: readonly (string | Save)[];
}

export interface RulesAnswer {
  readonly ticket: number;
  /** Issues of each text or save. */
  readonly findings: readonly (readonly OutcomeIssue[])[];
}

self.addEventListener('message', ({ data }: MessageEvent<RulesQuestion>) => {
  const findings = data.inputs.map((input) =>
    typeof input === 'string' ? validateText(input, data) : listRejected(input, data).map(issueOfFinding),
  );
  const answer: RulesAnswer = { ticket: data.ticket, findings };
  self.postMessage(answer);
});

function validateText(text: string, { type, today }: RulesQuestion): readonly OutcomeIssue[] {
  const { root, problems } = tryScan(text);
  if (!root) {
    return problems.map((fault) => ({
      severity: 'error',
      code: 'structure',
      details: detailsOf(fault),
    }));
  }
  if (root.kind !== 'object') return [];
  return validate(root, type, { today }).map(issueOfFinding);
}

/** The server rejects a text that is not an object anyway. */
function listRejected({ text, base, level }: Save, { type, today }: RulesQuestion): readonly Finding[] {
  const [after, before] = [objectIn(text), base === undefined ? undefined : objectIn(base)];
  if (!after) return [];
  const findings = validate(after, type, { today });
  if (!before) return listRejections(findings, level);
  return rejectedFindings({ type, versions: new VersionPair(before, after), findings, level, today });
}
