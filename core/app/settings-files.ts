/**
 * Reads and writes settings as a folder of files that can be versioned with Git. Pure, so that server,
 * command line and page agree. An export removes `listPreviousFiles` and no other files.
 */
import * as v from 'valibot';
import { readJson } from '../fhir/record.ts';
import { FhirError, type Problem } from '../fhir/outcome.ts';
import type { Shape } from '../json/shape.ts';
import { matchesSchema } from '../json/shape.ts';
import { defineMessages, type Message } from '../text/message.ts';
import type { Check } from './check.ts';
import { SentParameters } from './coded-message.ts';
import { serializeNode } from '../json/node.ts';
import { byText, kinds, type PortableItem, type PortableKind } from './settings-kinds.ts';
import { foldedPath, safeName } from './settings-names.ts';

const messages = defineMessages('settings', {
  noHead: '{path} not found. This is not a Chartkeeper settings export.',
  unknownFormat: 'Unknown format. Expected “{format}” with a version.',
  newer: 'Written by a newer Chartkeeper. This one reads version {version}.',
  unknownFile: 'Not a settings file.',
  secret: '{member} looks like a secret. Remove it from the file and enter it in the connection.',
});

const SettingsFile = v.strictObject({
  /** Relative path, with `/` on every system. */
  path: v.string(),
  text: v.string(),
});
export type SettingsFile = Shape<typeof SettingsFile>;

/** `GET /app/settings/files`. The page saves this object if it cannot write a folder. */
export const SettingsFiles = v.strictObject({ files: v.array(SettingsFile) });
export type SettingsFiles = Shape<typeof SettingsFiles>;

/** Body of `POST /app/settings/files`. */
export const SettingsImport = v.strictObject({ ...SettingsFiles.entries, dryRun: v.boolean() });

/** Results of an import by file, also of a dry run. */
export const settingsResults = ['new', 'changed', 'same', 'refused'] as const;
export type SettingsResult = (typeof settingsResults)[number];

const SettingsLine = v.object({
  path: v.string(),
  result: v.picklist(settingsResults),
  /** Reason of a rejection, or a summary of the changes. */
  text: v.exactOptional(v.string()),
  messageCode: v.exactOptional(v.string()),
  parameters: v.exactOptional(SentParameters),
});
export type SettingsLine = Shape<typeof SettingsLine>;

/** Response of `POST /app/settings/files`, in order of application. */
export const SettingsOutcome = v.object({ dryRun: v.boolean(), lines: v.array(SettingsLine) });
export type SettingsOutcome = Shape<typeof SettingsOutcome>;

export const headPath = 'chartkeeper.json';
const format = 'chartkeeper-settings';
const version = 1;

/** Names of all kinds, in order of application. */
export const kindNames = Object.keys(kinds) as readonly PortableKind[];

/** Folders of settings files. Other files are at the top. */
export const settingsFolders = kindNames.flatMap((kind) => kinds[kind].folder ?? []);

/** Returns the files of the settings by path. Equal settings give equal bytes. */
export function settingsFiles(items: readonly PortableItem[]): SettingsFile[] {
  const usedPaths = new Set<string>();
  const files = items
    .map((item): readonly [string, PortableItem] => [pathOf(item, ''), item])
    .sort(byText)
    .map(([preferredPath, item]) => {
      let freePath = preferredPath;
      for (let next = 2; usedPaths.has(foldedPath(freePath)); next += 1)
        freePath = pathOf(item, ` (${next})`);
      usedPaths.add(foldedPath(freePath));
      return { path: freePath, text: textOf(item.value) };
    });
  return [{ path: headPath, text: textOf({ format, version }) }, ...files];
}

