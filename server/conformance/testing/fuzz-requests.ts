/** Arbitrary requests: most are what a client would send, with one piece exchanged for an arbitrary one. */
import fc from 'fast-check';
import { firstType } from '../../../core/fhir/resource.ts';
import type { Question } from './ask.ts';
import { bodies, patches, recordsOf } from './fuzz-bodies.ts';
import { headers, pick, query, word, wordsOf } from './fuzz-words.ts';
import { at, types, type Type } from './records.ts';

type Body = string | Buffer;

/** A request before it is bent. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  readonly body: Body | undefined;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const none = fc.constant(undefined);

const someType: fc.Arbitrary<Type> = pick(...types);
const typeOf = (path: string): Type => types.find((type) => path.includes(type)) ?? firstType;

const call = (
  method: fc.Arbitrary<string>,
  path: fc.Arbitrary<string>,
  text: fc.Arbitrary<string>,
  body: (path: string) => fc.Arbitrary<Body | undefined>,
  contentType: string = json,
): fc.Arbitrary<Call> =>
  fc.tuple(method, path, text).chain(([verb, address, search]) =>
    body(address).map((content) => ({
      method: verb,
      path: address,
      query: search,
      contentType,
      body: content,
    })),
  );

const anyMethod = wordsOf('GET POST PUT PATCH HEAD OPTIONS DELETE TRACE PROPFIND QUERY LOCK SEARCH');

const anyPath = fc.oneof(
  fc.array(word, { maxLength: 5 }).map((words) => `/${words.join('/')}`),
  fc.array(word, { maxLength: 4 }).map((words) => `/fhir-r4/v1/${words.join('/')}`),
  fc.tuple(someType, word).map(([type, id]) => at(type, id)),
  wordsOf(
    '/ // /fhir-r4 /fhir-r4/v1 /fhir-r4/v1/metadata /openapi.json /oauth2/token /app/tokens /.well-known/smart-configuration',
  ),
);

/** What clients send. */
function usual(known: readonly string[]): fc.Arbitrary<Call> {
  const record = pick(...known);
  const type = someType.map((one) => at(one));
  const blank = pick('');
  const version = fc.tuple(record, fc.oneof(wordsOf('1 2 3'), word)).map((pair) => pair.join('/_history/'));
  const written = (path: string) => recordsOf(typeOf(path));
  const search = fc.oneof(
    query,
    query.map((text) => `?subject=sample${text.replace('?', '&')}`),
  );
  return fc.oneof(
    { arbitrary: call(pick('GET', 'HEAD'), type, search, () => none), weight: 6 },
    { arbitrary: call(pick('GET', 'HEAD'), record, blank, () => none), weight: 2 },
    { arbitrary: call(pick('GET'), version, blank, () => none), weight: 1 },
    {
      arbitrary: call(
        pick('GET'),
        fc.oneof(type, record).map((path) => `${path}/_history`),
        query,
        () => none,
      ),
      weight: 1,
    },
    { arbitrary: call(pick('POST'), type, blank, written), weight: 5 },
    { arbitrary: call(pick('PUT'), record, blank, written), weight: 5 },
    { arbitrary: call(pick('PATCH'), record, blank, () => patches), weight: 6 },
    {
      arbitrary: call(
        pick('POST'),
        type.map((path) => `${path}/$validate`),
        blank,
        written,
      ),
      weight: 1,
    },
    {
      arbitrary: call(
        pick('POST'),
        type.map((path) => `${path}/_search`),
        blank,
        () => search.map((text) => text.slice(1)),
        form,
      ),
      weight: 2,
    },
    { arbitrary: call(pick('OPTIONS'), fc.oneof(type, record), blank, () => none), weight: 1 },
  );
}

/** Any request; `known` are paths of records that exist. */
export function requests(known: readonly string[]): fc.Arbitrary<Question> {
  const bent = fc.tuple(usual(known), fc.nat(9), anyMethod, anyPath, query, bodies);
  return fc.tuple(bent, headers).map(([[one, dice, method, path, text, body], extra]) => {
    const sent = {
      method: dice === 0 ? method : one.method,
      path: dice === 1 ? path : one.path,
      query: dice === 2 ? text : one.query,
      body: dice === 3 ? body : one.body,
    };
    const bare = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(sent.method);
    return {
      method: sent.method,
      path: visible(sent.path + sent.query),
      headers: { 'Content-Type': one.contentType, ...extra },
      ...(!bare && sent.body !== undefined && { body: sent.body }),
    };
  });
}

/** The request line is ASCII without spaces; anything else is for the raw sockets. */
function visible(address: string): string {
  return address.replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char.toWellFormed()));
}
