import type { Route } from '../../core/api/contract.ts';
import { parsePrefer } from '../../core/api/negotiation.ts';
import { profileMessages } from '../../core/app/profile-issues.ts';
import type { StoreFinding } from '../../core/app/quality.ts';
import { expressionAt } from '../../core/fhir/validation/finding.ts';
import { detailsOf, FhirError, maxIssues, type OutcomeIssue } from '../../core/fhir/outcome.ts';
import { literalAt } from '../../core/fhir/relations.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { locationOf } from '../../core/fhir/search-values.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { objectIn } from '../../core/json/scan.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import { outcomeIssues } from '../fhir/drafts.ts';
import { storeFindings } from '../fhir/other-records.ts';
import type { RecordService } from '../fhir/service.ts';
import type { ProfileAnswer } from '../validation/profile-messages.ts';
import type { Profiles } from '../validation/profiles.ts';
import type { SharedStore } from '../store/store.ts';
import { respondBytes, formatOutcome } from './reply.ts';
import { type ApiRequest, type ApiResponse } from './request.ts';
import { readShaping } from './fhir-routes.ts';

const messages = defineMessages('validate', {
  recordMissing: 'Send the record as the body, or in the parameter resource.',
  unknownParameter: 'Unknown parameter. Supported: resource, mode and profile.',
  invalidMode: 'mode must be one of {modes}.',
  repeated: 'Send exactly one {name}, with a value.',
  deletion: 'Records can’t be deleted. Set status to entered-in-error.',
});

/** FHIR R4 valueset-resource-validation-mode.html. */
const modes = ['create', 'update', 'delete', 'profile'];

const parameters = ['mode', 'profile'] as const;

interface ValidateRequest {
  readonly resource?: string | undefined;
  readonly mode?: string | undefined;
  readonly profile?: string | undefined;
}

/** Creates the handlers of `$validate` for a type and for one record (row 85). */
export function createValidateHandlers(
  service: RecordService,
  profiles: Pick<Profiles, 'judge'>,
  store: Pick<SharedStore, 'readForUpdate' | 'read' | 'relations'>,
) {
  const validate = async (request: ApiRequest, route: Route): Promise<ApiResponse> => {
    const { pretty } = readShaping(request, parameters);
    const { type } = request;
    const query = await readValidateRequest(request, service);
    // A missing record is not validated, even if the request has a text.
    const storedRecord =
      route.operation !== 'validate' ? await service.readBytes(type, request.id) : undefined;
    const text = query.resource ?? storedRecord?.bytes.toString();
    if (text === undefined) {
      throw new FhirError('required', messages.recordMissing());
    }
    const findings = await service.validate(type, text);
    const claimedProfiles = await service.claimedProfiles(text);
    const requestedProfiles = query.profile === undefined ? [] : [query.profile];
    const byProfile = await profiles.judge({ type, text }, [...requestedProfiles, ...claimedProfiles]);
    const allFindings = [...findings, ...byProfile.findings];
    // Findings of the store belong to the stored text only.
    const revision =
      query.resource === undefined && storedRecord
        ? await store.readForUpdate(type, storedRecord.id)
        : undefined;
    const atStore = revision ? await storeFindings(store, type, revision) : [];
    const otherIssues = [
      ...(query.mode === 'delete' ? [deletionIssue] : []),
      ...listUndecidedIssues(type, query.profile, byProfile),
      ...atStore.map((finding) => createStoreIssue(type, finding, text)),
    ];
    // "No issue was found" requires that everything requested was checked.
    const issues =
      allFindings.length === 0 && otherIssues.length > 0
        ? otherIssues
        : [...otherIssues, ...outcomeIssues(allFindings)];
    const bytes = Buffer.from(formatOutcome(request, issues.slice(0, maxIssues)));
    return respondBytes(await service.shaped(bytes, { pretty }), undefined, route.success);
  };
  return { validate, 'validate-stored': validate, 'validate-instance': validate };
}

