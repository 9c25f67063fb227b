import type * as Monaco from 'monaco-editor/editor/editor.api';
import type { Issue } from '../../core/fhir/judgement.ts';
import type { LineChange } from '../../core/json/line-changes.ts';
import { text as words } from '../ui/text.ts';
import { loadedMonaco, modelAt } from './monaco-loader.ts';
import { plainMarkdown, rangeOf } from './monaco-model.ts';

type Model = Monaco.editor.ITextModel;
type Decoration = Monaco.editor.IModelDeltaDecoration;

/** CSS class names of the marks; they must be global, for Monaco puts them on elements of its own. */
export interface MarkClasses {
  readonly sentence: Readonly<Record<Issue['severity'], string>>;
  readonly glyph: Readonly<Record<Issue['severity'], string>>;
  readonly change: Readonly<Record<LineChange['kind'], string>>;
}

export interface Marks {
  /** The text that the marks belong to. */
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly changes: readonly LineChange[];
}

const owner = 'chartkeeper';
const longestSentence = 140;
/** Names of the decorations that stand in a model, which takes them with it when it is disposed. */
const standing = new WeakMap<Model, string[]>();

/** The issues that are marked in a model. */
const marked = new WeakMap<Model, readonly Issue[]>();

/** The issues of a model's text; those of the text before where it was not judged yet. */
export function issuesIn(model: Model): readonly Issue[] {
  return marked.get(model) ?? [];
}

/** Who waits for the first judgement of a model's text. */
const waiting = new WeakMap<Model, (() => void)[]>();

/** Resolves once a model's text was judged. */
export function whenMarked(model: Model): Promise<void> {
  if (marked.has(model)) return Promise.resolve();
  return new Promise((resolve) => waiting.set(model, [...(waiting.get(model) ?? []), resolve]));
}

/** Shows issues and changed lines in a model; does nothing where its text is not the one that was judged. */
export function showMarks(path: string, { text, issues, changes }: Marks, classes: MarkClasses): void {
  const monaco = loadedMonaco();
  const model = modelAt(path);
  if (!monaco || model?.getValue() !== text) return;
  marked.set(model, issues);
  for (const tell of waiting.get(model) ?? []) tell();
  waiting.delete(model);
  monaco.editor.setModelMarkers(
    model,
    owner,
    issues.map((issue) => ({
      ...rangeOf(model, issue),
      severity: monaco.MarkerSeverity[issue.severity === 'error' ? 'Error' : 'Warning'],
      message: issue.text,
      code: issue.rule,
      source: issue.category,
    })),
  );
  const decorations = [
    ...[...byLine(issues, (issue) => model.getPositionAt(issue.start).lineNumber)].map(([line, found]) =>
      sentenceAt(found, line, model.getLineMaxColumn(line), classes),
    ),
    ...changes.map((change) => changeAt(change, model.getLineCount(), classes)),
  ];
  standing.set(model, model.deltaDecorations(standing.get(model) ?? [], decorations));
}

/** The issues of each line, errors first. */
function byLine(
  issues: readonly Issue[],
  lineOf: (issue: Issue) => number,
): ReadonlyMap<number, readonly Issue[]> {
  const gravest = issues.toSorted((one, other) => rank[one.severity] - rank[other.severity]);
  return Map.groupBy(gravest, lineOf);
}

const rank: Readonly<Record<Issue['severity'], number>> = { error: 0, warning: 1 };

/** The first sentence stands behind the line, and all of them where the pointer rests on it or on its mark. */
function sentenceAt(
  issues: readonly Issue[],
  line: number,
  column: number,
  classes: MarkClasses,
): Decoration {
  const [{ text, severity } = { text: '', severity: 'warning' as const }] = issues;
  const clipped = text.length > longestSentence ? `${text.slice(0, longestSentence)}…` : text;
  const content = issues.length > 1 ? `${clipped} ${words.issues.furtherOnLine(issues.length - 1)}` : clipped;
  return {
    range: { startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column },
    options: {
      showIfCollapsed: true,
      glyphMarginClassName: classes.glyph[severity],
      glyphMarginHoverMessage: issues.map(({ text: sentence }) => ({ value: plainMarkdown(sentence) })),
      // The spaces keep the sentence off the text; a margin would be lost in Monaco's own measuring.
      after: { content: `\u00a0\u00a0\u00a0\u00a0${content}`, inlineClassName: classes.sentence[severity] },
    },
  };
}

function changeAt({ kind, line, count }: LineChange, lines: number, classes: MarkClasses): Decoration {
  const first = Math.min(line, lines);
  const last = Math.min(lines, count === 0 ? first : first + count - 1);
  return {
    range: { startLineNumber: first, startColumn: 1, endLineNumber: last, endColumn: 1 },
    options: { isWholeLine: true, linesDecorationsClassName: classes.change[kind] },
  };
}
