/**
 * The definitions of one package in one file: their texts in sequence, an index, and the offset of the
 * index.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';

export const definitionKinds = ['StructureDefinition', 'ValueSet', 'CodeSystem'] as const;
export type DefinitionKind = (typeof definitionKinds)[number];

const Entry = v.object({
  kind: v.picklist(definitionKinds),
  url: v.string(),
  /** Empty if it has none. */
  version: v.string(),
  title: v.string(),
  /** Bytes from the beginning of the file, and their number. */
  at: v.number(),
  length: v.number(),
  /** Canonicals without which it cannot be applied to the end. */
  needs: v.array(v.string()),
  /** Of a CodeSystem that does not list its codes. */
  isIncomplete: v.boolean(),
  /** For a StructureDefinition: the constrained type, and true if it has a snapshot. */
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
export type PackageManifest = Shape<typeof Head>;

const Index = v.object({
  ...Head.entries,
  /** Of the content that it was read from. */
  sha256: v.string(),
  /** Identifies the source that was read. */
  source: v.string(),
  entries: v.array(Entry),
  /** A sentence for each file that is no definition or could not be read. */
  others: v.number(),
  notes: v.array(v.string()),
});
export type PackageIndex = Shape<typeof Index>;

/** Changes when files of an older program must be rebuilt. */
const format = 'chartkeeper-definitions-1';

/** Bytes at the end of the file: the format and the offset of the index. */
const tail = format.length + 16;

/** Writes definitions as they arrive; `end` completes the file. */
export async function writeDefinitions(path: string) {
  const file: FileHandle = await open(path, 'wx', 0o600);
  let offset = 0;
  const append = async (bytes: Uint8Array) => {
    await file.writeFile(bytes);
    offset += bytes.length;
  };
  return {
    async add(bytes: Uint8Array): Promise<{ readonly at: number; readonly length: number }> {
      const location = { at: offset, length: bytes.length };
      await append(bytes);
      return location;
    },
    async end(index: PackageIndex): Promise<void> {
      const begin = offset;
      await append(Buffer.from(JSON.stringify(index)));
      await append(Buffer.from(format + String(begin).padStart(16)));
      await file.sync();
    },
    close: () => file.close(),
  };
}

/** Returns the index of a file; undefined if it is missing or incomplete. */
export function readIndex(path: string): PackageIndex | undefined {
  return withFile(path, (file) => {
    const end = fstatSync(file).size - tail;
    const closing = end < 0 ? '' : bytesOf(file, end, tail).toString();
    if (!closing.startsWith(format)) return undefined;
    const begin = Number(closing.slice(format.length));
    return begin > end ? undefined : parseAs(Index, bytesOf(file, begin, end - begin).toString());
  });
}

/** Returns the parsed text of a definition; undefined if it cannot be read. */
export function readDefinition(path: string, { at: offset, length }: Entry): unknown {
  return withFile(path, (file) => JSON.parse(bytesOf(file, offset, length).toString()) as unknown);
}

function bytesOf(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}

/** Reads from a file that may be damaged or missing. */
function withFile<T>(path: string, readValue: (file: number) => T): T | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return readValue(file);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
