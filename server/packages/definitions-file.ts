/** What is read of a package, in one file: the definitions' texts one behind the other, an index, and where that begins. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';

export const definitionKinds = ['StructureDefinition', 'ValueSet', 'CodeSystem'] as const;
export type DefinitionKind = (typeof definitionKinds)[number];

const Entry = v.object({
  kind: v.picklist(definitionKinds),
  url: v.string(),
  /** Empty where it has none. */
  version: v.string(),
  title: v.string(),
  /** Bytes from the beginning of the file, and their number. */
  at: v.number(),
  length: v.number(),
  /** Canonicals without which it cannot be applied to the end. */
  needs: v.array(v.string()),
  /** Of a CodeSystem that does not list its codes. */
  isIncomplete: v.boolean(),
  /** Of a StructureDefinition: what it constrains, and whether its snapshot is there. */
  profile: v.exactOptional(v.object({ type: v.string(), snapshot: v.boolean() })),
});
export type Entry = Shape<typeof Entry>;

const Head = v.object({
  name: v.string(),
  version: v.string(),
  title: v.string(),
  /** Version by the name of the package. */
  dependencies: v.record(v.string(), v.string()),
});
export type PackageHead = Shape<typeof Head>;

const Index = v.object({
  ...Head.entries,
  /** Of the content that it was read from. */
  sha256: v.string(),
  /** Tells that the source is still the one that was read. */
  source: v.string(),
  entries: v.array(Entry),
  /** Files that are no definitions, and those that could not be read, a sentence each. */
  others: v.number(),
  notes: v.array(v.string()),
});
export type PackageIndex = Shape<typeof Index>;

/** Changes whenever files of an older program are to be made anew. */
const format = 'chartkeeper-definitions-1';

/** Bytes of the end of the file: the format, and where the index begins. */
const tail = format.length + 16;

/** Writes definitions as they come; `end` makes the file whole. */
export async function writeDefinitions(path: string) {
  const file: FileHandle = await open(path, 'wx', 0o600);
  let at = 0;
  const append = async (bytes: Uint8Array) => {
    await file.writeFile(bytes);
    at += bytes.length;
  };
  return {
    /** Where the text stands. */
    async add(bytes: Uint8Array): Promise<{ readonly at: number; readonly length: number }> {
      const place = { at, length: bytes.length };
      await append(bytes);
      return place;
    },
    async end(index: PackageIndex): Promise<void> {
      const begin = at;
      await append(Buffer.from(JSON.stringify(index)));
      await append(Buffer.from(format + String(begin).padStart(16)));
      await file.sync();
    },
    close: () => file.close(),
  };
}

/** The index of a file; undefined where there is none, or it is not whole. */
export function readIndex(path: string): PackageIndex | undefined {
  return withFile(path, (file) => {
    const end = fstatSync(file).size - tail;
    const closing = end < 0 ? '' : bytesOf(file, end, tail).toString();
    if (!closing.startsWith(format)) return undefined;
    const begin = Number(closing.slice(format.length));
    return begin > end ? undefined : parseAs(Index, bytesOf(file, begin, end - begin).toString());
  });
}

/** The parsed text of a definition; undefined where it cannot be read. */
export function readDefinition(path: string, { at, length }: Entry): unknown {
  return withFile(path, (file) => JSON.parse(bytesOf(file, at, length).toString()) as unknown);
}

function bytesOf(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

/** What is read of a file that anybody may have damaged or removed. */
function withFile<T>(path: string, read: (file: number) => T): T | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return read(file);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
