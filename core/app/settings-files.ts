/**
 * Settings as a folder of files that can lie in git, both ways; pure, so that server, command line and page agree. Who
 * writes a folder removes `formerFiles` and nothing else.
 */
import * as v from 'valibot';
import { readJson } from '../fhir/record.ts';
import { FhirError, type Problem } from '../fhir/outcome.ts';
import type { Shape } from '../json/shape.ts';
import { is } from '../json/shape.ts';
import type { Check } from './check.ts';
import { print } from '../json/print.ts';
import { byText, kinds, type CarriedItem, type CarriedKind } from './settings-kinds.ts';
import { foldedPath, safeName } from './settings-names.ts';

const SettingsFile = v.strictObject({
  /** Below the folder, with `/` on every system. */
  path: v.string(),
  text: v.string(),
});
export type SettingsFile = Shape<typeof SettingsFile>;

/** `GET /app/settings/files`; what the page saves where it cannot write a folder. */
export const SettingsFiles = v.strictObject({ files: v.array(SettingsFile) });
export type SettingsFiles = Shape<typeof SettingsFiles>;

/** `POST /app/settings/files`. */
export const SettingsImport = v.strictObject({ ...SettingsFiles.entries, dryRun: v.boolean() });

/** What an import does of a file, or would do. */
export const settingsResults = ['new', 'changed', 'same', 'refused'] as const;
export type SettingsResult = (typeof settingsResults)[number];

/** A file of an import. */
const SettingsLine = v.object({
  path: v.string(),
  result: v.picklist(settingsResults),
  /** Why it is refused; what changes. */
  text: v.exactOptional(v.string()),
});
export type SettingsLine = Shape<typeof SettingsLine>;

/** The answer of `POST /app/settings/files`, in the order in which they are taken. */
export const SettingsOutcome = v.object({ dryRun: v.boolean(), lines: v.array(SettingsLine) });
export type SettingsOutcome = Shape<typeof SettingsOutcome>;

export const headPath = 'chartkeeper.json';
const format = 'chartkeeper-settings';
const version = 1;

/** Names of all kinds, in the order in which they are taken. */
export const kindNames = Object.keys(kinds) as readonly CarriedKind[];

/** Folders that files of settings lie in, beside those that lie at the top. */
export const settingsFolders = kindNames.flatMap((kind) => kinds[kind].folder ?? []);

/** The files of what is held, by path: the same bytes for the same settings. */
export function settingsFiles(held: readonly CarriedItem[]): SettingsFile[] {
  const taken = new Set<string>();
  const named = held
    .map((item): readonly [string, CarriedItem] => [pathOf(item, ''), item])
    .sort(byText)
    .map(([path, item]) => {
      let free = path;
      for (let next = 2; taken.has(foldedPath(free)); next += 1) free = pathOf(item, ` (${next})`);
      taken.add(foldedPath(free));
      return { path: free, text: textOf(item.value) };
    });
  return [{ path: headPath, text: textOf({ format, version }) }, ...named];
}

function pathOf<Kind extends CarriedKind>({ kind, value }: CarriedItem<Kind>, mark: string): string {
  const { folder, names } = kinds[kind];
  const place = names(value).map(safeName).join('/');
  return `${folder === undefined ? '' : `${folder}/`}${place}${mark}.json`;
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The kind that a file is of by its path; undefined for a file that settings know nothing of. */
export function kindOfPath(path: string): CarriedKind | undefined {
  const [first = '', ...inner] = path.split('/');
  return kindNames.find((kind) => {
    const { folder } = kinds[kind];
    if (folder === undefined) return path === `${kind}.json`;
    return first === folder && inner.length > 0 && inner.length <= 2 && /.\.json$/i.test(path);
  });
}

/** Whether a file at this path is to be read for an import. */
export function isSettingsPath(path: string): boolean {
  return path === headPath || kindOfPath(path) !== undefined;
}

/**
 * Paths of what a former export left in a folder and this one does not have. Whatever cannot be read as a file of
 * settings is somebody else's, and so is all of a folder without the head of an export.
 */
export function formerFiles(found: readonly SettingsFile[], files: readonly SettingsFile[]): string[] {
  if (headProblem(found) !== undefined) return [];
  const kept = new Set(files.map(({ path }) => path));
  return found.filter((file) => !kept.has(file.path) && 'value' in readFile(file)).map(({ path }) => path);
}

/** Why none of these files can be taken over, in a sentence. */
export function headProblem(files: readonly SettingsFile[]): string | undefined {
  const head = files.find(({ path }) => path === headPath);
  if (!head) return `There is no ${headPath}: these are no settings that Chartkeeper exported.`;
  const read = readText(head.text);
  if ('problems' in read) return sentences(read.problems);
  if (!is(v.looseObject({ format: v.literal(format), version: v.number() }), read.value)) {
    return `It names no format "${format}" with a version.`;
  }
  if (is(v.strictObject({ format: v.string(), version: v.literal(version) }), read.value)) return undefined;
  return `It was written by a newer Chartkeeper: this one reads version ${version}, without further members.`;
}

/** Reads one file, or says what is wrong with it. */
export function readFile({ path, text }: SettingsFile): Check<CarriedItem> {
  const kind = kindOfPath(path);
  if (!kind) return { problems: [{ text: 'Settings have no file of this name.' }] };
  const read = readText(text);
  if ('problems' in read) return read;
  const secret = secretIn(read.value);
  return secret === undefined ? readItem(kind, read.value) : { problems: [{ text: secret }] };
}

function readItem<Kind extends CarriedKind>(kind: Kind, written: unknown): Check<CarriedItem<Kind>> {
  const read = kinds[kind].check(written);
  return 'value' in read ? { value: { kind, value: read.value } } : read;
}

/** Editors of some systems put a mark before the text. */
function readText(text: string): Check<unknown> {
  try {
    return { value: JSON.parse(print(readJson(text.replace(/^\uFEFF/, ''), ''))) };
  } catch (error) {
    if (error instanceof FhirError)
      return { problems: error.problems.map(({ text: said }) => ({ text: said })) };
    throw error;
  }
}

/** Problems as sentences, each with its element before it. */
export function sentences(problems: readonly Problem[]): string {
  return problems
    .map(({ text, expression }) => (expression === undefined ? text : `${expression}: ${text}`))
    .join(' ');
}

/** Members that may hold a secret, by their names. */
const secretName =
  /secret|passw|pass_?(?:phrase|code)|private_?key|api_?key|credential|^(?:proxy)?authorization$|^cookie$|(?:^|_)(?:access|refresh|id|bearer)?_?token$/i;

/** Keys, signed tokens, and addresses with a password, wherever they stand. */
const secretText =
  /-----BEGIN [A-Z ]*PRIVATE KEY|^(?:Bearer|Basic) \S|^eyJ[\w-]+\.[\w-]+\.|^[a-z]+:\/\/[^/\s]*:[^/\s]*@/i;

/**
 * What looks like a secret in a value, in a sentence that names its place and quotes nothing of it; undefined where
 * nothing does. Settings are read by whoever reads the folder.
 */
export function secretIn(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return secretText.test(value) ? refusal(place) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    const inner = place === '' ? name : `${place}.${name}`;
    const found = secretName.test(name) ? refusal(inner) : secretIn(held, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refusal(place: string): string {
  return `${place} looks like a secret. Remove it from the file, and enter it in the connection: files hold none.`;
}
