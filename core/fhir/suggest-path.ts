/** Suggestions for somebody who writes FHIRPath on a record. Called by the fields of expressions. Pure. */
import { membersAt } from './element-help.ts';
import type { ResourceType } from './resource.ts';

/** Something to write at the cursor. */
export interface PathSuggestion {
  readonly label: string;
  /** Type and cardinality of an element; what a function answers. */
  readonly detail: string;
  /** What comes to stand between `start` and `end`. */
  readonly insert: string;
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** What a function leaves of the path: the same elements, those of its argument, or none. */
type Leaves = 'same' | 'argument' | 'nothing';

/** The functions that checks are made of (FHIRPath N1, section 5): name, whether it takes an argument, what it leaves. */
const functions: readonly (readonly [name: string, takes: boolean, leaves: Leaves, detail: string])[] = [
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

const leaves = new Map(functions.map(([name, , left]) => [name, left]));

/** Suggestions for a word, at most. */
const most = 40;

/** Names of an element and how it was come to; undefined where no element is meant. */
type Path = readonly string[] | undefined;

/** Where a word of an expression stands. */
interface Focus {
  /** What is meant by the path so far. */
  readonly path: Path;
  readonly behindDot: boolean;
  /** The function that was named last. */
  readonly called: string;
  /** The open parentheses, the innermost last: of which function, and on what. */
  readonly open: readonly { readonly called: string; readonly path: Path }[];
}

/** What can be written at an offset of an expression on records of a type. */
export function suggestPath(expression: string, offset: number, type: ResourceType): PathSuggestion[] {
  const start = offset - (/[A-Za-z_]\w*$/.exec(expression.slice(0, offset))?.[0].length ?? 0);
  const end = offset + (/^\w*/.exec(expression.slice(offset))?.[0].length ?? 0);
  const typed = expression.slice(start, offset).toLowerCase();
  const at = focusAt(expression.slice(0, start), type);
  if (!at) return [];
  const members = at.path ? membersAt(type, at.path) : [];
  const chosen = new Map(members.map((one) => [one.choice ?? one.name, one]));
  const elements = [...chosen].map(([label, { type: of, cardinality, choice }]) => ({
    label,
    insert: label,
    detail: choice === undefined ? `${of} ${cardinality}` : cardinality,
  }));
  const calls = at.behindDot
    ? functions.map(([name, takes, , detail]) => ({
        label: `${name}()`,
        detail,
        insert: takes ? `${name}(` : `${name}()`,
      }))
    : [];
  const fitting = [...elements, ...calls].filter(({ label }) => label.toLowerCase().startsWith(typed));
  return fitting.slice(0, most).map((one) => ({ ...one, start, end }));
}

/** Texts and delimited names; numbers of items; words; single characters. */
const tokens = /'(?:\\.|[^'\\])*'?|`[^`]*`?|\[\d+\]|\$?\w+|[^\s\w]/g;

/** What the next word would be of, at the end of an expression's beginning; undefined within a text. */
function focusAt(written: string, type: ResourceType): Pick<Focus, 'path' | 'behindDot'> | undefined {
  let at: Focus = { path: undefined, behindDot: false, called: '', open: [] };
  for (const [token] of written.matchAll(tokens)) {
    const isText = /^['`]/.test(token);
    if (isText && (token.length === 1 || !token.endsWith(token.charAt(0)))) return undefined;
    at = isText ? { ...at, path: undefined, behindDot: false } : behind(at, token, type);
  }
  return at.behindDot ? at : { path: contextOf(at), behindDot: false };
}

/** What a path begins with: what the innermost function looks at, else the record. */
function contextOf({ open }: Focus): Path {
  const top = open.at(-1);
  return top ? top.path : [];
}

function behind(at: Focus, token: string, type: ResourceType): Focus {
  if (token.startsWith('[')) return at;
  if (token === '.') return { ...at, behindDot: true };
  if (token === '(') {
    const path = at.called === '' ? contextOf(at) : at.path;
    return {
      ...at,
      path: undefined,
      behindDot: false,
      called: '',
      open: [...at.open, { called: at.called, path }],
    };
  }
  if (token === ')') {
    const { called = '', path } = at.open.at(-1) ?? {};
    const left = called === '' ? 'argument' : (leaves.get(called) ?? 'nothing');
    const next = { same: path, argument: at.path, nothing: undefined }[left];
    return { path: next, behindDot: false, called: '', open: at.open.slice(0, -1) };
  }
  if (!/^[$\w]/.test(token)) return { ...at, path: undefined, behindDot: false, called: '' };
  const from = at.behindDot ? at.path : contextOf(at);
  // A function is of what stands before its dot.
  if (leaves.has(token)) return { ...at, path: from, behindDot: false, called: token };
  const path = token === '$this' ? from : below(from, token, type, at.behindDot);
  return { ...at, path, behindDot: false, called: '' };
}

/** The place below another that a name leads to. */
function below(from: Path, name: string, type: ResourceType, behindDot: boolean): Path {
  if (!behindDot && name === type) return [];
  const member = from && membersAt(type, from).find((one) => one.name === name || one.choice === name);
  return member && [...from, member.name, ...(member.repeats ? ['0'] : [])];
}
