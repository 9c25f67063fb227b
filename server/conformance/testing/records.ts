/** Records that conform, as objects to be changed by a test. */
import { expect } from 'vitest';
import { definitionOf, resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import type { Answer, Json, TestServer } from '../../testing/test-server.ts';

/** Each type that has a definition. */
export const types = resourceTypes;
export type Type = ResourceType;

/** Another type than this one. */
export function otherThan(type: Type): Type {
  return types[(types.indexOf(type) + 1) % types.length] ?? type;
}

/** The element that tells a record's status. */
export function statusOf(type: Type): string {
  return definitionOf(type).summary.status;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** An id that nothing has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** An operation's path below the server's origin; `id` as it stands in an address. */
export function at(type: Type, id?: string): string {
  return `/fhir-r4/v1/${type}${id === undefined ? '' : `/${id}`}`;
}

/** A record that conforms, with other members over it; `undefined` leaves one out. */
export function sample(type: Type, members: Json = {}): Json {
  return { ...sampleOf(type).record, ...members };
}

export const text = (type: Type, members: Json = {}) => JSON.stringify(sample(type, members));

export interface Stored {
  readonly id: string;
  readonly text: string;
  readonly json: Json;
  /** Path of the record. */
  readonly path: string;
  readonly answer: Answer;
}

/** Creates a record and asserts 201. */
export async function store(server: TestServer, type: Type, members: Json = {}): Promise<Stored> {
  const answer = await server.send('POST', at(type), text(type, members));
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { id } = answer.json;
  return { id, text: answer.text, json: answer.json, path: at(type, id), answer };
}

/** One replace operation as a patch body. */
export function replace(path: string, value: unknown): string {
  return JSON.stringify([{ op: 'replace', path, value }]);
}
