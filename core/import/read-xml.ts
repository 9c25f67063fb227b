import { defineMessages } from '../text/message.ts';
import { objectIn } from '../json/scan.ts';
import type { ImportEntry } from './entry.ts';
import { completeBundle, isHeadMember, nextPlace, type ReadBundle } from './bundle-head.ts';
import { unfoldJson } from './unfold-json.ts';
import { XmlElementReader, XmlError, type XmlElement } from './xml-elements.ts';
import { writeElementAsJson, writeResourceAsJson } from './xml-json.ts';

const messages = defineMessages('import', {
  otherXml: 'The XML is not FHIR.',
  otherEncoding: 'The XML is not in UTF-8 or UTF-16, or breaks off in the middle of a character.',
});

/** Containers that are read entry by entry, with the names and types of the elements that contain resources. */
const containers: Readonly<
  Record<string, { readonly name: string; readonly place: 'entry' | 'parameter'; readonly type: string }>
> = {
  Bundle: { name: 'entry', place: 'entry', type: 'Bundle_Entry' },
  Parameters: { name: 'parameter', place: 'parameter', type: 'Parameters_Parameter' },
};

/**
 * Yields the entries of FHIR XML that arrives in chunks, as JSON text. A Bundle of any size is read entry by entry. XML
 * that breaks off yields its complete entries and one problem.
 *
 * @param limit - Maximum length of one entry, or of a resource outside of a Bundle.
 */
export async function* readXmlEntries(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<ImportEntry> {
  const reader = new XmlElementReader(limit);
  const ownElements: XmlElement[] = [];
  const bundle: ReadBundle = { entryCount: 0 };
  let count = 0;
  const unfoldElements = (elements: readonly XmlElement[]): readonly ImportEntry[] => {
    const container = reader.root && containers[reader.root.name];
    if (!container) {
      ownElements.push(...elements);
      return [];
    }
    ownElements.push(...elements.filter(({ name }) => isHeadMember(name)));
    const parts = elements.filter(({ name }) => name === container.name);
    return parts.flatMap((part) => {
      const path = `${container.name}[${count}]`;
      count += 1;
      const bundlePlace = container.place === 'entry' ? nextPlace(bundle) : undefined;
      return unfoldJson(writeElementAsJson(part, container.type), container.place, path, { bundlePlace });
    });
  };
  try {
    for await (const text of decodeChunks(chunks)) yield* unfoldElements(reader.feed(text));
    yield* unfoldElements(reader.end());
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    if (!reader.root && error.fault.messageCode === 'xml.otherNamespace') {
      yield { path: '', skipReason: messages.otherXml() };
      return;
    }
    const container = reader.root && containers[reader.root.name];
    yield { path: container ? `${container.name}[${count}]` : '', problem: error.fault };
    return;
  }
  const { root } = reader;
  if (!root) return;
  const text = writeResourceAsJson({ ...root, children: ownElements });
  if (containers[root.name]) completeBundle(bundle, objectIn(text));
  else yield* unfoldJson(text);
}

/** Decodes UTF-8, or UTF-16 with a byte order mark: each XML reader must know both (XML 1.0, 2.2). */
async function* decodeChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      yield decoder.decode(chunk, { stream: true });
    }
    if (decoder) yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new XmlError(messages.otherEncoding());
    throw error;
  }
}

function encodingOf([byte0, byte1]: Uint8Array): string {
  if (byte0 === 0xff && byte1 === 0xfe) return 'utf-16le';
  return byte0 === 0xfe && byte1 === 0xff ? 'utf-16be' : 'utf-8';
}
