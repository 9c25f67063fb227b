import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ofJson, ofLines, type Candidate } from './candidates.ts';

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

/** The candidates of all files, one behind the other, each with the path of its file. */
export async function* candidatesOfAll(
  files: readonly SourceFile[],
  limit: number,
  onEnd: (file: SourceFile) => void,
): AsyncGenerator<Candidate> {
  for (const file of files) {
    for await (const candidate of candidatesOf(file, limit)) yield { ...candidate, file: file.path };
    onEnd(file);
  }
}

/** The candidates of one file: `.json` is a record or a Bundle, anything else NDJSON. */
export function candidatesOf({ path }: SourceFile, limit: number): AsyncIterable<Candidate> {
  const chunks = createReadStream(path);
  return extname(path).toLowerCase() === '.json' ? ofJson(chunks, limit) : ofLines(chunks, limit);
}
