import fhirpath from 'fhirpath';
import type { Definition } from './schema-definitions.ts';
import type { Constraint, Sources } from './schema-sources.ts';

/** An operation and its arguments, as core/fhir/validation/invariants.ts reads it. */
type Term = readonly (Term | string | number | boolean)[];

/** A node of the engine's syntax tree. */
interface Syntax {
  readonly type: string;
  readonly text?: string;
  readonly children?: readonly Syntax[];
}

/** Invariants that core/fhir/validation implements by hand, with specific messages. */
const handwrittenKeys =
  /^(?:ele|ext|dom|txt|per|qty|rng|rat|cpt|att|tim|ref|age|drt|cnt|dis|mqty|sqty|cmp|cpl)-/;

/** Functions with a cost linear to their input, and their allowed numbers of arguments. */
const functions: Readonly<Record<string, readonly number[]>> = {
  all: [1],
  combine: [1],
  contains: [1],
  count: [0],
  descendants: [0],
  empty: [0],
  exists: [0, 1],
  first: [0],
  hasValue: [0],
  intersect: [1],
  isDistinct: [0],
  not: [0],
  select: [1],
  startsWith: [1],
  toInteger: [0],
  where: [1],
};

/** The only short and linear text pattern. Two dozen types share it. */
const linearPattern = '[A-Z]([A-Za-z0-9_]){0,254}';

/** An expression without an operation in the reader of terms. */
class UnsupportedExpressionError extends Error {}

/** Returns R4's invariants of a definition that take linear time, in the order of the standard. */
export function listInvariants(definition: Definition, sources: Sources) {
  return listConstraints(definition, sources).flatMap((constraint) => {
    try {
      return [createRow(definition, constraint)];
    } catch (error) {
      if (!(error instanceof UnsupportedExpressionError)) throw error;
      return [];
    }
  });
}

/** A constraint, and the path of its element if that is below the definition. */
interface LocatedConstraint extends Constraint {
  readonly childPath?: string;
}

/** Returns the constraints of a definition with an expression, except those implemented by hand. */
export function listConstraints(
  { path, properties }: Definition,
  sources: Sources,
): readonly LocatedConstraint[] {
  const root = path.split('.', 1)[0] ?? '';
  const elements = sources.elements.get(root) ?? [];
  const ownConstraints = elements.find((element) => element.path === path)?.constraint ?? [];
  // A nested definition has its own constraints.
  const simpleElements = properties.filter(({ type }) => !type.includes('_')).map(({ element }) => element);
  const childConstraints = [...new Set(simpleElements)].flatMap(({ path: child, constraint = [] }) => {
    return constraint.map((constraint) => ({
      ...constraint,
      childPath: child.slice(path.length + 1).replace('[x]', ''),
    }));
  });
  return [...ownConstraints, ...childConstraints].filter(
    ({ key, expression }) => expression && !handwrittenKeys.test(key),
  );
}

function createRow(
  { path }: Definition,
  { key, severity, human, expression = '', childPath }: LocatedConstraint,
) {
  const term = compile(fhirpath.parse(expression) as Syntax, path);
  const fullTerm: Term = childPath === undefined ? term : ['all()', ['.', thisTerm, childPath], term];
  const message = human.trim().replace(/\.$/, '');
  return [key, severity === 'error' ? 'error' : 'warning', message, fullTerm] as const;
}

/** Types of binary expressions, by the start of their names. */
const binaryTypes = new Set('Implies Or And Equality Inequality Additive Union Membership'.split(' '));

const thisTerm: Term = ['this'];

/** @throws UnsupportedExpressionError */
function compile(node: Syntax, path: string, base: Term = thisTerm): Term {
  const { type, text = '', children = [] } = node;
  const [firstChild, secondChild] = children;
  if (binaryTypes.has(type.replace(/Expression$/, '')) && firstChild && secondChild) {
    return [text, compile(firstChild, path), compile(secondChild, path)];
  }
  switch (type) {
    case 'EntireExpression':
    case 'TermExpression':
    case 'InvocationTerm':
    case 'ParenthesizedTerm':
    case 'LiteralTerm':
      if (firstChild) return compile(firstChild, path, base);
      break;
    case 'InvocationExpression':
      if (firstChild && secondChild) return compile(secondChild, path, compile(firstChild, path));
      break;
    case 'MemberInvocation':
      // A path may start with the name of its own type.
      return base === thisTerm && text === path ? thisTerm : ['.', base, text];
    case 'ThisInvocation':
      return thisTerm;
    case 'StringLiteral':
      return ['literal', text.slice(1, -1).replaceAll(/\\(.)/g, '$1')];
    case 'NumberLiteral':
      return ['literal', Number(text)];
    case 'BooleanLiteral':
      return ['literal', text === 'true'];
    case 'ExternalConstantTerm':
      if (text === 'ucum') return ['literal', 'http://unitsofmeasure.org'];
      // The resource itself and the context are the same only at the root.
      if (text === 'context' || (text === 'resource' && !path.includes('.'))) return ['root'];
      break;
    case 'TypeExpression':
      if (firstChild && secondChild?.text !== undefined)
        return [text, compile(firstChild, path), secondChild.text];
      break;
    case 'FunctionInvocation':
      return call(node, path, base);
  }
  throw new UnsupportedExpressionError(`${path}: ${type} ${text}`);
}

function call({ text = '', children = [] }: Syntax, path: string, base: Term): Term {
  const parameters = children[0]?.children?.find((child) => child.type === 'ParamList')?.children ?? [];
  const [argument] = parameters;
  if (text === 'trace') return base;
  if (text === 'is' && argument?.text !== undefined) return ['is', base, argument.text];
  if (text === 'matches' && argument) {
    const pattern = compile(argument, path);
    if (pattern[1] === linearPattern) return ['matches', base, linearPattern];
  }
  if (functions[text]?.includes(parameters.length)) {
    return [`${text}()`, base, ...parameters.map((parameter) => compile(parameter, path))];
  }
  throw new UnsupportedExpressionError(`${path}: ${text}()`);
}
