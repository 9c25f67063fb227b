/** For tests alone: what a record says, read from its JSON without the code that lays it out. */
import { text } from '../ui/text.ts';

/** Every narrative of a record and of its sections by its pointer, contained resources left out. */
export function narrativesIn(value: unknown, at = ''): { pointer: string; xhtml: string }[] {
  const { text: own } = (value ?? {}) as { text?: { div?: unknown } };
  const inner = sectionsOf(value).flatMap((one, index) => narrativesIn(one, `${at}/section/${index}`));
  if (typeof own?.div !== 'string' || own.div === '') return inner;
  return [{ pointer: `${at}/text`, xhtml: own.div }, ...inner];
}

/** Every section by its pointer, in the order of the record: what stands above it. */
export function sectionsIn(record: unknown): [pointer: string, title: string][] {
  const found: [string, string][] = [];
  const visit = (value: unknown, at: string) =>
    sectionsOf(value).forEach((one, index) => {
      const pointer = `${at}/section/${index}`;
      found.push([pointer, plain(nameOf(one)) || text.reading.section(found.length + 1)]);
      visit(one, pointer);
    });
  visit(record, '');
  return found;
}

/** Its title, else what its code is called. */
function nameOf(section: unknown): string {
  const { title, code } = section as { title?: string; code?: Coded };
  const codings = code?.coding ?? [];
  const names = [
    title,
    code?.text,
    ...codings.map(({ display }) => display),
    ...codings.map((one) => one.code),
  ];
  return names.find(Boolean) ?? '';
}

interface Coded {
  readonly text?: string;
  readonly coding?: readonly { readonly display?: string; readonly code?: string }[];
}

function sectionsOf(value: unknown): readonly unknown[] {
  const { section = [] } = (value ?? {}) as { section?: unknown };
  return Array.isArray(section) ? section : [];
}

/** The title of a record; blank where it has none. */
export function titleIn(record: string): string {
  const { title } = JSON.parse(record) as { title?: unknown };
  return typeof title === 'string' ? title : '';
}

/** With it XML knows the entities of XHTML; a browser has it built in and fetches nothing. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';

/** The texts of a narrative that are not blank, as an XML parser finds them; what stands side by side is one text. */
export function textsOf(xhtml: string): string[] {
  const parsed = new DOMParser().parseFromString(doctype + xhtml, 'application/xhtml+xml');
  const error = parsed.querySelector('parsererror');
  if (error) throw new Error(error.textContent);
  return textsWithin(parsed.documentElement);
}

/** The texts within an element that are not blank; what stands side by side is one text. */
export function textsWithin(element: Node): string[] {
  const texts: string[] = [];
  let run = '';
  const end = () => {
    if (plain(run) !== '') texts.push(plain(run));
    run = '';
  };
  const visit = (node: Node) => {
    for (const one of node.childNodes) {
      if (one.nodeType === Node.ELEMENT_NODE) {
        end();
        visit(one);
        end();
      } else if (one.nodeType === Node.TEXT_NODE || one.nodeType === Node.CDATA_SECTION_NODE)
        run += one.nodeValue ?? '';
    }
  };
  visit(element);
  end();
  return texts;
}

/** Without line ends and the spaces around them. */
export function plain(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}
