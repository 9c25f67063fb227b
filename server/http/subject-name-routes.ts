import { setImmediate } from 'node:timers/promises';
import { mostNamed, SubjectNamesRequest, type SubjectNames } from '../../core/app/subject-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { definitionOf, isResourceType, resourceTypes } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { containedId } from '../../core/fhir/names.ts';
import { bareName, resourceName, subjectNameOf } from '../../core/fhir/resource-name.ts';
import { bareIds } from '../../core/fhir/reference.ts';
import { member, stringMember } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import type { SharedStore } from '../store/store.ts';
import { bodyOf } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

type Names = Pick<SharedStore, 'read' | 'search' | 'companions'>;

/** Records of a subject and a type that are looked at for its name: the newest. */
const mostRead = 5;

/** `POST /app/subject-names`: what the records in sight call whom they are about (core/app/subject-names.ts). */
export function subjectNameRoutes(store: Names): readonly TableRoute[] {
  const answer = json(async (request) => {
    const asked = bodyOf(request, 'SubjectNames', SubjectNamesRequest, {
      text: `Send at most ${mostNamed} ids in of.`,
    });
    const names: Record<string, string> = {};
    for (const one of new Set(asked.of)) {
      const [type = '', id] = one.split('/');
      const name = id === undefined ? await nameOfSubject(store, one) : await nameByRecord(store, type, id);
      if (name !== '') names[one] = name;
      // What others ask goes between.
      await setImmediate();
    }
    return { names } satisfies SubjectNames;
  });
  return [{ method: 'POST', path: '/app/subject-names', body: true, answer }];
}

async function nameByRecord(store: Names, type: string, id: string): Promise<string> {
  const found = isResourceType(type) ? await store.read(type, id) : undefined;
  if (!found || !('text' in found)) return '';
  const { name, subject } = subjectIn(found.text);
  return name === '' && containedId(subject) === undefined ? nameOfSubject(store, bareIds(subject)) : name;
}

async function nameOfSubject(store: Names, id: string): Promise<string> {
  if (id === '' || /[,\\|$]/.test(id)) return '';
  for (const type of resourceTypes) {
    const page = await store.search(readCriteria(type, [['subject', id]]), mostRead);
    for (const found of page.records) {
      const name = 'bytes' in found ? subjectIn(found.bytes.toString()).name : '';
      if (name !== '') return name;
    }
  }
  return companionName(store, id);
}

/** What the companion of this id is called, where it is a person or a group. */
async function companionName({ companions }: Names, id: string): Promise<string> {
  for (const reference of [...subjectTypes.map((type) => `${type}/${id}`), `urn:uuid:${id}`]) {
    try {
      const found = await companions.resolve(reference);
      if (!found || !subjectTypes.includes(found.type)) continue;
      const { root } = scan(found.text);
      if (bareName(root) !== '') return resourceName(root).name;
    } catch (error) {
      // Of one that is damaged nothing is told.
      if (!(error instanceof FhirError)) throw error;
    }
  }
  return '';
}

/** Types that a record may be about. */
const subjectTypes = ['Patient', 'Group'];

function subjectIn(text: string): { readonly name: string; readonly subject: string } {
  const { root } = scan(text);
  const type = stringMember(root, 'resourceType') ?? '';
  if (!isResourceType(type)) return { name: '', subject: '' };
  const subject = member(root, definitionOf(type).summary.subject);
  return { name: subjectNameOf(root, subject), subject: stringMember(subject, 'reference') ?? '' };
}
