import { setImmediate } from 'node:timers/promises';
import { maxSubjectNames, SubjectNamesRequest, type SubjectNames } from '../../core/app/subject-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { definitionOf, isResourceType, resourceTypes } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { containedId } from '../../core/fhir/names.ts';
import { getNameWithoutModifiers, resourceName, subjectNameOf } from '../../core/fhir/resource-name.ts';
import { bareIds } from '../../core/fhir/reference.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
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
  if (name !== '' || containedId(subject) !== undefined) return name;
  return findSubjectName(store, bareIds(subject), { type, id });
}

/**
 * Finds the name of a subject: in other records of it, then among the supporting resources. Sources may use one id for
 * different subjects.
 *
 * @param record - Record of the subject. Only records of its source count.
 */
async function findSubjectName(store: NameStore, id: string, record?: NamedResource): Promise<string> {
  if (id === '' || /[,\\|$]/.test(id)) return '';
  const { supportingResources } = store;
  const readSource = async (name: NamedResource) => (await supportingResources.readOrigin(name))?.source;
  const ownSource = record && (await readSource(record));
  const names = new Map<string | undefined, string>();
  for (const type of resourceTypes) {
    const page = await store.search(readCriteria(type, [['subject', id]]), maxRead);
    for (const match of page.records) {
      const source = await readSource({ type, id: match.id });
      const name = 'bytes' in match ? parseSubject(match.bytes.toString()).name : '';
      if (!names.has(source) || names.get(source) === '') names.set(source, name);
    }
  }
  const isOneSubject = record !== undefined || names.size < 2;
  const nameInRecords = record ? names.get(ownSource) : [...names.values()][0];
  if (isOneSubject && nameInRecords !== undefined && nameInRecords !== '') return nameInRecords;
  return readSupportingName(store, id, record);
}

/** Returns the name of the supporting resource with this id if it is a person or group. */
async function readSupportingName(
  { supportingResources }: NameStore,
  id: string,
  record: NamedResource | undefined,
): Promise<string> {
  for (const reference of [...subjectTypes.map((type) => `${type}/${id}`), `urn:uuid:${id}`]) {
    try {
      const resource = await supportingResources.resolve(reference, { record });
      if (typeof resource !== 'object' || !subjectTypes.includes(resource.type)) continue;
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
