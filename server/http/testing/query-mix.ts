/**
 * Random searches over all supported parameters, and random changes in between.
 *
 * The same seed produces the same searches for the same records.
 */
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { searchParametersOf, type SearchParameter } from '../../../core/fhir/search-parameters.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import type { Random } from '../../demo/random.ts';
import type { Json } from '../../testing/test-server.ts';
import { nearTo } from './naive-near.ts';
import { searchCasesOf, type SearchCase } from './naive-questions.ts';
import type { NaiveStore } from './naive-store.ts';
import { definitionOf, type Value } from './naive-values.ts';

/** A parameter with a supported modifier. `[type]` stands for any of its types. */
export interface Form {
  readonly name: string;
  readonly modifier: string;
}

/** Options of a search that filter nothing. */
export interface Shape {
  readonly sort?: string;
  readonly total?: string;
  readonly summary?: string;
  readonly post: boolean;
  /** Number of pages for the matches. Undefined for a single page. */
  readonly pages?: number;
  /** True if records change between two pages. */
  readonly changing: boolean;
}

/** Returns all supported forms of a type. */
export function formsOf(type: ResourceType): Form[] {
  return searchParametersOf(type).flatMap(({ name, modifiers }) => {
    const modifierNames = modifiers.map((modifier) => (/^[A-Z]/.test(modifier) ? '[type]' : modifier));
    return [...new Set(['', ...modifierNames])].map((modifier) => ({ name, modifier }));
  });
}

export function formOf({ name: parameter }: SearchCase): Form {
  const [name = '', modifier = ''] = parameter.split(':');
  return { name, modifier: /^[A-Z]/.test(modifier) ? '[type]' : modifier };
}

/** Generates searches and changes. */
export class QueryMix {
  private readonly random: Random;
  private readonly base: string;

  constructor(random: Random, base: string) {
    this.random = random;
    this.base = base;
  }

  /**
   * Returns one to three questions for one search, the first in the given form. Most come from one record.
   */
  questions(store: NaiveStore, type: ResourceType, form: Form): SearchCase[] {
    const { random } = this;
    const record = random.chance(80) ? random.pick(this.listFilled(store, form)) : undefined;
    const questions = [this.question(store, form, record)];
    const forms = formsOf(type);
    for (let remaining = random.integerBetween(0, 2); remaining > 0; remaining -= 1) {
      // A third of them use the same parameter again: two ends of a range, or two required values.
      const candidates = random.chance(33) ? [form] : forms;
      questions.push(this.question(store, random.pick(candidates), record));
    }
    return questions.filter((question) => question !== undefined);
  }

  shape(type: ResourceType): Shape {
    const { random } = this;
    const sorts = searchParametersOf(type).filter(({ sort }) => sort !== undefined);
    const sort = random
      .pickSome(sorts, random.integerBetween(1, 3))
      .map(({ name }) => (random.chance(50) ? '' : '-') + name);
    return {
      ...(random.chance(50) && { sort: (random.chance(50) ? sort : sort.reverse()).join(',') }),
      ...(random.chance(30) && { total: random.pick(['none', 'estimate', 'accurate']) }),
      ...(random.chance(15) && { summary: random.pick(['count', 'true', 'text', 'data', 'false']) }),
      ...(random.chance(50) && { pages: random.integerBetween(1, 9) }),
      post: random.chance(15),
      changing: random.chance(20),
    };
  }

  /** Returns a record that mixes elements of several records. */
  mixRecord(records: readonly Json[]): Json {
    const { random } = this;
    const mixed = structuredClone(random.pick(records));
    for (let count = random.integerBetween(0, 5); count > 0; count -= 1) {
      const donor = random.pick(records);
      const element = random.pick(Object.keys(donor).filter((name) => name !== 'id'));
      mixed[element] = structuredClone(donor[element]);
    }
    return mixed;
  }

  /** Returns a patch of one element that both records have. */
  patch(record: Json, donor: Json): Json[] {
    const shared = Object.keys(record).filter(
      (name) => donor[name] !== undefined && !['id', 'meta', 'resourceType'].includes(name),
    );
    const element = this.random.pick(['language', ...shared]);
    return [{ op: 'replace', path: `/${element}`, value: donor[element] ?? 'nb' }];
  }

  /** Returns the records with values for the form, or all if there are none. */
  private listFilled(store: NaiveStore, { name }: Form): readonly Json[] {
    const candidates = store.records.filter(({ id }) => store.values(id, name).length > 0);
    return candidates.length > 0 ? candidates : store.records;
  }

  /** Returns a question with one or several values. Undefined if no record has a value. */
  private question(store: NaiveStore, form: Form, record: Json): SearchCase | undefined {
    const { random } = this;
    for (let tries = 0; tries < 30; tries += 1) {
      const from = tries < 3 && record ? [record] : this.listFilled(store, form);
      const values = Array.from({ length: random.integerBetween(1, 2) }, () => {
        const recordValues = store.values(random.pick(from).id, form.name);
        if (recordValues.length === 0) return undefined;
        const value = recordValues[random.integerBetween(0, recordValues.length - 1)];
        return value && random.chance(35) ? nearTo(random, value) : value;
      }).filter((value) => value !== undefined);
      const questions = this.ofForm(store.type, form, values);
      if (questions.length === 0) continue;
      return random.chance(25) && form.modifier !== 'missing'
        ? joinQuestions(Array.from({ length: random.integerBetween(2, 3) }, () => random.pick(questions)))
        : random.pick(questions);
    }
    return undefined;
  }

  private ofForm(type: string, { name, modifier }: Form, values: readonly Value[]): SearchCase[] {
    if (values.length === 0 && modifier !== 'missing') return [];
    const context = { base: this.base, system: sampleOf(type as ResourceType).systems[name] };
    const questions = searchCasesOf(definitionOf(type, name), values, context);
    const types = supportedModifiers(type as ResourceType, name);
    return questions.filter(
      (question) =>
        formOf(question).modifier === modifier &&
        isValue(question.value) &&
        types(question.name.split(':')[1] ?? ''),
    );
  }
}

/** Returns a predicate for the supported modifiers of a parameter. */
function supportedModifiers(type: ResourceType, name: string): (modifier: string) => boolean {
  const parameter: SearchParameter | undefined = searchParametersOf(type).find(
    (candidate) => candidate.name === name,
  );
  return (modifier) => modifier === '' || parameter?.modifiers.includes(modifier) === true;
}

/** Returns true for a searchable value. Surrounding spaces are never part of a value. */
function isValue(value: string): boolean {
  return value.trim() === value && value !== '' && value !== '|' && !/(^|[^\\]),/.test(value);
}

/** Joins values with commas (FHIR R4 search.html#combining). `:not` requires that none matches. */
function joinQuestions(questions: readonly SearchCase[]): SearchCase | undefined {
  const [firstQuestion] = questions;
  if (!firstQuestion) return undefined;
  const questionsOfName = questions.filter(({ name }) => name === firstQuestion.name);
  const isNegated = firstQuestion.name.endsWith(':not');
  return {
    name: firstQuestion.name,
    value: questionsOfName.map(({ value }) => value).join(','),
    matches: (recordValues) =>
      isNegated
        ? questionsOfName.every(({ matches }) => matches(recordValues))
        : questionsOfName.some(({ matches }) => matches(recordValues)),
  };
}
