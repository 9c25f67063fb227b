import type { Problem } from '../fhir/outcome.ts';
import { defined } from '../json/defined.ts';
import { formatList } from '../text/language.ts';
import { defineMessages, type Message } from '../text/message.ts';
import type { ConnectionSettings } from './connections.ts';
import {
  headPath,
  headProblem,
  kindNames,
  kindOfPath,
  readFile,
  sentences,
  type SettingsFile,
  type SettingsLine,
} from './settings-files.ts';
import { byText, kinds, localName, type PortableItem, type PortableKind } from './settings-kinds.ts';
import { foldedName } from './settings-names.ts';

const messages = defineMessages('settings', {
  sameName: '{path} has the same name.',
  noConnection: 'There is no connection named {name}.',
  full: 'There are already {n}. Remove one first.',
  changes: 'Changes {members}.',
});

/** Plan for one file: a line of the outcome, and the item to store if it is new or changed. */
export interface PlannedFile {
  readonly line: SettingsLine;
  readonly item?: PortableItem;
}

/** Plans the import of files over the existing items. It never removes an existing item. */
export function planImport(
  files: readonly SettingsFile[],
  existingItems: readonly PortableItem[],
): readonly PlannedFile[] {
  const problem = headProblem(files);
  if (problem) return [createRejectedFile(headPath, problem)];
  const plan = new ImportPlan(existingItems);
  return files
    .filter(({ path }) => path !== headPath)
    .map((file): readonly [string, SettingsFile] => [getSortKey(file), file])
    .sort(byText)
    .map(([, file]) => plan.add(file));
}

/** Returns a sort key: kinds in the order of the table, then paths. */
function getSortKey({ path }: SettingsFile): string {
  const kind = kindOfPath(path);
  return `${kind ? kindNames.indexOf(kind) : kindNames.length} ${path}`;
}

/** Existing items, plus those accepted so far. */
class ImportPlan {
  private readonly items: Map<string, PortableItem>;
  private readonly counts = new Map<string, number>();
  /** File of each accepted item, by key. */
  private readonly pathsByKey = new Map<string, string>();
  /** Keys of items that existed before. Only they can have secrets. */
  private readonly existingKeys: ReadonlySet<string>;

  constructor(existingItems: readonly PortableItem[]) {
    this.items = new Map(existingItems.map((item) => [keyOf(item), item]));
    this.existingKeys = new Set(this.items.keys());
    for (const item of existingItems) this.count(item);
  }

  add(file: SettingsFile): PlannedFile {
    const { path } = file;
    const parsed = readFile(file);
    if ('problems' in parsed) return createRejectedFile(path, parsed.problems);
    const { value: item } = parsed;
    const key = keyOf(item);
    const problem = this.problemOf(item, key);
    if (problem) return createRejectedFile(path, [problem]);
    this.pathsByKey.set(key, path);
    const previousItem = this.items.get(key);
    if (!previousItem) {
      this.count(item);
      this.items.set(key, item);
      return { line: { path, result: 'new' }, item };
    }
    const changes = changesOf(previousItem, item, this.connections());
    if (changes === undefined) return { line: { path, result: 'same' } };
    this.items.set(key, item);
    return { line: { path, result: 'changed', ...formatProblems(changes) }, item };
  }

  private connections(): ConnectionSettings[] {
    return [...this.items].flatMap(([key, item]) =>
      item.kind === 'connections' && this.existingKeys.has(key) ? [item.value] : [],
    );
  }

  private problemOf(item: PortableItem, key: string): Problem | undefined {
    const otherPath = this.pathsByKey.get(key);
    if (otherPath !== undefined) return messages.sameName({ path: otherPath });
    const neededConnection = neededBy(item);
    if (neededConnection !== undefined && !this.items.has(createKey('connections', [neededConnection]))) {
      return messages.noConnection({ name: neededConnection });
    }
    const limit = limitOf(item);
    if (!limit || this.items.has(key) || (this.counts.get(limit.within) ?? 0) < limit.most) return undefined;
    return messages.full({ n: limit.most });
  }

  private count(item: PortableItem): void {
    const limit = limitOf(item);
    if (limit) this.counts.set(limit.within, (this.counts.get(limit.within) ?? 0) + 1);
  }
}

function createRejectedFile(path: string, problems: readonly Problem[]): PlannedFile {
  return { line: { path, result: 'refused', ...formatProblems(problems) } };
}

/** Returns the messages of a line, with the code of a single one. */
function formatProblems(
  problems: readonly Problem[],
): Pick<SettingsLine, 'text' | 'messageCode' | 'parameters'> {
  const [firstProblem, ...furtherProblems] = problems;
  const text = sentences(problems);
  if (!firstProblem || furtherProblems.length > 0) return { text };
  return { text, ...defined({ messageCode: firstProblem.messageCode, parameters: firstProblem.parameters }) };
}

function keyOf<Kind extends PortableKind>({ kind, value }: PortableItem<Kind>): string {
  return createKey(kind, kinds[kind].names(value));
}

function createKey(kind: PortableKind, names: readonly string[]): string {
  return foldedName(JSON.stringify([kind, ...names]));
}

function neededBy<Kind extends PortableKind>({ kind, value }: PortableItem<Kind>): string | undefined {
  const neededConnection = kinds[kind].needs?.(value);
  return neededConnection === localName ? undefined : neededConnection;
}

function limitOf<Kind extends PortableKind>({ kind, value }: PortableItem<Kind>) {
  const { limit } = kinds[kind];
  return limit && { most: limit.maxCount, within: foldedName(limit.scopeOf(value)) };
}

/** Returns messages about the differences; undefined if there are none. */
function changesOf<Kind extends PortableKind>(
  { value: former }: PortableItem<Kind>,
  { kind, value }: PortableItem<Kind>,
  connections: readonly ConnectionSettings[],
): readonly Message[] | undefined {
  const { partial, consequence } = kinds[kind];
  const [before, after] = [textsOf(former), textsOf(value)];
  const names = partial ? after.keys() : new Set([...before.keys(), ...after.keys()]);
  const differing = [...names].filter((name) => before.get(name) !== after.get(name));
  if (differing.length === 0) return undefined;
  const consequences = consequence?.(former, value, connections) ?? [];
  return [messages.changes({ members: formatList(differing, 'unit') }), ...consequences];
}

function textsOf(value: object): ReadonlyMap<string, string> {
  return new Map(Object.entries(value).map(([name, memberValue]) => [name, JSON.stringify(memberValue)]));
}
