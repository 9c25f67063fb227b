/** Arbitrary requests: typical requests with one part replaced by an arbitrary value. */
import fc from 'fast-check';
import { firstType } from '../../../core/fhir/resource.ts';
import type { RawRequest } from './ask.ts';
import { bodies, patches, recordsOf } from './fuzz-bodies.ts';
import { headers, pick, query, word, wordsOf } from './fuzz-words.ts';
import { toPath, types, type Type } from './records.ts';

type Body = string | Buffer;

/** A typical request, before a part is replaced. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  readonly body: Body | undefined;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const noBody = fc.constant(undefined);

const anyType: fc.Arbitrary<Type> = pick(...types);
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
  fc.tuple(anyType, word).map(([type, id]) => toPath(type, id)),
  wordsOf(
    '/ // /fhir-r4 /fhir-r4/v1 /fhir-r4/v1/metadata /openapi.json /oauth2/token /app/tokens /.well-known/smart-configuration',
  ),
);

/** Creates typical requests of clients. */
function typicalRequests(knownPaths: readonly string[]): fc.Arbitrary<Call> {
  const record = pick(...knownPaths);
  const type = anyType.map((resourceType) => toPath(resourceType));
  const blank = pick('');
  const version = fc.tuple(record, fc.oneof(wordsOf('1 2 3'), word)).map((pair) => pair.join('/_history/'));
  const recordBody = (path: string) => recordsOf(typeOf(path));
  const search = fc.oneof(
    query,
    query.map((text) => `?subject=sample${text.replace('?', '&')}`),
  );
  return fc.oneof(
    { arbitrary: call(pick('GET', 'HEAD'), type, search, () => noBody), weight: 6 },
    { arbitrary: call(pick('GET', 'HEAD'), record, blank, () => noBody), weight: 2 },
    { arbitrary: call(pick('GET'), version, blank, () => noBody), weight: 1 },
    {
      arbitrary: call(
        pick('GET'),
        fc.oneof(type, record).map((path) => `${path}/_history`),
        query,
        () => noBody,
      ),
      weight: 1,
    },
    { arbitrary: call(pick('POST'), type, blank, recordBody), weight: 5 },
    { arbitrary: call(pick('PUT'), record, blank, recordBody), weight: 5 },
    { arbitrary: call(pick('PATCH'), record, blank, () => patches), weight: 6 },
    {
      arbitrary: call(
        pick('POST'),
        type.map((path) => `${path}/$validate`),
        blank,
        recordBody,
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
    { arbitrary: call(pick('OPTIONS'), fc.oneof(type, record), blank, () => noBody), weight: 1 },
  );
}

/** Creates arbitrary requests; `knownPaths` are paths of existing records. */
export function requests(knownPaths: readonly string[]): fc.Arbitrary<RawRequest> {
  const changedRequest = fc.tuple(typicalRequests(knownPaths), fc.nat(9), anyMethod, anyPath, query, bodies);
  return fc.tuple(changedRequest, headers).map(([[original, dice, method, path, text, body], extra]) => {
    const result = {
      method: dice === 0 ? method : original.method,
      path: dice === 1 ? path : original.path,
      query: dice === 2 ? text : original.query,
      body: dice === 3 ? body : original.body,
    };
    const isWithoutBody = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(result.method);
    return {
      method: result.method,
      path: toVisibleAscii(result.path + result.query),
      headers: { 'Content-Type': original.contentType, ...extra },
      ...(!isWithoutBody && result.body !== undefined && { body: result.body }),
    };
  });
}

/** Escapes characters that are not visible ASCII. Other request lines are tested with raw sockets. */
function toVisibleAscii(address: string): string {
  return address.replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char.toWellFormed()));
}
