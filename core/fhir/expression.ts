import { formatPointer } from '../json/pointer.ts';

/** FHIRPath of the element that reference tokens name: `CarePlan.activity[0].detail.status`. */
export function expressionAt(type: string, tokens: readonly string[]): string {
  return tokens.reduce(
    (path, token) => (/^[0-9]+$/.test(token) ? `${path}[${token}]` : `${path}.${token}`),
    type,
  );
}

/** JSON Pointer of the element that a path such as `CarePlan.activity[0].detail` names; undefined for other expressions. */
export function pointerAt(expression: string): string | undefined {
  const [type, ...names] = expression.split('.');
  if (type === undefined || !/^[A-Za-z]+$/.test(type)) return undefined;
  const tokens: string[] = [];
  for (const name of names) {
    const [, element, indices = ''] = /^(\w+)((?:\[[0-9]+\])*)$/.exec(name) ?? [];
    if (element === undefined) return undefined;
    tokens.push(element, ...indices.split(/[[\]]+/).filter((index) => index !== ''));
  }
  return formatPointer(tokens);
}
