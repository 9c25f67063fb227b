import { FindingKeys } from '../../core/fhir/finding-keys.ts';
import { relocateFindings } from '../../core/fhir/follow-findings.ts';
import {
  validateParsed,
  parseForValidation,
  type ExternalFinding,
  type TextValidation,
} from '../../core/fhir/text-validation.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { elementLines } from '../../core/json/element-lines.ts';
import { lineChanges, type LineChange } from '../../core/json/line-changes.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { tryScan } from '../../core/json/scan.ts';
import type { Ticketed } from './latest-worker.ts';

export interface JudgeQuestion {
  readonly text: string;
  /** Text that the user began with; undefined if it is the same as in the previous question. */
  readonly base?: string;
  readonly type: ResourceType;
  /** Date (YYYY-MM-DD) that determines which items are overdue. */
  readonly today: string;
  /** Issues of custom checks and the text that they belong to; the text is undefined if unchanged. */
  readonly customIssues: readonly ExternalFinding[];
  readonly customIssuesText?: string;
}

export interface JudgeAnswer extends TextValidation, Ticketed {
  /** Lines that differ from the base. */
  readonly changes: readonly LineChange[];
}

/** A text of several questions, parsed once. */
class ParsedText {
  text = '';
  root: JsonNode | undefined;

  parse(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.root = tryScan(text).root;
  }
}

const baseText = new ParsedText();
const issuesText = new ParsedText();
const findingKeys = new FindingKeys();

self.addEventListener('message', ({ data }: MessageEvent<JudgeQuestion & Ticketed>) => {
  const { ticket, text, base, type, today, customIssues, customIssuesText } = data;
  if (base !== undefined) baseText.parse(base);
  if (customIssuesText !== undefined) issuesText.parse(customIssuesText);
  const parsed = parseForValidation(text);
  const validation = validateParsed(parsed, type, today, followCustomIssues(customIssues, text, parsed.root));
  const keys = findingKeys.name(parsed.root, validation.issues);
  const issues = validation.issues.map((issue, index) => ({ ...issue, key: keys[index] ?? '' }));
  const changes = changedLines(text, parsed.root);
  self.postMessage({ ticket, ...validation, issues, changes } satisfies JudgeAnswer);
});

/** Moves issues of an earlier text to their elements, until the checks have run again. */
function followCustomIssues(
  customIssues: readonly ExternalFinding[],
  text: string,
  root: JsonNode | undefined,
): readonly ExternalFinding[] {
  const previousRoot = issuesText.root;
  return customIssues.length > 0 && root && previousRoot && issuesText.text !== text
    ? relocateFindings(customIssues, previousRoot, root)
    : customIssues;
}

function changedLines(text: string, root: JsonNode | undefined): LineChange[] {
  return root && baseText.root
    ? elementLines({ text: baseText.text, root: baseText.root }, { text, root })
    : lineChanges(baseText.text, text);
}
