/** What the page and `/app/people` say to each other: who works at this installation, and who sits at the keyboard. */
import * as v from 'valibot';
import { members, type Shape } from '../json/shape.ts';
import { mostName } from './authorship.ts';
import { line } from './check.ts';

export const Person = v.object({
  id: v.string(),
  /** Stands beside the session's name in the history of what is saved. */
  name: v.string(),
});
export type Person = Shape<typeof Person>;

/** `GET /app/people`, by name. */
export const People = v.object({
  people: v.array(Person),
  /** Id of who sits at the keyboard in the session that asks; absent where nobody is named. */
  current: v.exactOptional(v.string()),
});
export type People = Shape<typeof People>;

const nameRule = `Send a name of at most ${mostName} characters on one line, without white space at its ends.`;
/** `POST /app/people` and `PUT /app/people/{id}`. */
export const NamedRequest = v.pipe(
  v.message(members, 'Send one JSON object with name.'),
  v.strictObject({ name: line(mostName, nameRule) }, 'Send nothing beside name.'),
);

const idRule = 'Send id: that of a person, or null for nobody.';
/** `PUT /app/person`. */
export const CurrentRequest = v.pipe(
  v.message(members, idRule),
  v.strictObject({ id: v.nullable(v.string(idRule), null) }, 'Send nothing beside id.'),
);

/** At most two letters of a name: the first of its first and of its last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = name] = words;
  const last = words.length > 1 ? words.at(-1) : undefined;
  const letters = [first, last].map((word = '') =>
    String.fromCodePoint(...(word === '' ? [] : [word.codePointAt(0) ?? 0])),
  );
  return letters.join('').toLocaleUpperCase();
}
