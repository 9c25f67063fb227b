/** The records of the page's benchmark: a small clinic, and one large document that is grown from it. */
import { generateClinic } from '../../server/demo/generate.ts';
import type { Server } from '../processes.ts';
import { recordBytes } from './options.ts';

interface Grown {
  resourceType: string;
  id?: string;
  subject: { reference: string };
  section: { title: string }[];
}

/** Finds the large record in the search: it alone has this subject. */
export const largePatient = 'bench-large';

/** The title of the section in the middle of the large record. */
export const middleTitle = 'Section in the middle';

/** Documents that are read, by the patient whom each alone is about: what is large in them. */
export const readDocuments = {
  'bench-long': { what: 'a document of 5 MB', sections: 120, words: 6_400 },
  'bench-many': { what: 'a document of 28,000 sections', sections: 28_000, words: 0 },
} as const;

/** Stores the documents that are read. */
export async function storeDocuments(server: Server): Promise<void> {
  for (const [patient, { sections, words }] of Object.entries(readDocuments)) {
    const paragraph = `<p>${'Seen on the ward. '.repeat(words / 3 / 16)}</p>`;
    const div = `<div xmlns='http://www.w3.org/1999/xhtml'>${paragraph.repeat(16)}</div>`;
    const text = words > 0 ? `"text":{"status":"generated","div":"${div}"},` : '';
    const section = Array.from(
      { length: sections },
      (_, at) => `{"title":"Part ${at}",${text}"entry":[{"reference":"Observation/${at}"}]}`,
    );
    await send(
      server,
      '/fhir-r4/v1/Composition',
      'application/json',
      `{"resourceType":"Composition","status":"final","type":{"text":"Letter"},"subject":{"reference":"Patient/${patient}"},"date":"2026-01-01","author":[{"display":"Ward 3"}],"title":"Letter","section":[${section.join(',')}]}`,
    );
  }
}

/** Stores both; the id of the large record. */
export async function storeRecords(server: Server, patients: number): Promise<string> {
  const clinic = [...generateClinic({ patients })];
  const lines = clinic.map(({ text }) => text).join('\n');
  const report = await send(server, '/app/import', 'application/x-ndjson', lines);
  if (!report.includes(`"stored":${clinic.length}`)) throw new Error(`The import was not whole: ${report}`);
  const document = clinic.find(({ type }) => type === 'Composition');
  if (!document) throw new Error('The clinic has no document to grow.');
  const stored = await send(server, '/fhir-r4/v1/Composition', 'application/json', grow(document.text));
  return (JSON.parse(stored) as { id: string }).id;
}

/** A document of {@link recordBytes}: its own sections over and over, each with a title of its own. */
function grow(text: string): string {
  const document = JSON.parse(text) as Grown;
  delete document.id;
  document.subject.reference = `Patient/${largePatient}`;
  const { section } = document;
  const bytes = Buffer.byteLength(JSON.stringify(section)) / section.length;
  const count = Math.ceil((recordBytes - Buffer.byteLength(text)) / bytes) + section.length;
  document.section = Array.from({ length: count }, (_, at) => ({
    ...(section[at % section.length] ?? { title: '' }),
    title: at === Math.floor(count / 2) ? middleTitle : `Section ${at}`,
  }));
  return JSON.stringify(document);
}

async function send({ port, token }: Server, path: string, type: string, body: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text;
}
