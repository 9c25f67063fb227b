import type { Issue } from '../../../core/fhir/judgement.ts';
import { revealPointer, revealSpan } from '../../platform/reveal-pointer.ts';

/** Goes to what an issue is about, in the JSON; where no element is, to the place where the text stops to be JSON. */
export function revealIssue(modelPath: string, issue: Issue): void {
  if (issue.pointer === undefined) revealSpan(modelPath, issue);
  else revealPointer(modelPath, issue.pointer);
}
