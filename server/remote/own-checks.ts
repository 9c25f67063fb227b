import type { CheckFinding } from '../../core/app/checks.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { locate, parsePointer } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import type { ValidatedPage } from '../fhir/validated-page.ts';

/** Custom checks for records of another server. */
export interface CustomChecks {
  findings(type: ResourceType, texts: readonly string[]): Promise<readonly (readonly CheckFinding[])[]>;
  /** Returns a value that changes with the active checks; empty without any. */
  stamp(): string;
  readonly sentences: () => ReadonlyMap<string, string>;
}

/**
 * Adds the findings of custom checks to a page and removes its texts. Returns a page without texts
 * unchanged.
 */
export async function addCheckFindings(
  checks: Pick<CustomChecks, 'findings'>,
  type: ResourceType,
  page: ValidatedPage,
): Promise<ValidatedPage> {
  const texts = page.records.flatMap(({ text }) => text ?? []);
  if (texts.length < page.records.length || texts.length === 0) return page;
  const checkFindings = await checks.findings(type, texts);
  const records = page.records.map(({ text = '', findings, ...record }, index) => {
    const ownFindings = checkFindings[index] ?? [];
    const root = ownFindings.length > 0 ? scan(text).root : undefined;
    return {
      ...record,
      findings: [
        ...findings,
        ...ownFindings.map(({ text: message, ...finding }) => {
          const tokens = parsePointer(finding.pointer) ?? [];
          return {
            ...finding,
            message,
            excerpt: root && tokens.length > 0 ? excerptOf(locate(root, tokens)) : '',
          };
        }),
      ],
    };
  });
  return { ...page, records };
}
