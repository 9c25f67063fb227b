import ts from 'typescript';

/** The prose of a comment and its offset in the file. */
export interface Comment {
  readonly start: number;
  readonly prose: string;
}

const directive =
  /^(?:@vitest|@ts-|ts-|eslint|oxlint|prettier|istanbul|v8 |c8 |#region|#endregion|<reference|@license|@refresh|biome|stryker)/i;

/**
 * Lists the prose comments of a source file. Merges adjacent line comments, and omits block tags and
 * directives.
 */
export function listComments(source: ts.SourceFile): readonly Comment[] {
  const { text } = source;
  const comments: { start: number; end: number; isLine: boolean; prose: string }[] = [];
  for (const { pos, end, kind } of findComments(source)) {
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const prose = readProse(text.slice(pos, end), isLine);
    if (directive.test(prose)) continue;
    const previous = comments.at(-1);
    if (isLine && previous?.isLine && /^\n[ \t]*$/.test(text.slice(previous.end, pos))) {
      previous.prose += ` ${prose}`;
      previous.end = end;
    } else comments.push({ start: pos, end, isLine, prose });
  }
  return comments
    .map(({ start, prose }) => ({ start, prose: prose.replace(/(?:^|\s)@[a-z]\w*.*$/s, '').trim() || prose }))
    .filter(({ prose }) => /[a-z]{3}/.test(prose));
}

/** Comments precede a token. A JSX text token has no such space. */
function findComments(source: ts.SourceFile): readonly ts.CommentRange[] {
  const ranges = new Map<number, ts.CommentRange>();
  const addRanges = (commentRanges: readonly ts.CommentRange[] | undefined) => {
    for (const range of commentRanges ?? []) ranges.set(range.pos, range);
  };
  const visit = (node: ts.Node) => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    const children = node.getChildren(source);
    if (children.length === 0 && !isInJsxText(node)) {
      addRanges(ts.getLeadingCommentRanges(source.text, node.getFullStart()));
      addRanges(ts.getTrailingCommentRanges(source.text, node.end));
    }
    children.forEach(visit);
  };
  visit(source);
  return [...ranges.values()].toSorted((left, right) => left.pos - right.pos);
}

/** Text follows the end of a JSX tag, and may look like a comment. */
function isInJsxText({ kind, parent }: ts.Node): boolean {
  return (
    kind === ts.SyntaxKind.GreaterThanToken &&
    (ts.isJsxOpeningElement(parent) || ts.isJsxClosingElement(parent) || ts.isJsxSelfClosingElement(parent))
  );
}

function readProse(comment: string, isLine: boolean): string {
  const body = isLine ? comment.slice(2).replace(/^\//, '') : comment.slice(2, -2);
  return body
    .replace(/^\*+/, '')
    .replace(/\n\s*\*/g, ' ')
    .replace(/\{@link ([^}]*)\}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
