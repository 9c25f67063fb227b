/** For tests only: reads a record from its JSON, independently of the rendering code. */
import { text } from '../ui/text.ts';

/** Returns the narratives of a record and its sections with their pointers, without contained resources. */
export function narrativesIn(value: unknown, pointer = ''): { pointer: string; xhtml: string }[] {
  const { text: narrative } = (value ?? {}) as { text?: { div?: unknown } };
  const inner = listSubsections(value).flatMap((section, index) =>
    narrativesIn(section, `${pointer}/section/${index}`),
  );
  if (typeof narrative?.div !== 'string' || narrative.div === '') return inner;
  return [{ pointer: `${pointer}/text`, xhtml: narrative.div }, ...inner];
}

/** Returns the pointer and heading of each section, in document order. */
export function sectionsIn(record: unknown): [pointer: string, title: string][] {
  const sections: [string, string][] = [];
  const visit = (value: unknown, parentPointer: string) =>
    listSubsections(value).forEach((section, index) => {
      const pointer = `${parentPointer}/section/${index}`;
      sections.push([
        pointer,
        plain(formatSectionName(section)) || text.reading.section(sections.length + 1),
      ]);
      visit(section, pointer);
    });
  visit(record, '');
  return sections;
}

/** Returns the title of a section, otherwise the name of its code. */
function formatSectionName(section: unknown): string {
  const { title, code } = section as { title?: string; code?: Coded };
  const codings = code?.coding ?? [];
  const names = [
    title,
    code?.text,
    ...codings.map(({ display }) => display),
    ...codings.map((coding) => coding.code),
  ];
  return names.find(Boolean) ?? '';
}

interface Coded {
  readonly text?: string;
  readonly coding?: readonly { readonly display?: string; readonly code?: string }[];
}

function listSubsections(value: unknown): readonly unknown[] {
  const { section = [] } = (value ?? {}) as { section?: unknown };
  return Array.isArray(section) ? section : [];
}

/** Returns the title of a record; empty without one. */
export function titleIn(record: string): string {
  const { title } = JSON.parse(record) as { title?: unknown };
  return typeof title === 'string' ? title : '';
}

/** Defines the entities of XHTML for the XML parser. Browsers have it built in and fetch nothing. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';

/**
 * Returns the non-blank texts of a narrative, as an XML parser finds them. Adjacent text nodes are one text.
 *
 * @throws Error if the XML is malformed.
 */
export function textsOf(xhtml: string): string[] {
  const parsed = new DOMParser().parseFromString(doctype + xhtml, 'application/xhtml+xml');
  const error = parsed.querySelector('parsererror');
  if (error) throw new Error(error.textContent);
  return textsWithin(parsed.documentElement);
}

/** Returns the non-blank texts inside an element. Adjacent text nodes are one text. */
export function textsWithin(element: Node): string[] {
  const texts: string[] = [];
  let run = '';
  const flush = () => {
    if (plain(run) !== '') texts.push(plain(run));
    run = '';
  };
  const visit = (node: Node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) {
        flush();
        visit(child);
        flush();
      } else if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE)
        run += child.nodeValue ?? '';
    }
  };
  visit(element);
  flush();
  return texts;
}

/** Returns a text with each run of white space as one space, trimmed. */
export function plain(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}
