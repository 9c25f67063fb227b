import { formatPointer } from '../json/pointer.ts';

/** One step of the way to an element. */
export interface Crumb {
  /** `CarePlan`, `activity[0]`, `status`. */
  readonly name: string;
  readonly pointer: string;
}

/** The way from the record to an element, as FHIRPath says it: an item and its list are one step. */
export function crumbsOf(type: string, tokens: readonly string[]): Crumb[] {
  const crumbs: Crumb[] = [{ name: type, pointer: '' }];
  tokens.forEach((token, index) => {
    const pointer = formatPointer(tokens.slice(0, index + 1));
    const last = crumbs.at(-1);
    if (/^[0-9]+$/.test(token) && last && index > 0) {
      crumbs[crumbs.length - 1] = { name: `${last.name}[${token}]`, pointer };
    } else crumbs.push({ name: token, pointer });
  });
  return crumbs;
}
