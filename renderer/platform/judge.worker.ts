import { FindingKeys } from '../../core/fhir/finding-keys.ts';
import { followFindings } from '../../core/fhir/follow-findings.ts';
import { judgeRead, readToJudge, type FoundElsewhere, type Judgement } from '../../core/fhir/judgement.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { elementLines } from '../../core/json/element-lines.ts';
import { lineChanges, type LineChange } from '../../core/json/line-changes.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { tryScan } from '../../core/json/scan.ts';
import type { Ticketed } from './latest-worker.ts';

export interface JudgeQuestion {
  readonly text: string;
  /** The text that the steward began with; absent where it is that of the question before. */
  readonly base?: string;
  readonly type: ResourceType;
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
  /** What checks of one's own found, and the text in which they found it; absent where it is that of the question before. */
  readonly found: readonly FoundElsewhere[];
  readonly foundIn?: string;
}

export interface JudgeAnswer extends Judgement, Ticketed {
  /** The lines that differ from the base. */
  readonly changes: readonly LineChange[];
}

/** A text that several questions are about, read once. */
class KnownText {
  text = '';
  root: JsonNode | undefined;

  learn(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.root = tryScan(text).root;
  }
}

const known = new KnownText();
const foundText = new KnownText();
const findingKeys = new FindingKeys();

self.addEventListener('message', ({ data }: MessageEvent<JudgeQuestion & Ticketed>) => {
  const { ticket, text, base, type, today, found, foundIn } = data;
  if (base !== undefined) known.learn(base);
  if (foundIn !== undefined) foundText.learn(foundIn);
  const read = readToJudge(text);
  const judgement = judgeRead(read, type, today, foundHere(found, text, read.root));
  const keys = findingKeys.name(read.root, judgement.issues);
  const issues = judgement.issues.map((issue, index) => ({ ...issue, key: keys[index] ?? '' }));
  const changes = changedLines(text, read.root);
  self.postMessage({ ticket, ...judgement, issues, changes } satisfies JudgeAnswer);
});

/** What was found in an earlier text stands at the same elements until it was looked for anew. */
function foundHere(
  found: readonly FoundElsewhere[],
  text: string,
  root: JsonNode | undefined,
): readonly FoundElsewhere[] {
  const before = foundText.root;
  return found.length > 0 && root && before && foundText.text !== text
    ? followFindings(found, before, root)
    : found;
}

function changedLines(text: string, root: JsonNode | undefined): LineChange[] {
  return root && known.root
    ? elementLines({ text: known.text, root: known.root }, { text, root })
    : lineChanges(known.text, text);
}
