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
import { byText, kinds, localName, type CarriedItem, type CarriedKind } from './settings-kinds.ts';
import { foldedName } from './settings-names.ts';

/** What an import does with one file: a line of its outcome, and what is to be kept where something is. */
export interface PlannedFile {
  readonly line: SettingsLine;
  readonly item?: CarriedItem;
}

/** What an import of these files would do to what is held; nothing that is held is removed. */
export function planImport(
  files: readonly SettingsFile[],
  held: readonly CarriedItem[],
): readonly PlannedFile[] {
  const problem = headProblem(files);
  if (problem !== undefined) return [{ line: { path: headPath, result: 'refused', text: problem } }];
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
  private readonly held: Map<string, CarriedItem>;
  private readonly counts = new Map<string, number>();
  /** Which file each came from. */
  private readonly from = new Map<string, string>();
  /** Keys of what was held before: only that can have secrets. */
  private readonly former: ReadonlySet<string>;

  constructor(held: readonly CarriedItem[]) {
    this.held = new Map(held.map((item) => [keyOf(item), item]));
    this.former = new Set(this.held.keys());
    for (const item of held) this.count(item);
  }

  take(file: SettingsFile): PlannedFile {
    const { path } = file;
    const read = readFile(file);
    if ('problems' in read) return refused(path, sentences(read.problems));
    const { value: item } = read;
    const key = keyOf(item);
    const text = this.problemOf(item, key);
    if (text !== undefined) return refused(path, text);
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
    return { line: { path, result: 'changed', text: changes }, item };
  }

  private connections(): ConnectionSettings[] {
    return [...this.held].flatMap(([key, item]) =>
      item.kind === 'connections' && this.former.has(key) ? [item.value] : [],
    );
  }

  private problemOf(item: CarriedItem, key: string): string | undefined {
    const other = this.from.get(key);
    if (other !== undefined) return `${other} has the same name.`;
    const needed = neededBy(item);
    if (needed !== undefined && !this.held.has(keyOfName('connections', [needed]))) {
      return `No connection is named ${needed}.`;
    }
    const limit = limitOf(item);
    if (!limit || this.held.has(key) || (this.counts.get(limit.within) ?? 0) < limit.most) return undefined;
    return `There are ${limit.most} already; remove one first.`;
  }

  private count(item: CarriedItem): void {
    const limit = limitOf(item);
    if (limit) this.counts.set(limit.within, (this.counts.get(limit.within) ?? 0) + 1);
  }
}

function refused(path: string, text: string): PlannedFile {
  return { line: { path, result: 'refused', text } };
}

function keyOf<Kind extends CarriedKind>({ kind, value }: CarriedItem<Kind>): string {
  return keyOfName(kind, kinds[kind].names(value));
}

function keyOfName(kind: CarriedKind, names: readonly string[]): string {
  return foldedName(JSON.stringify([kind, ...names]));
}

function neededBy<Kind extends CarriedKind>({ kind, value }: CarriedItem<Kind>): string | undefined {
  const needed = kinds[kind].needs?.(value);
  return needed === localName ? undefined : needed;
}

function limitOf<Kind extends CarriedKind>({ kind, value }: CarriedItem<Kind>) {
  const { limit } = kinds[kind];
  return limit && { most: limit.most, within: foldedName(limit.within(value)) };
}

/** What differs, in sentences; undefined where nothing does. */
function changesOf<Kind extends CarriedKind>(
  { value: former }: CarriedItem<Kind>,
  { kind, value }: CarriedItem<Kind>,
  connections: readonly ConnectionSettings[],
): string | undefined {
  const { partial, consequence } = kinds[kind];
  const [before, after] = [textsOf(former), textsOf(value)];
  const names = partial ? after.keys() : new Set([...before.keys(), ...after.keys()]);
  const differing = [...names].filter((name) => before.get(name) !== after.get(name));
  if (differing.length === 0) return undefined;
  const further = consequence?.(former, value, connections);
  return `Changes ${differing.join(', ')}.${further === undefined ? '' : ` ${further}`}`;
}

function textsOf(value: object): ReadonlyMap<string, string> {
  return new Map(Object.entries(value).map(([name, held]) => [name, JSON.stringify(held)]));
}
