import { hash } from 'node:crypto';
import { stat, lstat, readdir, readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { matchesSchema, parseAs } from '../../core/json/shape.ts';
import { formatList, formatPlural } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import {
  filesOfArchive,
  toDisplayPath,
  checkFile,
  linkIn,
  tooLarge,
  tooManyFiles,
  type PackageFile,
} from './archive.ts';
import {
  definitionKinds,
  writeDefinitions,
  type DefinitionKind,
  type Entry,
  type PackageManifest,
  type PackageIndex,
} from './definitions-file.ts';
import { packageLimits, PackageError } from './limits.ts';
import { isIncomplete, needsOf } from './needs.ts';
import { join, relative, sep } from 'node:path';

const messages = defineMessages('package.content', {
  noManifest: 'Not a FHIR package: package/package.json is missing.',
  badManifest: 'package/package.json has no name and version of a FHIR package.',
  otherRelease: 'The package is for FHIR {versions}. Only R4 (4.0.1) is supported.',
  sameDefinition: '{file} defines the same as another file and is skipped.',
  notJson: '{file} is not JSON and is skipped.',
  noUrl: '{file} is a {type} without a url and is skipped.',
});

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

/** Mentions of {@link definitionKinds}: other files need not be parsed. */
const mentioned = /"resourceType"\s*:\s*"(?:StructureDefinition|ValueSet|CodeSystem)"/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns an identifier of the source that changes with its content. */
export async function sourceOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return (await isFolder(path)) ? hash('sha256', await tellFolder(path)) : `${size} ${mtimeMs}`;
}

/**
 * Reads a package, a `.tgz`, `.tar` or folder, into the file of its definitions at `target`, which is new.
 *
 * @throws PackageError with a sentence, and leaves a `target` that is not whole.
 */
export async function readPackage(path: string, target: string): Promise<PackageIndex> {
  const folder = await isFolder(path);
  const source = await sourceOf(path);
  const output = await writeDefinitions(target);
  try {
    const entries: Entry[] = [];
    const notes = new Notes();
    const knownUrls = new Set<string>();
    const contents: string[] = [];
    let head: PackageManifest | undefined;
    let otherCount = 0;
    for await (const file of folder ? filesOfFolder(path) : filesOfArchive(path)) {
      if (!/^package\/[^/]+\.json$/.test(file.path)) {
        otherCount += 1;
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
        otherCount += 1;
        continue;
      }
      const key = `${entry.kind} ${entry.url}|${entry.version}`;
      if (knownUrls.has(key)) notes.add(messages.sameDefinition({ file: toDisplayPath(file.path) }).text);
      else entries.push({ ...entry, ...(await output.add(bytes)) });
      knownUrls.add(key);
    }
    if (!head) throw new PackageError(messages.noManifest());
    // Identical for a folder and an archive.
    const sha256 = hash('sha256', contents.sort().join('\n'));
    const index = { ...head, sha256, source, entries, others: otherCount, notes: notes.list() };
    await output.end(index);
    return index;
  } finally {
    await output.close();
  }
}

/** Sentences on single files, as many as a person reads. */
class Notes {
  private readonly notes: string[] = [];
  private omittedCount = 0;

  add(note: string): void {
    if (this.notes.length < packageLimits.notes) this.notes.push(note);
    else this.omittedCount += 1;
  }

  list(): string[] {
    if (this.omittedCount === 0) return this.notes;
    const moreText = formatPlural(this.omittedCount, {
      one: 'The same applies to {n} more file.',
      other: 'The same applies to {n} more files.',
    });
    return [...this.notes, moreText];
  }
}

function headOf(bytes: Buffer): PackageManifest {
  const manifest = parseAs(Manifest, bytes.toString());
  if (!manifest) {
    throw new PackageError(messages.badManifest());
  }
  const { name, version, title = name, dependencies } = manifest;
  const versions = manifest.fhirVersions ?? manifest['fhir-version-list'] ?? [];
  if (versions.length > 0 && !versions.some((fhirVersion) => fhirVersion.startsWith('4.0'))) {
    throw new PackageError(messages.otherRelease({ versions: toDisplayPath(formatList(versions)) }));
  }
  return { name, version, title, dependencies };
}

/** Returns the definition in a file. Undefined for other content; an unreadable file is noted. */
function definitionIn(path: string, bytes: Buffer, notes: Notes): Omit<Entry, 'at' | 'length'> | undefined {
  const text = textOf(bytes);
  if (text !== undefined && !mentioned.test(text)) return undefined;
  const parsed = parse(text);
  if (parsed === undefined) {
    notes.add(messages.notJson({ file: toDisplayPath(path) }).text);
    return undefined;
  }
  const resourceType = matchesSchema(v.looseObject({ resourceType: v.string() }), parsed)
    ? parsed.resourceType
    : '';
  // A Bundle of definitions mentions them too.
  if (!definitionKinds.some((kind) => kind === resourceType)) return undefined;
  const parsedDefinition = v.safeParse(Definition, parsed);
  if (!parsedDefinition.success) {
    notes.add(messages.noUrl({ file: toDisplayPath(path), type: resourceType }).text);
    return undefined;
  }
  const {
    resourceType: kind,
    url,
    version,
    name,
    title,
    type,
    derivation,
    snapshot,
  } = parsedDefinition.output;
  const profile = profileOf(kind, type, derivation, snapshot);
  return {
    kind,
    url,
    version,
    title: title || name || url,
    ...profile,
    needs: needsOf(parsedDefinition.output),
    isIncomplete: isIncomplete(parsedDefinition.output),
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

/**
 * Yields the files of an unpacked package: a folder that contains `package`, or that folder itself. Reads
 * only direct entries and follows no links.
 *
 * @throws PackageError if it is too large or contains a link.
 */
async function* filesOfFolder(folder: string): AsyncGenerator<PackageFile> {
  let bytes = 0;
  let files = 0;
  for (const path of await jsonFilesOf(folder)) {
    const status = await lstat(path);
    const name = `package/${path.split(sep).at(-1) ?? ''}`;
    if (status.isSymbolicLink()) throw linkIn(name);
    if (!status.isFile()) continue;
    bytes += status.size;
    files += 1;
    checkFile(files, status.size, name);
    if (bytes > packageLimits.unpacked) throw tooLarge();
    yield { path: name, bytes: () => readFile(path) };
  }
}

/** Returns a fingerprint of a folder's content: names, sizes and times. */
async function tellFolder(folder: string): Promise<string> {
  const pendingStats = (await jsonFilesOf(folder)).map(async (path) => {
    const { size, mtimeMs } = await lstat(path);
    return `${relative(folder, path)} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(pendingStats)).join('\n');
}

async function jsonFilesOf(folder: string): Promise<string[]> {
  const inner = join(folder, 'package');
  const hasInnerFolder = await stat(inner).then(
    (innerStatus) => innerStatus.isDirectory(),
    () => false,
  );
  const packageFolder = hasInnerFolder ? inner : folder;
  const names = await readdir(packageFolder);
  if (names.length > packageLimits.files) throw tooManyFiles();
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(packageFolder, name));
}
