import { formatPointer } from '../json/pointer.ts';
import { maxName } from '../json/scan.ts';

/**
 * Returns the FHIRPath of the element that reference tokens name: `CarePlan.activity[0].detail.status`. A name that
 * no FHIR element can have is delimited (FHIRPath, Identifiers) and truncated to the longest stored name.
 */
export function expressionAt(type: string, tokens: readonly string[]): string {
  return tokens.reduce(
    (path, token) =>
      /^[0-9]+$/.test(token) ? `${path}[${token.slice(0, maxName)}]` : `${path}.${nameOf(token)}`,
    type,
  );
}

function nameOf(token: string): string {
  if (token.length > maxName) return nameOf(`${token.slice(0, maxName - 1)}…`);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(token) ? token : `\`${token.replaceAll(/[`\\]/g, '\\$&')}\``;
}

/**
 * Returns the JSON Pointer of an element of `type` from a typed path.
 *
 * `/activity/0/detail`, `activity[0].detail`, `CarePlan.activity[0].detail` and `CarePlan › activity[0] › detail` are
 * equal. Any other text is returned unchanged.
 */
export function pointerOfPath(input: string, type: string): string {
  const path = input.trim();
  if (path === '' || path.startsWith('/')) return path;
  const dotted = path
    .replaceAll(/\s*›\s*/g, '.')
    .replace(/\.$/, '')
    .replaceAll(/\.(?=\[)/g, '');
  return pointerAt(dotted === type || dotted.startsWith(`${type}.`) ? dotted : `${type}.${dotted}`) ?? path;
}

/** Returns the JSON Pointer of a path such as `CarePlan.activity[0].detail`; undefined for other expressions. */
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

/** One step of the path to an element. */
interface Crumb {
  /** `CarePlan`, `activity[0]`, `status`. */
  readonly name: string;
  readonly pointer: string;
}

/** Returns the path from the record to an element. An item and its list are one step. */
export function listBreadcrumbs(type: string, tokens: readonly string[]): Crumb[] {
  const crumbs: Crumb[] = [{ name: type, pointer: '' }];
  tokens.forEach((token, index) => {
    const pointer = formatPointer(tokens.slice(0, index + 1));
    const lastCrumb = crumbs.at(-1);
    if (/^[0-9]+$/.test(token) && lastCrumb && index > 0) {
      crumbs[crumbs.length - 1] = { name: `${lastCrumb.name}[${token}]`, pointer };
    } else crumbs.push({ name: token, pointer });
  });
  return crumbs;
}