function pathOf<Kind extends PortableKind>({ kind, value }: PortableItem<Kind>, mark: string): string {
  const { folder, names } = kinds[kind];
  const name = names(value).map(safeName).join('/');
  return `${folder === undefined ? '' : `${folder}/`}${name}${mark}.json`;
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the kind of a file by its path; undefined for an unknown path. */
export function kindOfPath(path: string): PortableKind | undefined {
  const [topFolder = '', ...inner] = path.split('/');
  return kindNames.find((kind) => {
    const { folder } = kinds[kind];
    if (folder === undefined) return path === `${kind}.json`;
    return topFolder === folder && inner.length > 0 && inner.length <= 2 && /.\.json$/i.test(path);
  });
}

/** Returns true if an import must read a file at this path. */
export function isSettingsPath(path: string): boolean {
  return path === headPath || kindOfPath(path) !== undefined;
}

/**
 * Returns the paths of a previous export that are not in the new one. Excludes files that are not valid
 * settings, and all files of a folder without the header file.
 */
export function listPreviousFiles(
  existingFiles: readonly SettingsFile[],
  files: readonly SettingsFile[],
): string[] {
  if (headProblem(existingFiles) !== undefined) return [];
  const newPaths = new Set(files.map(({ path }) => path));
  return existingFiles
    .filter((file) => !newPaths.has(file.path) && 'value' in readFile(file))
    .map(({ path }) => path);
}

/** Returns the problem of the whole import; undefined if there is none. */
export function headProblem(files: readonly SettingsFile[]): readonly Problem[] | undefined {
  const headerFile = files.find(({ path }) => path === headPath);
  if (!headerFile) return [messages.noHead({ path: headPath })];
  const parsed = readText(headerFile.text);
  if ('problems' in parsed) return parsed.problems;
  if (!matchesSchema(v.looseObject({ format: v.literal(format), version: v.number() }), parsed.value)) {
    return [messages.unknownFormat({ format })];
  }
  if (matchesSchema(v.strictObject({ format: v.string(), version: v.literal(version) }), parsed.value))
    return undefined;
  return [messages.newer({ version })];
}

/** Parses one file, or returns its problems. */
export function readFile({ path, text }: SettingsFile): Check<PortableItem> {
  const kind = kindOfPath(path);
  if (!kind) return { problems: [messages.unknownFile()] };
  const parsed = readText(text);
  if ('problems' in parsed) return parsed;
  const secret = secretIn(parsed.value);
  return secret ? { problems: [secret] } : readItem(kind, parsed.value);
}

function readItem<Kind extends PortableKind>(kind: Kind, input: unknown): Check<PortableItem<Kind>> {
  const checked = kinds[kind].check(input);
  return 'value' in checked ? { value: { kind, value: checked.value } } : checked;
}

/** Parses JSON text. Some editors add a byte order mark. */
function readText(text: string): Check<unknown> {
  try {
    return { value: JSON.parse(serializeNode(readJson(text.replace(/^\uFEFF/, ''), ''))) };
  } catch (error) {
    if (error instanceof FhirError)
      return {
        problems: error.problems.map(({ text: messageText, messageCode, parameters }) => ({
          text: messageText,
          messageCode,
          ...(parameters && { parameters }),
        })),
      };
    throw error;
  }
}

/** Joins the messages of problems, each after its element. */
export function sentences(problems: readonly Problem[]): string {
  return problems
    .map(({ text, expression }) => (expression === undefined ? text : `${expression}: ${text}`))
    .join(' ');
}

/** Names of members that may contain a secret. */
const secretName =
  /secret|passw|pass_?(?:phrase|code)|private_?key|api_?key|credential|^(?:proxy)?authorization$|^cookie$|(?:^|_)(?:access|refresh|id|bearer)?_?token$/i;

/** Keys, signed tokens, and addresses with a password. */
const secretText =
  /-----BEGIN [A-Z ]*PRIVATE KEY|^(?:Bearer|Basic) \S|^eyJ[\w-]+\.[\w-]+\.|^[a-z]+:\/\/[^/\s]*:[^/\s]*@/i;

/**
 * Returns a message about a likely secret in a value. It names the member and quotes nothing, because others
 * can read the folder. Undefined if there is no secret.
 */
export function secretIn(value: unknown, path = ''): Message | undefined {
  if (typeof value === 'string') return secretText.test(value) ? createSecretMessage(path) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, memberValue] of Object.entries(value)) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    const message = secretName.test(name)
      ? createSecretMessage(memberPath)
      : secretIn(memberValue, memberPath);
    if (message) return message;
  }
  return undefined;
}

function createSecretMessage(memberPath: string): Message {
  return messages.secret({ member: memberPath });
}
