/** Valid records for tests. */
import { expect } from 'vitest';
import { definitionOf, resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import type { Answer, Json, TestServer } from '../../testing/test-server.ts';

/** All types that have a definition. */
export const types = resourceTypes;
export type Type = ResourceType;

/** Returns another type. */
export function getOtherType(type: Type): Type {
  return types[(types.indexOf(type) + 1) % types.length] ?? type;
}

/** Returns the name of the status element. */
export function statusOf(type: Type): string {
  return definitionOf(type).summary.status;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** An ID that no record has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** Returns the path of a type, or of a record with an escaped ID. */
export function toPath(type: Type, id?: string): string {
  return `/fhir-r4/v1/${type}${id === undefined ? '' : `/${id}`}`;
}

/** Builds a valid record and overrides members; `undefined` removes a member. */
export function sample(type: Type, members: Json = {}): Json {
  return { ...sampleOf(type).record, ...members };
}

export const text = (type: Type, members: Json = {}) => JSON.stringify(sample(type, members));

export interface StoredRecord {
  readonly id: string;
  readonly text: string;
  readonly json: Json;
  /** Path of the record. */
  readonly path: string;
  readonly answer: Answer;
}

/** Creates a record through the API and asserts 201. */
export async function store(server: TestServer, type: Type, members: Json = {}): Promise<StoredRecord> {
  const answer = await server.send('POST', toPath(type), text(type, members));
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { id } = answer.json;
  return { id, text: answer.text, json: answer.json, path: toPath(type, id), answer };
}

/** Returns a patch body with one replace operation. */
export function replace(path: string, value: unknown): string {
  return JSON.stringify([{ op: 'replace', path, value }]);
}
