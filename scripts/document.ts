/** The pages of the documentation that hold reports: each run writes its own section of one. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { format } from 'oxfmt';

/** A page by its title, what stands above its sections, and their headings in their order. */
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
    'Searches of a large shared store',
    'Large stores',
    'Mending and judging',
    'Reads beside other work',
    'Imports of Bundles',
    'The worklist of another server',
    'Profiles',
    'The page',
  ],
} as const;

/** docs/trust.md */
export const trustPage = {
  title: 'Trust',
  lead: `What the product promises, and which tests show it. How they ended, with the titles of the tests, stands in
[trust-runs.md](trust-runs.md), speed in [performance.md](performance.md), the threats and their guards in
[SECURITY.md](../SECURITY.md).`,
  headings: ['What holds'],
} as const;

/** docs/trust-runs.md */
export const runsPage = {
  title: 'What the runs showed',
  lead: `Each section is written by the run that it reports. What a machine could not run is told as "not run", and is no
pass. The promises are in [trust.md](trust.md).`,
  headings: [
    'Tests by promise',
    'Faults',
    'Faults of a shared store',
    'Soak',
    'Mutation score: core',
    'Mutation score: server',
    'Mutation score: renderer',
    'Mutants',
  ],
} as const;

/** Puts a section into the file in place of the one before it; the others stay as they are. */
export async function writeSection<Heading extends string>(
  path: string,
  page: Page<Heading>,
  heading: NoInfer<Heading>,
  text: string,
): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => '');
  const after = withSection(before, page, heading, text);
  await writeFile(path, (await format(path, after)).code);
}

/** The file's text with another section. */
export function withSection<Heading extends string>(
  before: string,
  { title, lead, headings }: Page<Heading>,
  heading: NoInfer<Heading>,
  text: string,
): string {
  const sections = new Map<string, string>(sectionsOf(before));
  sections.set(heading, text.trim());
  const written = headings.flatMap((name) => {
    const section = sections.get(name);
    return section === undefined ? [] : [`## ${name}\n\n${section}\n`];
  });
  return [`# ${title}\n`, ...(lead === undefined ? [] : [`${lead}\n`]), ...written].join('\n');
}

/** The sections of a page by their headings. */
export function sectionsOf(page: string): (readonly [heading: string, text: string])[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end + 1).trim()] as const;
    });
}

/** Date and machine, as lines of a list. */
export function conditions(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${processors.length} cores, ${processors[0]?.model.trim() ?? 'unknown'}, ${memory} GiB of memory, ${process.platform} ${process.arch}`;
}
