import type { CheckFinding } from '../../core/app/checks.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { locate, parsePointer } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import type { JudgedPage } from '../fhir/judged-page.ts';

/** Checks of one's own, as far as records of another server are asked. */
export interface OwnChecks {
  findings(type: ResourceType, texts: readonly string[]): Promise<readonly (readonly CheckFinding[])[]>;
  /** Changes whenever something else is asked; empty where nothing is. */
  stamp(): string;
  readonly sentences: () => ReadonlyMap<string, string>;
}

/** A page with what checks of one's own find in its texts, which are left out; as it is where it has none. */
export async function judgedByAll(
  checks: Pick<OwnChecks, 'findings'>,
  type: ResourceType,
  page: JudgedPage,
): Promise<JudgedPage> {
  const texts = page.records.flatMap(({ text }) => text ?? []);
  if (texts.length < page.records.length || texts.length === 0) return page;
  const found = await checks.findings(type, texts);
  const records = page.records.map(({ text = '', findings, ...record }, at) => {
    const own = found[at] ?? [];
    const root = own.length > 0 ? scan(text).root : undefined;
    return {
      ...record,
      findings: [
        ...findings,
        ...own.map(({ text: message, ...finding }) => {
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
