import fhirpath from 'fhirpath';
import type { Definition } from './schema-definitions.ts';
import type { Constraint, Sources } from './schema-sources.ts';

/** An operation and its parts, as core/fhir/validation/invariants.ts reads it. */
type Term = readonly (Term | string | number | boolean)[];

/** A node of the engine's syntax tree. */
interface Syntax {
  readonly type: string;
  readonly text?: string;
  readonly children?: readonly Syntax[];
}

/** Those that core/fhir/validation has by hand, with sentences of its own. */
const byHand = /^(?:ele|ext|dom|txt|per|qty|rng|rat|cpt|att|tim|ref|age|drt|cnt|dis|mqty|sqty|cmp|cpl)-/;

/** Functions whose cost grows with what they look at and no faster; with how many arguments. */
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

/** The only expression of a text's form that is short and linear, and that two dozen types share. */
const linearPattern = '[A-Z]([A-Za-z0-9_]){0,254}';

/** An expression that the reader of terms has no operation for. */
class Unjudged extends Error {}

/** R4's invariants of a definition that can be judged in time linear to the element, in the order of the standard. */
export function invariantsOf(definition: Definition, sources: Sources) {
  return constraintsOf(definition, sources).flatMap((constraint) => {
    try {
      return [rowOf(definition, constraint)];
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error;
      return [];
    }
  });
}

/** A constraint, and the element below the definition that it looks at where it is not the definition's own. */
interface Placed extends Constraint {
  readonly below?: string;
}

/** The constraints of a definition that have an expression, but for those that core/fhir/validation has by hand. */
export function constraintsOf({ path, properties }: Definition, sources: Sources): readonly Placed[] {
  const root = path.split('.', 1)[0] ?? '';
  const elements = sources.elements.get(root) ?? [];
  const own = elements.find((one) => one.path === path)?.constraint ?? [];
  // A nested definition has its constraints to itself.
  const plain = properties.filter(({ type }) => !type.includes('_')).map(({ element }) => element);
  const below = [...new Set(plain)].flatMap(({ path: child, constraint = [] }) => {
    return constraint.map((one) => ({ ...one, below: child.slice(path.length + 1).replace('[x]', '') }));
  });
  return [...own, ...below].filter(({ key, expression }) => expression && !byHand.test(key));
}

function rowOf({ path }: Definition, { key, severity, human, expression = '', below }: Placed) {
  const term = compile(fhirpath.parse(expression) as Syntax, path);
  const whole: Term = below === undefined ? term : ['all()', ['.', here, below], term];
  const sentence = human.trim().replace(/\.$/, '');
  return [key, severity === 'error' ? 'error' : 'warning', sentence, whole] as const;
}

/** The expressions of two sides, by the beginnings of their names. */
const binary = new Set('Implies Or And Equality Inequality Additive Union Membership'.split(' '));

const here: Term = ['this'];

/** @throws Unjudged */
function compile(node: Syntax, path: string, base: Term = here): Term {
  const { type, text = '', children = [] } = node;
  const [first, second] = children;
  if (binary.has(type.replace(/Expression$/, '')) && first && second) {
    return [text, compile(first, path), compile(second, path)];
  }
  switch (type) {
    case 'EntireExpression':
    case 'TermExpression':
    case 'InvocationTerm':
    case 'ParenthesizedTerm':
    case 'LiteralTerm':
      if (first) return compile(first, path, base);
      break;
    case 'InvocationExpression':
      if (first && second) return compile(second, path, compile(first, path));
      break;
    case 'MemberInvocation':
      // A path may begin with the name of its own type.
      return base === here && text === path ? here : ['.', base, text];
    case 'ThisInvocation':
      return here;
    case 'StringLiteral':
      return ['literal', text.slice(1, -1).replaceAll(/\\(.)/g, '$1')];
    case 'NumberLiteral':
      return ['literal', Number(text)];
    case 'BooleanLiteral':
      return ['literal', text === 'true'];
    case 'ExternalConstantTerm':
      if (text === 'ucum') return ['literal', 'http://unitsofmeasure.org'];
      // The resource itself, and what is looked at, are one at the root alone.
      if (text === 'context' || (text === 'resource' && !path.includes('.'))) return ['root'];
      break;
    case 'TypeExpression':
      if (first && second?.text !== undefined) return [text, compile(first, path), second.text];
      break;
    case 'FunctionInvocation':
      return call(node, path, base);
  }
  throw new Unjudged(`${path}: ${type} ${text}`);
}

function call({ text = '', children = [] }: Syntax, path: string, base: Term): Term {
  const given = children[0]?.children?.find((one) => one.type === 'ParamList')?.children ?? [];
  const [argument] = given;
  if (text === 'trace') return base;
  if (text === 'is' && argument?.text !== undefined) return ['is', base, argument.text];
  if (text === 'matches' && argument) {
    const pattern = compile(argument, path);
    if (pattern[1] === linearPattern) return ['matches', base, linearPattern];
  }
  if (functions[text]?.includes(given.length)) {
    return [`${text}()`, base, ...given.map((one) => compile(one, path))];
  }
  throw new Unjudged(`${path}: ${text}()`);
}
