import { parseAddress } from './address.ts';
import type { AuditAction, AuditEntry } from '../app/audit.ts';
import { base64 } from '../fhir/base64.ts';
import { isFhirId, isResourceType } from '../fhir/resource.ts';

const codingOf = (system: string) => (code: string) => ({ system, code });
type Coding = ReturnType<typeof dicom>;

const terminology = 'http://terminology.hl7.org/CodeSystem';
const dicom = codingOf('http://dicom.nema.org/resources/ontology/DCM');
const lifecycle = codingOf(`${terminology}/iso-21089-lifecycle`);
const interaction = codingOf('http://hl7.org/fhir/restful-interaction');
const entityType = codingOf(`${terminology}/audit-entity-type`);
const objectRole = codingOf(`${terminology}/object-role`);
const restEvent = codingOf(`${terminology}/audit-event-type`)('rest');

interface Kind {
  readonly type: Coding;
  readonly subtype: Coding;
  /** FHIR R4 valueset-audit-event-action: create, read, update, delete, execute. */
  readonly action: 'C' | 'R' | 'U' | 'D' | 'E';
}

/** Codes of each action in the value sets of FHIR R4 auditevent.html#bnr. */
const kinds: Readonly<Record<AuditAction, Kind>> = {
  read: { type: restEvent, subtype: interaction('read'), action: 'R' },
  search: { type: restEvent, subtype: interaction('search-type'), action: 'E' },
  create: { type: restEvent, subtype: interaction('create'), action: 'C' },
  update: { type: restEvent, subtype: interaction('update'), action: 'U' },
  patch: { type: restEvent, subtype: interaction('patch'), action: 'U' },
  delete: { type: restEvent, subtype: interaction('delete'), action: 'D' },
  // User Authentication: Login.
  'sign-in': { type: dicom('110114'), subtype: dicom('110122'), action: 'E' },
  // User Authentication: Logout.
  'sign-out': { type: dicom('110114'), subtype: dicom('110123'), action: 'E' },
  // Security Alert: User Security Attributes Changed.
  'token-create': { type: dicom('110113'), subtype: dicom('110137'), action: 'C' },
  'token-revoke': { type: dicom('110113'), subtype: dicom('110137'), action: 'D' },
  // Export and Import.
  backup: { type: dicom('110106'), subtype: lifecycle('archive'), action: 'R' },
  restore: { type: dicom('110107'), subtype: lifecycle('restore'), action: 'U' },
  // Patient Record.
  reset: { type: dicom('110110'), subtype: lifecycle('destroy'), action: 'D' },
  // Security Alert: Security Configuration.
  seal: { type: dicom('110113'), subtype: dicom('110129'), action: 'U' },
  erase: { type: dicom('110110'), subtype: lifecycle('destroy'), action: 'D' },
  finding: { type: dicom('110110'), subtype: lifecycle('verify'), action: 'U' },
  // Import.
  move: { type: dicom('110107'), subtype: lifecycle('receive'), action: 'C' },
};

/** Returns an audit log entry as AuditEvent (FHIR R4 auditevent.html). */
export function auditEvent(entry: AuditEntry): object {
  const { seq, time, action, status, reason } = entry;
  const kind = kinds[action];
  return {
    resourceType: 'AuditEvent',
    id: String(seq),
    type: kind.type,
    subtype: [subtypeOf(entry)],
    action: kind.action,
    recorded: time,
    outcome: outcomeOf(status),
    ...(status >= 400 && { outcomeDesc: `HTTP ${status}` }),
    ...(reason !== undefined && { purposeOfEvent: [{ text: reason }] }),
    agent: [agentOf(entry)],
    source: { observer: { display: 'Chartkeeper' } },
    entity: [entityOf(entry)],
  };
}

/** Returns the person with the token as alternative id, or the token if no person is known. */
function agentOf({ who: tokenName, person }: AuditEntry): object {
  const name = person ?? tokenName;
  return {
    ...(person !== undefined && { altId: tokenName }),
    ...(name !== '' && { name }),
    requestor: true,
  };
}

/** Returns a code of FHIR R4 valueset-audit-event-outcome: success, minor failure, serious failure. */
function outcomeOf(status: number): '0' | '4' | '8' {
  if (status < 400) return '0';
  return status < 500 ? '4' : '8';
}

function subtypeOf({ action, what: target }: AuditEntry): Coding {
  const { subtype } = kinds[action];
  const { operation, version } = parseAddress(target) ?? {};
  if (operation !== '_history') return subtype;
  if (action === 'search') return interaction('history-type');
  return interaction(version === undefined ? 'history-instance' : 'vread');
}

/** Returns the entity: a record by reference, a search by its query, otherwise a name. */
function entityOf(entry: AuditEntry): object {
  const { what: target, action } = entry;
  const detail = detailOf(entry);
  if (action === 'search') {
    return { type: entityType('2'), role: objectRole('24'), query: base64(target), ...detail };
  }
  const reference = referenceOf(entry);
  if (reference === undefined) return { type: entityType('2'), name: target, ...detail };
  return { what: { reference }, type: entityType('2'), role: objectRole('4'), ...detail };
}

function referenceOf({ what: target, after }: AuditEntry): string | undefined {
  const { type = '', id = '', version = after } = parseAddress(target) ?? {};
  if (!isResourceType(type) || !isFhirId(id)) return undefined;
  return version === undefined ? `${type}/${id}` : `${type}/${id}/_history/${version}`;
}

function detailOf({ before, after, status, requestId }: AuditEntry): object {
  const details = [
    ...(before === undefined ? [] : [['version before', String(before)]]),
    ...(after === undefined ? [] : [['version after', String(after)]]),
    ...(status === 0 ? [] : [['HTTP status', String(status)]]),
    ...(requestId === '' ? [] : [['X-Request-Id', requestId]]),
  ].map(([type, valueString]) => ({ type, valueString }));
  return details.length === 0 ? {} : { detail: details };
}
