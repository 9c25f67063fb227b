import { items, member, stringMember, type JsonObject } from '../json/node.ts';
import { defineMessages } from '../text/message.ts';
import type { FileImportEntry, Manifest } from './entry.ts';

const messages = defineMessages('import', {
  manifest: { one: 'Manifest of an export of {n} file.', other: 'Manifest of an export of {n} files.' },
  missingFile: '{name} is missing, although the manifest lists it.',
  otherCount: '{name} contains {count} resources, although the manifest lists {listed}.',
});

const lists = ['output', 'deleted', 'error'];

/** Returns the manifest in a JSON object; undefined for other JSON. */
export function readManifest(root: JsonObject): Manifest | undefined {
  const isManifest =
    stringMember(root, 'resourceType') === undefined &&
    stringMember(root, 'transactionTime') !== undefined &&
    member(root, 'output')?.kind === 'array';
  if (!isManifest) return undefined;
  const files = lists.flatMap((list) =>
    items(member(root, list)).map((file, index) => {
      const count = list === 'output' ? member(file, 'count') : undefined;
      return {
        path: `${list}[${index}]`,
        name: nameOf(stringMember(file, 'url') ?? ''),
        ...(count?.kind === 'number' && { count: Number(count.source) }),
      };
    }),
  );
  return { files, skipReason: messages.manifest({ n: files.length }) };
}

/** Returns the last part of a path or an address, without the extension of packed files. */
function nameOf(path: string): string {
  const name = path.replace(/[?#].*$/, '').replace(/^.*[/\\]/, '');
  return name.replace(/\.gz$/i, '');
}

/** Compares the files of an import with the manifests among them. */
export class ManifestCheck {
  private readonly manifests: { readonly file: string; readonly manifest: Manifest }[] = [];
  private readonly counts = new Map<string, number>();

  add({ file, manifest, text, problem }: FileImportEntry): void {
    if (manifest) this.manifests.push({ file, manifest });
    const name = nameOf(file);
    const isResource = text !== undefined || problem !== undefined;
    this.counts.set(name, (this.counts.get(name) ?? 0) + (isResource ? 1 : 0));
  }

  /** Returns an entry for each listed file that is missing or incomplete. */
  *findProblems(): Generator<FileImportEntry> {
    for (const { file, manifest } of this.manifests) {
      // Files that all have other names were renamed.
      if (!manifest.files.some(({ name }) => this.counts.has(name))) continue;
      for (const { path, name, count: listed } of manifest.files) {
        const count = this.counts.get(name);
        const location = { file, source: '', path };
        if (count === undefined) yield { ...location, problem: messages.missingFile({ name }) };
        else if (listed !== undefined && count !== listed)
          yield { ...location, problem: messages.otherCount({ name, count, listed }) };
      }
    }
  }
}
