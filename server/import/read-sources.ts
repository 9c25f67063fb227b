/**
 * Reads what an import is given: JSON files, NDJSON files, Bundles and folders of these, one record at a time. Called
 * by the importer. Invariant: a record's text reaches the importer with every digit as it stood in the file.
 */
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FhirError } from '../../core/fhir/outcome.ts';
import { items, member, stringMember } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';
import { readJson } from '../../core/fhir/record.ts';

/** One candidate: where it stands, and its text or why it cannot be read. */
export interface Candidate {
  /** The file, with the line or the entry's number behind a colon. */
  readonly name: string;
  readonly text?: string;
  readonly fault?: string;
}

export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
}

const extensions = ['.json', '.ndjson', '.jsonl'];

/** The files that the paths name; a folder gives the JSON and NDJSON files below it, in the order of their names. */
export async function findFiles(paths: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const path of paths) {
    const found = await stat(path);
    if (!found.isDirectory()) {
      files.push({ path, bytes: found.size });
      continue;
    }
    const names = await readdir(path, { recursive: true, withFileTypes: true });
    const inside = names.filter(
      (name) => name.isFile() && extensions.includes(extname(name.name).toLowerCase()),
    );
    for (const file of inside.map((name) => join(name.parentPath, name.name)).sort()) {
      files.push({ path: file, bytes: (await stat(file)).size });
    }
  }
  return files;
}

/** The candidates of one file; NDJSON is read line by line, any other file whole. */
export function readCandidates({ path }: SourceFile): AsyncIterable<Candidate> {
  return extname(path).toLowerCase() === '.json' ? readWhole(path) : readLines(path);
}

async function* readWhole(path: string): AsyncGenerator<Candidate> {
  const text = decode(await readFile(path));
  if (text === undefined) {
    yield { name: path, fault: notUtf8 };
    return;
  }
  // A Bundle may nest its entries three levels deeper than a record alone.
  const root = tryScan(text);
  if (stringMember(root, 'resourceType') !== 'Bundle') {
    yield { name: path, text };
    return;
  }
  for (const [index, entry] of items(member(root, 'entry')).entries()) {
    const resource = member(entry, 'resource');
    if (resource) yield { name: `${path}:${index + 1}`, text: print(resource) };
  }
}

function tryScan(text: string) {
  try {
    return scan(text, maxDepth + 3).root;
  } catch {
    return undefined;
  }
}

async function* readLines(path: string): AsyncGenerator<Candidate> {
  let line = 0;
  for await (const bytes of lines(createReadStream(path))) {
    line += 1;
    const name = `${path}:${line}`;
    const text = decode(bytes);
    if (text === undefined) yield { name, fault: notUtf8 };
    else if (text.trim() !== '') yield { name, text };
  }
}

const lineFeed = 0x0a;

/** Splits bytes, not characters: a decoder on the stream would silently mend what is not UTF-8. */
async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, at)]);
      rest = [];
      start = at + 1;
    }
    rest.push(chunk.subarray(start));
  }
  yield Buffer.concat(rest);
}

const notUtf8 = 'The text is not UTF-8 throughout.';

/** The text without a byte order mark, or undefined where the bytes are not UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The resourceType that a candidate's text names; undefined where it is no JSON object with one. */
export function typeNamed(text: string): string | undefined {
  return stringMember(readJson(text, 'Record'), 'resourceType');
}

/** One sentence for a refused record, with the element where one is named. */
export function sentenceOf(error: FhirError): string {
  const [problem] = error.problems;
  const more = error.problems.length > 1 ? ` (and ${error.problems.length - 1} more)` : '';
  const where = problem?.expression === undefined ? '' : ` At ${problem.expression}.`;
  return `${problem?.text ?? error.message}${where}${more}`;
}
