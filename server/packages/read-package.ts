import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import * as v from 'valibot';
import { is, parseAs } from '../../core/json/shape.ts';
import { filesOfArchive, shown } from './archive.ts';
import {
  definitionKinds,
  writeDefinitions,
  type DefinitionKind,
  type Entry,
  type PackageHead,
  type PackageIndex,
} from './definitions-file.ts';
import { filesOfFolder, tellFolder } from './folder.ts';
import { packageLimits, PackageFault } from './limits.ts';
import { isIncomplete, needsOf } from './needs.ts';

const words = v.exactOptional(v.string(), '');

const Manifest = v.object({
  name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)),
  version: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9.+_-]{0,63}$/)),
  title: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  fhirVersions: v.exactOptional(v.array(v.string())),
  'fhir-version-list': v.exactOptional(v.array(v.string())),
  dependencies: v.exactOptional(v.record(v.string(), v.string()), {}),
});

const Definition = v.looseObject({
  resourceType: v.picklist(definitionKinds),
  url: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  version: words,
  name: words,
  title: words,
  type: words,
  snapshot: v.exactOptional(v.unknown()),
  derivation: v.exactOptional(v.string()),
});

/** Of {@link definitionKinds}: what is not mentioned need not be parsed. */
const mentioned = /"resourceType"\s*:\s*"(?:StructureDefinition|ValueSet|CodeSystem)"/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether the source is still the one that was read. */
export async function sourceOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return (await isFolder(path)) ? hash('sha256', await tellFolder(path)) : `${size} ${mtimeMs}`;
}

/**
 * Reads a package, a `.tgz`, `.tar` or folder, into the file of its definitions at `target`, which is new.
 *
 * @throws PackageFault with a sentence, and leaves a `target` that is not whole.
 */
export async function readPackage(path: string, target: string): Promise<PackageIndex> {
  const folder = await isFolder(path);
  const source = await sourceOf(path);
  const out = await writeDefinitions(target);
  try {
    const entries: Entry[] = [];
    const notes = new Notes();
    const known = new Set<string>();
    const contents: string[] = [];
    let head: PackageHead | undefined;
    let others = 0;
    for await (const file of folder ? filesOfFolder(path) : filesOfArchive(path)) {
      if (!/^package\/[^/]+\.json$/.test(file.path)) {
        others += 1;
        continue;
      }
      const bytes = await file.bytes();
      contents.push(`${file.path} ${hash('sha256', bytes)}`);
      if (file.path === 'package/package.json') {
        head = headOf(bytes);
        continue;
      }
      const entry = definitionIn(file.path, bytes, notes);
      if (!entry) {
        others += 1;
        continue;
      }
      const key = `${entry.kind} ${entry.url}|${entry.version}`;
      if (known.has(key)) notes.add(`${shown(file.path)} defines what another file does, and is left out.`);
      else entries.push({ ...entry, ...(await out.add(bytes)) });
      known.add(key);
    }
    if (!head) throw new PackageFault('The file is no FHIR package: it has no package/package.json.');
    // The same whether it comes as a folder or packed.
    const sha256 = hash('sha256', contents.sort().join('\n'));
    const index = { ...head, sha256, source, entries, others, notes: notes.told() };
    await out.end(index);
    return index;
  } finally {
    await out.close();
  }
}

/** Sentences on single files, as many as a person reads. */
class Notes {
  private readonly all: string[] = [];
  private more = 0;

  add(note: string): void {
    if (this.all.length < packageLimits.notes) this.all.push(note);
    else this.more += 1;
  }

  told(): string[] {
    return this.more === 0 ? this.all : [...this.all, `The same is true of ${this.more} other files.`];
  }
}

function headOf(bytes: Buffer): PackageHead {
  const manifest = parseAs(Manifest, bytes.toString());
  if (!manifest) {
    throw new PackageFault('The package/package.json does not give the name and version of a FHIR package.');
  }
  const { name, version, title = name, dependencies } = manifest;
  const versions = manifest.fhirVersions ?? manifest['fhir-version-list'] ?? [];
  if (versions.length > 0 && !versions.some((one) => one.startsWith('4.0'))) {
    throw new PackageFault(
      `The package is of FHIR ${shown(versions.join(', '))}; R4 (4.0.1) is judged here.`,
    );
  }
  return { name, version, title, dependencies };
}

/** The definition in a file; undefined where it holds something else, or cannot be read, which is noted. */
function definitionIn(path: string, bytes: Buffer, notes: Notes): Omit<Entry, 'at' | 'length'> | undefined {
  const text = textOf(bytes);
  if (text !== undefined && !mentioned.test(text)) return undefined;
  const parsed = parse(text);
  if (parsed === undefined) {
    notes.add(`${shown(path)} is no JSON, and is left out.`);
    return undefined;
  }
  const named = is(v.looseObject({ resourceType: v.string() }), parsed) ? parsed.resourceType : '';
  // A Bundle of definitions mentions them too.
  if (!definitionKinds.some((kind) => kind === named)) return undefined;
  const read = v.safeParse(Definition, parsed);
  if (!read.success) {
    notes.add(`${shown(path)} is a ${named} without a url, and is left out.`);
    return undefined;
  }
  const { resourceType: kind, url, version, name, title, type, derivation, snapshot } = read.output;
  const profile = profileOf(kind, type, derivation, snapshot);
  return {
    ...{ kind, url, version, title: title || name || url, ...profile },
    ...{ needs: needsOf(read.output), isIncomplete: isIncomplete(read.output) },
  };
}

function profileOf(
  kind: DefinitionKind,
  type: string,
  derivation: string | undefined,
  snapshot: unknown,
): Pick<Entry, 'profile'> {
  if (kind !== 'StructureDefinition' || derivation !== 'constraint') return {};
  return { profile: { type, snapshot: snapshot !== undefined } };
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}
