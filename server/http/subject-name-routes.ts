import { setImmediate } from 'node:timers/promises';
import { maxSubjectNames, SubjectNamesRequest, type SubjectNames } from '../../core/app/subject-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { definitionOf, isResourceType, resourceTypes } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { containedId } from '../../core/fhir/names.ts';
import { getNameWithoutModifiers, resourceName, subjectNameOf } from '../../core/fhir/resource-name.ts';
import { bareIds } from '../../core/fhir/reference.ts';
import { member, stringMember } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { SharedStore } from '../store/store.ts';
import { parseBodyAs } from './body.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('subjectName', { invalid: 'Send at most {ids} IDs in of.' });

type NameStore = Pick<SharedStore, 'read' | 'search' | 'supportingResources'>;

/** Latest records per subject and type that are searched for a name. */
const maxRead = 5;

/** `POST /app/subject-names`: names of the subjects of records (core/app/subject-names.ts). */
export function createSubjectNameRoutes(store: NameStore): readonly TableRoute[] {
  const handle = createJsonHandler(async (request) => {
    const problem = messages.invalid({ ids: maxSubjectNames });
    const nameRequest = parseBodyAs(request, 'SubjectNames', SubjectNamesRequest, problem);
    const names: Record<string, string> = {};
    for (const reference of new Set(nameRequest.of)) {
      const [type = '', id] = reference.split('/');
      const name =
        id === undefined
          ? await findSubjectName(store, reference)
          : await readNameFromRecord(store, type, id);
      if (name !== '') names[reference] = name;
      // Lets other requests run in between.
      await setImmediate();
    }
    return { names } satisfies SubjectNames;
  });
  return [{ method: 'POST', path: '/app/subject-names', body: true, handler: handle }];
}

async function readNameFromRecord(store: NameStore, type: string, id: string): Promise<string> {
  const record = isResourceType(type) ? await store.read(type, id) : undefined;
  if (!record || !('text' in record)) return '';
  const { name, subject } = parseSubject(record.text);
  return name === '' && containedId(subject) === undefined ? findSubjectName(store, bareIds(subject)) : name;
}

async function findSubjectName(store: NameStore, id: string): Promise<string> {
  if (id === '' || /[,\\|$]/.test(id)) return '';
  for (const type of resourceTypes) {
    const page = await store.search(readCriteria(type, [['subject', id]]), maxRead);
    for (const record of page.records) {
      const name = 'bytes' in record ? parseSubject(record.bytes.toString()).name : '';
      if (name !== '') return name;
    }
  }
  return readSupportingName(store, id);
}

/** Returns the name of the supporting resource with this id if it is a person or group. */
async function readSupportingName({ supportingResources }: NameStore, id: string): Promise<string> {
  for (const reference of [...subjectTypes.map((type) => `${type}/${id}`), `urn:uuid:${id}`]) {
    try {
      const resource = await supportingResources.resolve(reference);
      if (!resource || !subjectTypes.includes(resource.type)) continue;
      const { root } = scan(resource.text);
      if (getNameWithoutModifiers(root) !== '') return resourceName(root).name;
    } catch (error) {
      // A damaged resource has no name.
      if (!(error instanceof FhirError)) throw error;
    }
  }
  return '';
}

const subjectTypes = ['Patient', 'Group'];

function parseSubject(text: string): { readonly name: string; readonly subject: string } {
  const { root } = scan(text);
  const type = stringMember(root, 'resourceType') ?? '';
  if (!isResourceType(type)) return { name: '', subject: '' };
  const subject = member(root, definitionOf(type).summary.subject);
  return { name: subjectNameOf(root, subject), subject: stringMember(subject, 'reference') ?? '' };
}
