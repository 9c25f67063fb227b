/** Suggestions for FHIRPath expressions on a record. Called by the fields of expressions. Pure. */
import { membersAt } from './element-help.ts';
import type { ResourceType } from './resource.ts';

/** A text to insert at the cursor. */
export interface PathSuggestion {
  readonly label: string;
  /** Type and cardinality of an element; result of a function. */
  readonly detail: string;
  /** Replacement for the text between `start` and `end`. */
  readonly insert: string;
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Path after a function: the same elements, the elements of its argument, or none. */
type ResultPath = 'same' | 'argument' | 'nothing';

/** The functions for custom checks (FHIRPath N1, section 5): name, whether it has an argument, its result. */
const functions: readonly (readonly [name: string, takes: boolean, leaves: ResultPath, detail: string])[] = [
  ['exists', true, 'nothing', 'Boolean'],
  ['empty', false, 'nothing', 'Boolean'],
  ['all', true, 'nothing', 'Boolean'],
  ['count', false, 'nothing', 'number'],
  ['where', true, 'same', 'items for which it is true'],
  ['select', true, 'argument', 'a value for each item'],
  ['first', false, 'same', 'first item'],
  ['last', false, 'same', 'last item'],
  ['ofType', true, 'same', 'items of a type'],
  ['distinct', false, 'same', 'without duplicates'],
  ['isDistinct', false, 'nothing', 'Boolean'],
  ['not', false, 'nothing', 'Boolean'],
  ['hasValue', false, 'nothing', 'Boolean'],
  ['matches', true, 'nothing', 'Boolean'],
  ['contains', true, 'nothing', 'Boolean'],
  ['startsWith', true, 'nothing', 'Boolean'],
  ['endsWith', true, 'nothing', 'Boolean'],
  ['length', false, 'nothing', 'number'],
  ['lower', false, 'nothing', 'string'],
  ['upper', false, 'nothing', 'string'],
  ['trim', false, 'nothing', 'string'],
  ['replace', true, 'nothing', 'string'],
];

const resultPaths = new Map(functions.map(([name, , resultPath]) => [name, resultPath]));

/** Maximum number of suggestions for a word. */
const maxSuggestions = 40;

/** Member names of an element from the record; undefined if the path has no element. */
type Path = readonly string[] | undefined;

/** Context of a word in an expression. */
interface Focus {
  /** The path before the word. */
  readonly path: Path;
  readonly afterDot: boolean;
  /** The function before the word. */
  readonly functionName: string;
  /** The functions of the open parentheses and their paths; the innermost is the last. */
  readonly open: readonly { readonly functionName: string; readonly path: Path }[];
}

/** Returns suggestions for an offset of an expression on records of a type. */
export function suggestPath(expression: string, offset: number, type: ResourceType): PathSuggestion[] {
  const start = offset - (/[A-Za-z_]\w*$/.exec(expression.slice(0, offset))?.[0].length ?? 0);
  const end = offset + (/^\w*/.exec(expression.slice(offset))?.[0].length ?? 0);
  const prefix = expression.slice(start, offset).toLowerCase();
  const focus = focusAt(expression.slice(0, start), type);
  if (!focus) return [];
  const members = focus.path ? membersAt(type, focus.path) : [];
  const membersByLabel = new Map(members.map((item) => [item.choice ?? item.name, item]));
  const elements = [...membersByLabel].map(([label, { type: memberType, cardinality, choice }]) => ({
    label,
    insert: label,
    detail: choice === undefined ? `${memberType} ${cardinality}` : cardinality,
  }));
  const calls = focus.afterDot
    ? functions.map(([name, hasArgument, , detail]) => ({
        label: `${name}()`,
        detail,
        insert: hasArgument ? `${name}(` : `${name}()`,
      }))
    : [];
  const fitting = [...elements, ...calls].filter(({ label }) => label.toLowerCase().startsWith(prefix));
  return fitting.slice(0, maxSuggestions).map((suggestion) => ({ ...suggestion, start, end }));
}

/** Strings and delimited names; indices; words; single characters. */
const tokens = /'(?:\\.|[^'\\])*'?|`[^`]*`?|\[\d+\]|\$?\w+|[^\s\w]/g;

/** Returns the context at the end of the start of an expression; undefined within a string. */
function focusAt(source: string, type: ResourceType): Pick<Focus, 'path' | 'afterDot'> | undefined {
  let focus: Focus = { path: undefined, afterDot: false, functionName: '', open: [] };
  for (const [token] of source.matchAll(tokens)) {
    const isText = /^['`]/.test(token);
    if (isText && (token.length === 1 || !token.endsWith(token.charAt(0)))) return undefined;
    focus = isText ? { ...focus, path: undefined, afterDot: false } : advance(focus, token, type);
  }
  return focus.afterDot ? focus : { path: contextOf(focus), afterDot: false };
}

/** Returns the start of a path: the path of the innermost function, otherwise the record. */
function contextOf({ open }: Focus): Path {
  const top = open.at(-1);
  return top ? top.path : [];
}

function advance(focus: Focus, token: string, type: ResourceType): Focus {
  if (token.startsWith('[')) return focus;
  if (token === '.') return { ...focus, afterDot: true };
  if (token === '(') {
    const path = focus.functionName === '' ? contextOf(focus) : focus.path;
    return {
      ...focus,
      path: undefined,
      afterDot: false,
      functionName: '',
      open: [...focus.open, { functionName: focus.functionName, path }],
    };
  }
  if (token === ')') {
    const { functionName = '', path } = focus.open.at(-1) ?? {};
    const resultPath = functionName === '' ? 'argument' : (resultPaths.get(functionName) ?? 'nothing');
    const next = { same: path, argument: focus.path, nothing: undefined }[resultPath];
    return { path: next, afterDot: false, functionName: '', open: focus.open.slice(0, -1) };
  }
  if (!/^[$\w]/.test(token)) return { ...focus, path: undefined, afterDot: false, functionName: '' };
  const from = focus.afterDot ? focus.path : contextOf(focus);
  // The input of a function is the path before its dot.
  if (resultPaths.has(token)) return { ...focus, path: from, afterDot: false, functionName: token };
  const path = token === '$this' ? from : getMemberPath(from, token, type, focus.afterDot);
  return { ...focus, path, afterDot: false, functionName: '' };
}

function getMemberPath(from: Path, name: string, type: ResourceType, afterDot: boolean): Path {
  if (!afterDot && name === type) return [];
  const member =
    from && membersAt(type, from).find((candidate) => candidate.name === name || candidate.choice === name);
  return member && [...from, member.name, ...(member.repeats ? ['0'] : [])];
}
