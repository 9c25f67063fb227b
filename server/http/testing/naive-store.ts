import type { Json } from '../../testing/test-server.ts';
import type { Question } from './naive-questions.ts';
import { bare } from './naive-questions.ts';
import { timeOf } from './naive-time.ts';
import { definitionOf, valuesOf, type Value } from './naive-values.ts';

interface Held {
  readonly record: Json;
  /** What each parameter looks at, read when it is first asked for. */
  readonly values: Map<string, readonly Value[]>;
}

/** The records of one type as a naive search holds them: each question goes through all of them. */
export class NaiveStore {
  readonly type: string;
  private readonly held = new Map<string, Held>();

  constructor(type: string) {
    this.type = type;
  }

  /** Takes a record as the server answers it, in the place of an older version. */
  put(record: Json): void {
    this.held.set(record.id, { record, values: new Map() });
  }

  get records(): readonly Json[] {
    return [...this.held.values()].map(({ record }) => record);
  }

  record(id: string): Json {
    return this.held.get(id)?.record;
  }

  /** What a parameter looks at in a record. */
  values(id: string, name: string): readonly Value[] {
    const held = this.held.get(id);
    if (!held) return [];
    const known = held.values.get(name) ?? valuesOf(held.record, definitionOf(this.type, name));
    held.values.set(name, known);
    return known;
  }

  /** The ids of the records that meet all of the questions. */
  matches(questions: readonly Question[]): Set<string> {
    const ids = [...this.held.keys()];
    const meets = (id: string) =>
      questions.every(({ name, holds }) => holds(this.values(id, name.split(':')[0] ?? '')));
    return new Set(ids.filter(meets));
  }

  /** Where the order that `_sort` asks for is broken: two ids, of which the second belongs before the first. */
  disorder(ids: readonly string[], sort = '-_lastUpdated'): string | undefined {
    const keys = sort.split(',').map((part) => ({
      name: part.replace('-', ''),
      way: part.startsWith('-') ? -1 : 1,
    }));
    const at = ids.findIndex((id, index) => {
      const before = ids[index - 1];
      if (before === undefined) return false;
      const ways = keys.map(({ name, way }) => way * compare(this.key(before, name), this.key(id, name)));
      return (ways.find((one) => one !== 0) ?? 0) > 0;
    });
    return at === -1 ? undefined : `${ids[at - 1] ?? ''} stands before ${ids[at] ?? ''}`;
  }

  /** A record without the element comes before all others, as one whose period has no start does. */
  private key(id: string, name: string): string | number {
    const [value] = this.values(id, name);
    if (definitionOf(this.type, name).type === 'date') return (value && timeOf(value)?.low) ?? -Infinity;
    const text = typeof value?.value === 'string' ? value.value : '';
    return name === 'title' ? bare(text) : text;
  }
}

/** By code points, as UTF-8 sorts. */
function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' || typeof other === 'number') return one < other ? -1 : one > other ? 1 : 0;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
