/** Data of `/app/people`: the people of this installation and the current person. */
import * as v from 'valibot';
import { members, type Shape } from '../json/shape.ts';
import { maxNameLength } from './authorship.ts';
import { defineMessages } from '../text/message.ts';
import { codedText, line } from './check.ts';

export const Person = v.object({
  id: v.string(),
  /** Shown beside the session's name in histories. */
  name: v.string(),
});
export type Person = Shape<typeof Person>;

/** `GET /app/people`, by name. */
export const People = v.object({
  people: v.array(Person),
  /** Id of the session's current person; absent if none is named. */
  current: v.exactOptional(v.string()),
});
export type People = Shape<typeof People>;

const messages = defineMessages('person', {
  name: 'Enter a name of at most {n} characters on one line, without spaces at either end.',
  body: 'Send one JSON object with name.',
  nameOnly: 'Send only name.',
  id: 'Send the id of a person, or null for no profile.',
  idOnly: 'Send only id.',
});
const nameRule = codedText(messages.name({ n: maxNameLength }));
/** `POST /app/people` and `PUT /app/people/{id}`. */
export const NamedRequest = v.pipe(
  v.message(members, codedText(messages.body())),
  v.strictObject({ name: line(maxNameLength, nameRule) }, codedText(messages.nameOnly())),
);

const idRule = codedText(messages.id());
/** `PUT /app/person`. */
export const CurrentRequest = v.pipe(
  v.message(members, idRule),
  v.strictObject({ id: v.nullable(v.string(idRule), null) }, codedText(messages.idOnly())),
);

/** Returns up to two initials of a name: of its first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [firstWord = name] = words;
  const lastWord = words.length > 1 ? words.at(-1) : undefined;
  const letters = [firstWord, lastWord].map((word = '') =>
    String.fromCodePoint(...(word === '' ? [] : [word.codePointAt(0) ?? 0])),
  );
  return letters.join('').toLocaleUpperCase();
}
