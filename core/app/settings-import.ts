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

/** What an import does with one file: a line of its outcome, and what is to be kept where something is. */
export interface PlannedFile {
  readonly line: SettingsLine;
  readonly item?: PortableItem;
}

/** What an import of these files would do to what is held; nothing that is held is removed. */
export function planImport(
  files: readonly SettingsFile[],
  held: readonly PortableItem[],
): readonly PlannedFile[] {
  const problem = headProblem(files);
  if (problem) return [refused(headPath, problem)];
  const plan = new Plan(held);
  return files
    .filter(({ path }) => path !== headPath)
    .map((file): readonly [string, SettingsFile] => [placeOf(file), file])
    .sort(byText)
    .map(([, file]) => plan.take(file));
}

/** By kind in the order of the table, then by path. */
function placeOf({ path }: SettingsFile): string {
  const kind = kindOfPath(path);
  return `${kind ? kindNames.indexOf(kind) : kindNames.length} ${path}`;
}

/** What is held, and grows by what is taken. */
class Plan {
  private readonly held: Map<string, PortableItem>;
  private readonly counts = new Map<string, number>();
  /** Which file each came from. */
  private readonly from = new Map<string, string>();
  /** Keys of what was held before: only that can have secrets. */
  private readonly former: ReadonlySet<string>;

  constructor(held: readonly PortableItem[]) {
    this.held = new Map(held.map((item) => [keyOf(item), item]));
    this.former = new Set(this.held.keys());
    for (const item of held) this.count(item);
  }

  take(file: SettingsFile): PlannedFile {
    const { path } = file;
    const read = readFile(file);
    if ('problems' in read) return refused(path, read.problems);
    const { value: item } = read;
    const key = keyOf(item);
    const problem = this.problemOf(item, key);
    if (problem) return refused(path, [problem]);
    this.from.set(key, path);
    const former = this.held.get(key);
    if (!former) {
      this.count(item);
      this.held.set(key, item);
      return { line: { path, result: 'new' }, item };
    }
    const changes = changesOf(former, item, this.connections());
    if (changes === undefined) return { line: { path, result: 'same' } };
    this.held.set(key, item);
    return { line: { path, result: 'changed', ...told(changes) }, item };
  }

  private connections(): ConnectionSettings[] {
    return [...this.held].flatMap(([key, item]) =>
      item.kind === 'connections' && this.former.has(key) ? [item.value] : [],
    );
  }

  private problemOf(item: PortableItem, key: string): Problem | undefined {
    const other = this.from.get(key);
    if (other !== undefined) return messages.sameName({ path: other });
    const needed = neededBy(item);
    if (needed !== undefined && !this.held.has(keyOfName('connections', [needed]))) {
      return messages.noConnection({ name: needed });
    }
    const limit = limitOf(item);
    if (!limit || this.held.has(key) || (this.counts.get(limit.within) ?? 0) < limit.most) return undefined;
    return messages.full({ n: limit.most });
  }

  private count(item: PortableItem): void {
    const limit = limitOf(item);
    if (limit) this.counts.set(limit.within, (this.counts.get(limit.within) ?? 0) + 1);
  }
}

function refused(path: string, problems: readonly Problem[]): PlannedFile {
  return { line: { path, result: 'refused', ...told(problems) } };
}

/** Returns the sentences of a line, with the code of a single one. */
function told(problems: readonly Problem[]): Pick<SettingsLine, 'text' | 'messageCode' | 'parameters'> {
  const [first, ...others] = problems;
  const text = sentences(problems);
  if (!first || others.length > 0) return { text };
  return { text, ...defined({ messageCode: first.messageCode, parameters: first.parameters }) };
}

function keyOf<Kind extends PortableKind>({ kind, value }: PortableItem<Kind>): string {
  return keyOfName(kind, kinds[kind].names(value));
}

function keyOfName(kind: PortableKind, names: readonly string[]): string {
  return foldedName(JSON.stringify([kind, ...names]));
}

function neededBy<Kind extends PortableKind>({ kind, value }: PortableItem<Kind>): string | undefined {
  const needed = kinds[kind].needs?.(value);
  return needed === localName ? undefined : needed;
}

function limitOf<Kind extends PortableKind>({ kind, value }: PortableItem<Kind>) {
  const { limit } = kinds[kind];
  return limit && { most: limit.most, within: foldedName(limit.within(value)) };
}

/** Returns what differs; undefined if nothing does. */
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
  const further = consequence?.(former, value, connections) ?? [];
  return [messages.changes({ members: formatList(differing, 'unit') }), ...further];
}

function textsOf(value: object): ReadonlyMap<string, string> {
  return new Map(Object.entries(value).map(([name, held]) => [name, JSON.stringify(held)]));
}