/**
 * Reads the parameters of a request.
 *
 * @throws FhirError if the parameters contradict each other or are unknown.
 */
async function readValidateRequest(request: ApiRequest, service: RecordService): Promise<ValidateRequest> {
  const body = request.readText();
  const parameterValues = body === '' ? undefined : await service.validateParameters(body);
  const [unknown] = parameterValues?.unknown ?? [];
  const isLenient = parsePrefer(request.header('Prefer')).handling === 'lenient';
  if (unknown !== undefined && !isLenient) {
    throw new FhirError('not-accepted', {
      ...messages.unknownParameter(),
      expression: 'Parameters.parameter',
    });
  }
  const query = {
    resource: parameterValues ? parameterValues.resource : body === '' ? undefined : body,
    mode: findSingleValue(request, 'mode', parameterValues?.mode),
    profile: findSingleValue(request, 'profile', parameterValues?.profile),
  };
  if (query.mode !== undefined && !modes.includes(query.mode)) {
    throw new FhirError('value', {
      ...messages.invalidMode({ modes: formatList(modes, 'disjunction') }),
      location: locationOf('mode'),
    });
  }
  return query;
}

function findSingleValue(
  request: ApiRequest,
  name: (typeof parameters)[number],
  bodyValue: string | undefined,
): string | undefined {
  const values = request.query.flatMap(([key, value]) => (key === name ? [value] : []));
  const distinctValues = new Set([...values, ...(bodyValue === undefined ? [] : [bodyValue])]);
  if (distinctValues.size > 1 || distinctValues.has('')) {
    throw new FhirError('value', { ...messages.repeated({ name }), location: locationOf(name) });
  }
  return [...distinctValues][0];
}

const deletionIssue: OutcomeIssue = {
  severity: 'error',
  code: 'not-supported',
  details: detailsOf(messages.deletion()),
};

/** Returns issues of rules that were not evaluated: missing profiles, and rules without their definitions. */
function listUndecidedIssues(
  type: ResourceType,
  profile: string | undefined,
  { missingProfiles, undecidedRules }: ProfileAnswer,
): OutcomeIssue[] {
  return [
    ...missingProfiles.map((url) => createMissingProfileIssue(type, url, url === profile)),
    ...undecidedRules.map(createUndecidedIssue),
  ];
}

/**
 * Returns the issue of a missing profile. A requested profile is an error, so that its absence never counts
 * as a pass. A claimed profile is a warning.
 */
function createMissingProfileIssue(type: ResourceType, profile: string, wasRequested: boolean): OutcomeIssue {
  return {
    severity: wasRequested ? 'error' : 'warning',
    code: 'not-found',
    details: detailsOf(profileMessages.absent({ type })),
    diagnostics: profile,
    ...(wasRequested ? { location: [locationOf('profile')] } : { expression: [`${type}.meta.profile`] }),
  };
}

/**
 * Returns the issue of a store finding. It names the other records, or the target of a dangling reference.
 */
function createStoreIssue(type: ResourceType, finding: StoreFinding, text: string): OutcomeIssue {
  const { rule, pointer, others: otherRecords = [], moreOthers: hasMoreRecords } = finding;
  const root = rule === 'store/dangling-reference' ? objectIn(text) : undefined;
  const missing = root && literalAt(root, pointer);
  const names = missing ?? otherRecords.map((record) => `${record.type}/${record.id}`).join(', ');
  return {
    severity: 'warning',
    code: 'business-rule',
    details: detailsOf({ messageCode: rule, text: finding.text }),
    ...(names !== '' && { diagnostics: hasMoreRecords ? `${names} and others` : names }),
    expression: [expressionAt(type, parsePointer(pointer) ?? [])],
  };
}

function createUndecidedIssue(rule: ProfileAnswer['undecidedRules'][number]): OutcomeIssue {
  return {
    severity: 'information',
    code: 'incomplete',
    details: detailsOf(rule),
    diagnostics: rule.profile,
    expression: [rule.expression],
  };
}
