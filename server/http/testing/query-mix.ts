/**
 * Random searches over all that the table of parameters offers, and random changes between them. The same seed asks the
 * same of the same records.
 */
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { searchParametersOf, type SearchParameter } from '../../../core/fhir/search-parameters.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import type { Random } from '../../demo/random.ts';
import type { Json } from '../../testing/test-server.ts';
import { nearTo } from './naive-near.ts';
import { questionsOf, type Question } from './naive-questions.ts';
import type { NaiveStore } from './naive-store.ts';
import { definitionOf, type Value } from './naive-values.ts';

/** A parameter with one of the modifiers that it takes; `[type]` is any of its types. */
export interface Form {
  readonly name: string;
  readonly modifier: string;
}

/** How the answer is asked for: all that filters nothing. */
export interface Shape {
  readonly sort?: string;
  readonly total?: string;
  readonly summary?: string;
  readonly post: boolean;
  /** Into how many pages the matches are to fall; all at once where absent. */
  readonly pages?: number;
  /** Whether something is changed between two pages. */
  readonly changing: boolean;
}

/** All forms that the table offers for a type. */
export function formsOf(type: ResourceType): Form[] {
  return searchParametersOf(type).flatMap(({ name, modifiers }) => {
    const others = modifiers.map((one) => (/^[A-Z]/.test(one) ? '[type]' : one));
    return [...new Set(['', ...others])].map((modifier) => ({ name, modifier }));
  });
}

export function formOf({ name: full }: Question): Form {
  const [name = '', modifier = ''] = full.split(':');
  return { name, modifier: /^[A-Z]/.test(modifier) ? '[type]' : modifier };
}

/** Draws all that is asked and changed. */
export class QueryMix {
  private readonly random: Random;
  private readonly base: string;

  constructor(random: Random, base: string) {
    this.random = random;
    this.base = base;
  }

  /** Some questions to be asked together, the first of them of the form; most of them are drawn from one record. */
  questions(store: NaiveStore, type: ResourceType, form: Form): Question[] {
    const { random } = this;
    const record = random.chance(80) ? random.pick(this.filled(store, form)) : undefined;
    const asked = [this.question(store, form, record)];
    const forms = formsOf(type);
    for (let more = random.between(0, 2); more > 0; more -= 1) {
      // Every third time another of the same parameter: two ends of a range, or two values that both must be there.
      const same = random.chance(33) ? [form] : forms;
      asked.push(this.question(store, random.pick(same), record));
    }
    return asked.filter((one) => one !== undefined);
  }

  shape(type: ResourceType): Shape {
    const { random } = this;
    const sorts = searchParametersOf(type).filter(({ sort }) => sort !== undefined);
    const sort = random
      .some(sorts, random.between(1, 3))
      .map(({ name }) => (random.chance(50) ? '' : '-') + name);
    return {
      ...(random.chance(50) && { sort: (random.chance(50) ? sort : sort.reverse()).join(',') }),
      ...(random.chance(30) && { total: random.pick(['none', 'estimate', 'accurate']) }),
      ...(random.chance(15) && { summary: random.pick(['count', 'true', 'text', 'data', 'false']) }),
      ...(random.chance(50) && { pages: random.between(1, 9) }),
      post: random.chance(15),
      changing: random.chance(20),
    };
  }

  /** A record that another may become: some of its elements are those of others. */
  crossed(records: readonly Json[]): Json {
    const { random } = this;
    const made = structuredClone(random.pick(records));
    for (let count = random.between(0, 5); count > 0; count -= 1) {
      const other = random.pick(records);
      const element = random.pick(Object.keys(other).filter((one) => one !== 'id'));
      made[element] = structuredClone(other[element]);
    }
    return made;
  }

  /** A patch of one element that both records have. */
  patch(record: Json, other: Json): Json[] {
    const shared = Object.keys(record).filter(
      (one) => other[one] !== undefined && !['id', 'meta', 'resourceType'].includes(one),
    );
    const element = this.random.pick(['language', ...shared]);
    return [{ op: 'replace', path: `/${element}`, value: other[element] ?? 'nb' }];
  }

  /** The records whose values make questions of the form; all where none does. */
  private filled(store: NaiveStore, { name }: Form): readonly Json[] {
    const filled = store.records.filter(({ id }) => store.values(id, name).length > 0);
    return filled.length > 0 ? filled : store.records;
  }

  /** A question of the form, with one value or several; undefined where no record has a value for it. */
  private question(store: NaiveStore, form: Form, record: Json): Question | undefined {
    const { random } = this;
    for (let tries = 0; tries < 30; tries += 1) {
      const from = tries < 3 && record ? [record] : this.filled(store, form);
      const values = Array.from({ length: random.between(1, 2) }, () => {
        const drawn = store.values(random.pick(from).id, form.name);
        if (drawn.length === 0) return undefined;
        const value = drawn[random.between(0, drawn.length - 1)];
        return value && random.chance(35) ? nearTo(random, value) : value;
      }).filter((one) => one !== undefined);
      const asked = this.ofForm(store.type, form, values);
      if (asked.length === 0) continue;
      return random.chance(25) && form.modifier !== 'missing'
        ? anyOf(Array.from({ length: random.between(2, 3) }, () => random.pick(asked)))
        : random.pick(asked);
    }
    return undefined;
  }

  private ofForm(type: string, { name, modifier }: Form, values: readonly Value[]): Question[] {
    if (values.length === 0 && modifier !== 'missing') return [];
    const known = { base: this.base, system: sampleOf(type as ResourceType).systems[name] };
    const asked = questionsOf(definitionOf(type, name), values, known);
    const types = offered(type as ResourceType, name);
    return asked.filter(
      (one) => formOf(one).modifier === modifier && isValue(one.value) && types(one.name.split(':')[1] ?? ''),
    );
  }
}

/** Whether a parameter takes the modifier. */
function offered(type: ResourceType, name: string): (modifier: string) => boolean {
  const parameter: SearchParameter | undefined = searchParametersOf(type).find((one) => one.name === name);
  return (modifier) => modifier === '' || parameter?.modifiers.includes(modifier) === true;
}

/** A value that says something: without blanks around it, which belong to no value. */
function isValue(value: string): boolean {
  return value.trim() === value && value !== '' && value !== '|' && !/(^|[^\\]),/.test(value);
}

/** Values with commas between (FHIR R4 search.html#combining): `:not` asks that none of them is there. */
function anyOf(questions: readonly Question[]): Question | undefined {
  const [first] = questions;
  if (!first) return undefined;
  const same = questions.filter(({ name }) => name === first.name);
  const none = first.name.endsWith(':not');
  return {
    name: first.name,
    value: same.map(({ value }) => value).join(','),
    holds: (of) => (none ? same.every(({ holds }) => holds(of)) : same.some(({ holds }) => holds(of))),
  };
}
