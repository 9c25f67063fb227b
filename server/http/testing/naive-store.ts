import type { Json } from '../../testing/test-server.ts';
import type { SearchCase } from './naive-questions.ts';
import { bare } from './naive-questions.ts';
import { timeOf } from './naive-time.ts';
import { definitionOf, valuesOf, type Value } from './naive-values.ts';

interface StoredRecord {
  readonly record: Json;
  /** Values by parameter, read on first use. */
  readonly values: Map<string, readonly Value[]>;
}

/** Records of one type. Each question is tested against all of them. */
export class NaiveStore {
  readonly type: string;
  private readonly storedRecords = new Map<string, StoredRecord>();

  constructor(type: string) {
    this.type = type;
  }

  /** Stores a record of a response in place of an older version. */
  put(record: Json): void {
    this.storedRecords.set(record.id, { record, values: new Map() });
  }

  get records(): readonly Json[] {
    return [...this.storedRecords.values()].map(({ record }) => record);
  }

  record(id: string): Json {
    return this.storedRecords.get(id)?.record;
  }

  /** Returns the values of a parameter in a record. */
  values(id: string, name: string): readonly Value[] {
    const storedRecord = this.storedRecords.get(id);
    if (!storedRecord) return [];
    const cachedValues =
      storedRecord.values.get(name) ?? valuesOf(storedRecord.record, definitionOf(this.type, name));
    storedRecord.values.set(name, cachedValues);
    return cachedValues;
  }

  /** Returns the ids of the records that match all questions. */
  matches(questions: readonly SearchCase[]): Set<string> {
    const ids = [...this.storedRecords.keys()];
    const meets = (id: string) =>
      questions.every(({ name, matches: isMatch }) => isMatch(this.values(id, name.split(':')[0] ?? '')));
    return new Set(ids.filter(meets));
  }

  /** Returns two ids in the wrong order for `_sort`, or undefined. */
  disorder(ids: readonly string[], sort = '-_lastUpdated'): string | undefined {
    const keys = sort.split(',').map((part) => ({
      name: part.replace('-', ''),
      way: part.startsWith('-') ? -1 : 1,
    }));
    const foundIndex = ids.findIndex((id, index) => {
      const before = ids[index - 1];
      if (before === undefined) return false;
      const ways = keys.map(({ name, way }) => way * compare(this.key(before, name), this.key(id, name)));
      return (ways.find((order) => order !== 0) ?? 0) > 0;
    });
    return foundIndex === -1
      ? undefined
      : `${ids[foundIndex - 1] ?? ''} stands before ${ids[foundIndex] ?? ''}`;
  }

  /** Returns the sort key. A record without the element or the start of its period comes first. */
  private key(id: string, name: string): string | number {
    const [value] = this.values(id, name);
    if (definitionOf(this.type, name).type === 'date') return (value && timeOf(value)?.low) ?? -Infinity;
    const text = typeof value?.value === 'string' ? value.value : '';
    return name === 'title' ? bare(text) : text;
  }
}

/** Compares by code points, the order of UTF-8. */
function compare(leftKey: string | number, rightKey: string | number): number {
  if (typeof leftKey === 'number' || typeof rightKey === 'number')
    return leftKey < rightKey ? -1 : leftKey > rightKey ? 1 : 0;
  return Buffer.compare(Buffer.from(leftKey), Buffer.from(rightKey));
}
