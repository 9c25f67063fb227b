/** The records of the page's benchmark: a small clinic, and a large document made from it. */
import { generateClinic } from '../../server/demo/generate.ts';
import type { Server } from '../processes.ts';
import { recordBytes } from './options.ts';

interface DocumentJson {
  resourceType: string;
  id?: string;
  subject: { reference: string };
  section: { title: string }[];
}

/** Subject of the large record only, to find it by search. */
export const largePatient = 'bench-large';

/** The title of the section in the middle of the large record. */
export const middleTitle = 'Section in the middle';

/**
 * Documents for the reading view, by the patient that only they refer to, with a description of their size.
 */
export const readDocuments = {
  'bench-long': { title: 'a document of 5 MB', sections: 120, words: 6_400 },
  'bench-many': { title: 'a document of 28,000 sections', sections: 28_000, words: 0 },
} as const;

/** Stores the documents for the reading view. */
export async function storeDocuments(server: Server): Promise<void> {
  for (const [patient, { sections, words }] of Object.entries(readDocuments)) {
    const paragraph = `<p>${'Seen on the ward. '.repeat(words / 3 / 16)}</p>`;
    const div = `<div xmlns='http://www.w3.org/1999/xhtml'>${paragraph.repeat(16)}</div>`;
    const text = words > 0 ? `"text":{"status":"generated","div":"${div}"},` : '';
    const section = Array.from(
      { length: sections },
      (_, index) => `{"title":"Part ${index}",${text}"entry":[{"reference":"Observation/${index}"}]}`,
    );
    await send(
      server,
      '/fhir-r4/v1/Composition',
      'application/json',
      `{"resourceType":"Composition","status":"final","type":{"text":"Letter"},"subject":{"reference":"Patient/${patient}"},"date":"2026-01-01","author":[{"display":"Ward 3"}],"title":"Letter","section":[${section.join(',')}]}`,
    );
  }
}

/** Stores the clinic and the large record. Returns the id of the large record. */
export async function storeRecords(server: Server, patients: number): Promise<string> {
  const clinic = [...generateClinic({ patients })];
  const lines = clinic.map(({ text }) => text).join('\n');
  const report = await send(server, '/app/import', 'application/x-ndjson', lines);
  if (!report.includes(`"stored":${clinic.length}`)) throw new Error(`The import was not whole: ${report}`);
  const document = clinic.find(({ type }) => type === 'Composition');
  if (!document) throw new Error('The clinic has no document to grow.');
  const responseText = await send(
    server,
    '/fhir-r4/v1/Composition',
    'application/json',
    enlarge(document.text),
  );
  return (JSON.parse(responseText) as { id: string }).id;
}

/** Creates a document of {@link recordBytes} by repeating its sections, each with a unique title. */
function enlarge(text: string): string {
  const document = JSON.parse(text) as DocumentJson;
  delete document.id;
  document.subject.reference = `Patient/${largePatient}`;
  const { section } = document;
  const bytes = Buffer.byteLength(JSON.stringify(section)) / section.length;
  const count = Math.ceil((recordBytes - Buffer.byteLength(text)) / bytes) + section.length;
  document.section = Array.from({ length: count }, (_, index) => ({
    ...(section[index % section.length] ?? { title: '' }),
    title: index === Math.floor(count / 2) ? middleTitle : `Section ${index}`,
  }));
  return JSON.stringify(document);
}

async function send({ port, token }: Server, path: string, type: string, body: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}
