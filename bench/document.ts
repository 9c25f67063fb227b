/** The page of the documentation that holds the reports: each benchmark writes its own section of it. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

/** The sections in their order, by their headings. */
const headings = ['The API', 'The page'] as const;
export type Heading = (typeof headings)[number];

/** Puts a section into the file in place of the one before it; the others stay as they are. */
export async function writeSection(path: string, heading: Heading, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => '');
  await writeFile(path, withSection(before, heading, text));
}

/** The file's text with another section. */
export function withSection(before: string, heading: Heading, text: string): string {
  const sections = new Map<string, string>();
  for (const section of before.split(/^## /m).slice(1)) {
    const end = section.indexOf('\n');
    sections.set(section.slice(0, end), section.slice(end + 1).trim());
  }
  sections.set(heading, text.trim());
  const written = headings.flatMap((name) => {
    const section = sections.get(name);
    return section === undefined ? [] : [`## ${name}\n\n${section}\n`];
  });
  return `# Performance\n\n${written.join('\n')}`;
}

/** Date and machine, as lines of a list. */
export function conditions(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${processors.length} cores, ${processors[0]?.model.trim() ?? 'unknown'}, ${memory} GiB of memory, ${process.platform} ${process.arch}`;
}
