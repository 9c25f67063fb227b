import type * as Monaco from 'monaco-editor/editor/editor.api';
import type { Issue } from '../../core/fhir/text-validation.ts';
import type { LineChange } from '../../core/json/line-changes.ts';
import { text as words } from '../ui/text.ts';
import { loadedMonaco, modelAt } from './monaco-loader.ts';
import { plainMarkdown, rangeOf } from './monaco-model.ts';

type Model = Monaco.editor.ITextModel;
type Decoration = Monaco.editor.IModelDeltaDecoration;

/** CSS class names of the markers. They must be global, because Monaco sets them on its own elements. */
export interface MarkClasses {
  readonly sentence: Readonly<Record<Issue['severity'], string>>;
  readonly glyph: Readonly<Record<Issue['severity'], string>>;
  readonly change: Readonly<Record<LineChange['kind'], string>>;
}

export interface Markers {
  /** Text that the markers belong to. */
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly changes: readonly LineChange[];
}

const owner = 'chartkeeper';
const maxMessageLength = 140;
/** Ids of the decorations of a model. They are removed with the model. */
const decorationIds = new WeakMap<Model, string[]>();

/** Issues that are marked in a model. */
const issuesByModel = new WeakMap<Model, readonly Issue[]>();

/** Returns the issues of a model's text. Until the text is validated, they are the issues of the previous text. */
export function listModelIssues(model: Model): readonly Issue[] {
  return issuesByModel.get(model) ?? [];
}

/** Callbacks that wait for the first validation of a model's text. */
const waitersByModel = new WeakMap<Model, (() => void)[]>();

/** Resolves when the text of a model was validated. */
export function whenMarked(model: Model): Promise<void> {
  if (issuesByModel.has(model)) return Promise.resolve();
  return new Promise((resolve) => waitersByModel.set(model, [...(waitersByModel.get(model) ?? []), resolve]));
}

/** Marks issues and changed lines in a model. Does nothing if its text differs from the validated one. */
export function setMarkers(path: string, { text, issues, changes }: Markers, classes: MarkClasses): void {
  const monaco = loadedMonaco();
  const model = modelAt(path);
  if (!monaco || model?.getValue() !== text) return;
  issuesByModel.set(model, issues);
  for (const resolve of waitersByModel.get(model) ?? []) resolve();
  waitersByModel.delete(model);
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
    ...[...byLine(issues, (issue) => model.getPositionAt(issue.start).lineNumber)].map(([line, lineIssues]) =>
      sentenceAt(lineIssues, line, model.getLineMaxColumn(line), classes),
    ),
    ...changes.map((change) => changeAt(change, model.getLineCount(), classes)),
  ];
  decorationIds.set(model, model.deltaDecorations(decorationIds.get(model) ?? [], decorations));
}

/** Returns the issues of each line, errors first. */
function byLine(
  issues: readonly Issue[],
  lineOf: (issue: Issue) => number,
): ReadonlyMap<number, readonly Issue[]> {
  const sortedIssues = issues.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  return Map.groupBy(sortedIssues, lineOf);
}

const rank: Readonly<Record<Issue['severity'], number>> = { error: 0, warning: 1 };

/** Shows the first message after the line, and all messages on hover over the message or its glyph. */
function sentenceAt(
  issues: readonly Issue[],
  line: number,
  column: number,
  classes: MarkClasses,
): Decoration {
  const [{ text, severity } = { text: '', severity: 'warning' as const }] = issues;
  const clipped = text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
  const content = issues.length > 1 ? `${clipped} ${words.issues.furtherOnLine(issues.length - 1)}` : clipped;
  return {
    range: { startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column },
    options: {
      showIfCollapsed: true,
      glyphMarginClassName: classes.glyph[severity],
      glyphMarginHoverMessage: issues.map(({ text: message }) => ({ value: plainMarkdown(message) })),
      // The spaces separate the message from the text. Monaco ignores a margin when it measures.
      after: { content: `\u00a0\u00a0\u00a0\u00a0${content}`, inlineClassName: classes.sentence[severity] },
    },
  };
}

function changeAt({ kind, line, count }: LineChange, lines: number, classes: MarkClasses): Decoration {
  const firstLine = Math.min(line, lines);
  const lastLine = Math.min(lines, count === 0 ? firstLine : firstLine + count - 1);
  return {
    range: { startLineNumber: firstLine, startColumn: 1, endLineNumber: lastLine, endColumn: 1 },
    options: { isWholeLine: true, linesDecorationsClassName: classes.change[kind] },
  };
}
