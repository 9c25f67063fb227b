import type * as Monaco from 'monaco-editor/editor/editor.api';
import type { Issue } from '../../core/fhir/judgement.ts';
import type { LineChange } from '../../core/json/line-changes.ts';
import { loadedMonaco, modelAt } from './monaco-loader.ts';

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

/** Shows issues and changed lines in a model; does nothing where its text is not the one that was judged. */
export function showMarks(path: string, { text, issues, changes }: Marks, classes: MarkClasses): void {
  const monaco = loadedMonaco();
  const model = modelAt(path);
  if (!monaco || model?.getValue() !== text) return;
  const rangeOf = ({ start, end }: Issue) => {
    const from = model.getPositionAt(start);
    const to = model.getPositionAt(end);
    return new monaco.Range(from.lineNumber, from.column, to.lineNumber, to.column);
  };
  monaco.editor.setModelMarkers(
    model,
    owner,
    issues.map((issue) => {
      const { startLineNumber, startColumn, endLineNumber, endColumn } = rangeOf(issue);
      return {
        ...{ startLineNumber, startColumn, endLineNumber, endColumn },
        severity: monaco.MarkerSeverity[issue.severity === 'error' ? 'Error' : 'Warning'],
        message: issue.text,
        code: issue.rule,
        source: issue.category,
      };
    }),
  );
  const decorations = [
    ...firstOfLines(
      issues.map((issue) => ({ issue, line: model.getPositionAt(issue.start).lineNumber })),
    ).map(({ issue, line }) => sentenceAt(issue, line, model.getLineMaxColumn(line), classes)),
    ...changes.map((change) => changeAt(change, model.getLineCount(), classes)),
  ];
  standing.set(model, model.deltaDecorations(standing.get(model) ?? [], decorations));
}

interface IssueOnLine {
  readonly issue: Issue;
  readonly line: number;
}

/** One issue a line: the gravest, else the first. */
function firstOfLines(found: readonly IssueOnLine[]): IssueOnLine[] {
  const lines = new Map<number, IssueOnLine>();
  for (const one of found) {
    const known = lines.get(one.line);
    if (!known || (known.issue.severity === 'warning' && one.issue.severity === 'error'))
      lines.set(one.line, one);
  }
  return [...lines.values()];
}

function sentenceAt(
  { text, severity }: Issue,
  line: number,
  column: number,
  classes: MarkClasses,
): Decoration {
  const content = text.length > longestSentence ? `${text.slice(0, longestSentence)}…` : text;
  return {
    range: { startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column },
    options: {
      showIfCollapsed: true,
      glyphMarginClassName: classes.glyph[severity],
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
