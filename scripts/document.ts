/** Pages of the documentation with reports. Each run writes its section of a page. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { format } from 'oxfmt';

/** A page: its title, the text above its sections, and their headings in order. */
export interface Page<Heading extends string = string> {
  readonly title: string;
  readonly lead?: string;
  readonly headings: readonly Heading[];
}

/** docs/performance.md */
export const performancePage = {
  title: 'Performance',
  headings: [
    'The API',
    'The API over a shared store',
    'Search on a large shared store',
    'Large stores',
    'Editing and checking',
    'Reads under load',
    'Imports of Bundles',
    'Worklist of a remote server',
    'Profiles',
    'The page',
  ],
} as const;

/** docs/trust.md */
export const trustPage = {
  title: 'Trust',
  lead: `The guarantees of the product, and the tests for each. [trust-runs.md](trust-runs.md) has the titles and results of the
tests, [performance.md](performance.md) the measurements, and [SECURITY.md](../SECURITY.md) the threats and guards.`,
  headings: ['Guarantees'],
} as const;

/** docs/trust-runs.md */
export const runsPage = {
  title: 'Test results',
  lead: `Each section was written by its own run. Tests that the machine could not run are reported as "not run" and do not count
as passed. [trust.md](trust.md) lists the guarantees.`,
  headings: [
    'Tests by guarantee',
    'Faults',
    'Faults of a shared store',
    'Soak',
    'Mutation score: core',
    'Mutation score: server',
    'Mutation score: renderer',
    'Mutants',
  ],
} as const;

/** Replaces a section of a file, or adds it. The other sections stay unchanged. */
export async function writeSection<Heading extends string>(
  path: string,
  page: Page<Heading>,
  heading: NoInfer<Heading>,
  text: string,
): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => '');
  const after = setSection(before, page, heading, text);
  await writeFile(path, (await format(path, after)).code);
}

/** Returns the text of a page with a section replaced or added. */
export function setSection<Heading extends string>(
  before: string,
  { title, lead, headings }: Page<Heading>,
  heading: NoInfer<Heading>,
  text: string,
): string {
  const sections = new Map<string, string>(parsePageSections(before));
  sections.set(heading, text.trim());
  const sectionTexts = headings.flatMap((name) => {
    const section = sections.get(name);
    return section === undefined ? [] : [`## ${name}\n\n${section}\n`];
  });
  return [`# ${title}\n`, ...(lead === undefined ? [] : [`${lead}\n`]), ...sectionTexts].join('\n');
}

/** Returns the sections of a page with their headings. */
export function parsePageSections(page: string): (readonly [heading: string, text: string])[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end + 1).trim()] as const;
    });
}

/** Formats the date and the machine as list lines. */
export function formatConditions(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${processors.length} cores, ${processors[0]?.model.trim() ?? 'unknown'}, ${memory} GiB of memory, ${process.platform} ${process.arch}`;
}
