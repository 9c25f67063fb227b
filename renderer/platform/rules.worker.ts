import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { formatPointer, locate } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import type { JudgedFinding, RulesAnswer, RulesQuestion } from './rules-messages.ts';

self.addEventListener('message', ({ data }: MessageEvent<RulesQuestion>) => {
  const answer: RulesAnswer = { ticket: data.ticket, findings: data.texts.map((text) => judged(text, data)) };
  self.postMessage(answer);
});

function judged(text: string, { type, today }: RulesQuestion): readonly JudgedFinding[] {
  const { root } = scan(text);
  if (root.kind !== 'object') return [];
  return validate(root, type, { today }).map((finding) => {
    const { rule, severity, category, tokens, code, diagnostics, expression } = finding;
    const issue: OutcomeIssue = {
      severity,
      code,
      details: { text: finding.text },
      diagnostics,
      expression: [expression],
    };
    const excerpt = tokens.length === 0 ? '' : excerptOf(locate(root, tokens));
    return {
      rule,
      severity,
      category,
      message: finding.text,
      pointer: formatPointer(tokens),
      excerpt,
      issue,
    };
  });
}
