import { setImmediate } from 'node:timers/promises';
import { mostNamed, SubjectNamesRequest, type SubjectNames } from '../../core/app/subject-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { definitionOf, isResourceType, resourceTypes } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { subjectNameOf } from '../../core/fhir/names.ts';
import { is } from '../../core/json/shape.ts';
import { member } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import type { RecordStore } from '../store/store.ts';
import { jsonBody } from './body.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Records of a subject and a type that are looked at for its name: the newest. */
const mostRead = 5;

/** `POST /app/subject-names`: what the records in sight call whom they are about (core/app/subject-names.ts). */
export function subjectNameRoutes(
  store: Pick<RecordStore, 'read' | 'search'>,
  readBody: Answer,
): readonly TableRoute[] {
  const answer: Answer = async (request, response) => {
    const asked = jsonBody(request, 'SubjectNames');
    if (!is(SubjectNamesRequest, asked)) {
      throw new FhirError('value', { text: `Send at most ${mostNamed} ids in of.` });
    }
    const names: Record<string, string> = {};
    for (const one of new Set(asked.of)) {
      const [type = '', id] = one.split('/');
      const name = id === undefined ? await nameOfSubject(store, one) : await nameInRecord(store, type, id);
      if (name !== '') names[one] = name;
      // What others ask goes between.
      await setImmediate();
    }
    const answered: SubjectNames = { names };
    sendJson(response, 200, JSON.stringify(answered));
  };
  return [{ method: 'POST', path: '/app/subject-names', readBody, answer }];
}

async function nameInRecord(store: Pick<RecordStore, 'read'>, type: string, id: string): Promise<string> {
  const found = isResourceType(type) ? await store.read(type, id) : undefined;
  return found && 'text' in found ? nameIn(found.text) : '';
}

async function nameOfSubject(store: Pick<RecordStore, 'search'>, id: string): Promise<string> {
  if (id === '' || /[,\\|$]/.test(id)) return '';
  for (const type of resourceTypes) {
    const page = await store.search(readCriteria(type, [['subject', id]]), mostRead);
    for (const found of page.records) {
      const name = 'bytes' in found ? nameIn(found.bytes.toString()) : '';
      if (name !== '') return name;
    }
  }
  return '';
}

function nameIn(text: string): string {
  const { root } = scan(text);
  const type = member(root, 'resourceType');
  if (type?.kind !== 'string' || !isResourceType(type.value)) return '';
  return subjectNameOf(root, member(root, definitionOf(type.value).summary.subject));
}
