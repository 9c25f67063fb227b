/**
 * Every modifier of R4 and the expected name of a resource with it. Written out, so that a missing row of the
 * table is detected; scripts/schema-modifiers.test.ts compares the list with R4's definitions.
 */

/** Type, path, value and expected name. `?` is the name of the resource without modifiers. */
export const everyModifier: readonly (readonly [type: string, path: string, value: string, name: string])[] =
  [
    ['Account', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['ActivityDefinition', 'doNotPerform', 'true', 'Do NOT: ?'],
    ['ActivityDefinition', 'status', 'draft', '? (status: draft)'],
    ['AdverseEvent', 'actuality', 'potential', 'Potential: ?'],
    ['AllergyIntolerance', 'clinicalStatus', 'inactive', '? (clinical status: inactive)'],
    ['AllergyIntolerance', 'verificationStatus', 'refuted', 'Refuted: ?'],
    ['AllergyIntolerance', 'verificationStatus', 'unconfirmed', '? (verification status: unconfirmed)'],
    ['Appointment', 'status', 'cancelled', 'Cancelled: ?'],
    ['Appointment', 'status', 'noshow', 'No-show: ?'],
    ['AppointmentResponse', 'participantStatus', 'declined', 'Declined: ?'],
    ['BiologicallyDerivedProduct', 'status', 'unavailable', '? (status: unavailable)'],
    ['BodyStructure', 'active', 'false', '? (not active)'],
    ['CapabilityStatement', 'status', 'draft', '? (status: draft)'],
    ['CarePlan', 'activity.detail.doNotPerform', 'true', '? (detail: Do NOT)'],
    ['CarePlan', 'activity.detail.status', 'cancelled', '? (detail: Cancelled)'],
    ['CarePlan', 'intent', 'proposal', '? (intent: proposal)'],
    ['CarePlan', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['CareTeam', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['CatalogEntry', 'status', 'draft', '? (status: draft)'],
    ['ChargeItem', 'status', 'aborted', 'Aborted: ?'],
    ['ChargeItemDefinition', 'status', 'draft', '? (status: draft)'],
    ['Claim', 'status', 'cancelled', 'Cancelled: ?'],
    ['ClaimResponse', 'status', 'cancelled', 'Cancelled: ?'],
    ['ClinicalImpression', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['CodeSystem', 'status', 'draft', '? (status: draft)'],
    ['Communication', 'status', 'not-done', 'Not done: ?'],
    ['CommunicationRequest', 'doNotPerform', 'true', 'Do NOT: ?'],
    ['CommunicationRequest', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['CompartmentDefinition', 'status', 'draft', '? (status: draft)'],
    ['Composition', 'section.emptyReason', 'closed', '? (section: empty: Closed)'],
    ['Composition', 'section.emptyReason', 'nilknown', '? (section: empty: Nil known)'],
    ['Composition', 'section.emptyReason', 'notasked', '? (section: empty: Not asked)'],
    ['Composition', 'section.emptyReason', 'notstarted', '? (section: empty: Not started)'],
    ['Composition', 'section.emptyReason', 'unavailable', '? (section: empty: Unavailable)'],
    ['Composition', 'section.emptyReason', 'withheld', '? (section: empty: Information withheld)'],
    ['Composition', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['ConceptMap', 'group.element.target.equivalence', 'disjoint', '? (target: Not equivalent)'],
    ['ConceptMap', 'group.element.target.equivalence', 'unmatched', '? (target: No match)'],
    ['ConceptMap', 'status', 'draft', '? (status: draft)'],
    ['Condition', 'clinicalStatus', 'recurrence', '? (clinical status: recurrence)'],
    ['Condition', 'verificationStatus', 'entered-in-error', 'Entered in error: ?'],
    ['Condition', 'verificationStatus', 'provisional', '? (verification status: provisional)'],
    ['Condition', 'verificationStatus', 'refuted', 'Refuted: ?'],
    ['Consent', 'scope', 'adr', '? (scope: adr)'],
    ['Consent', 'status', 'rejected', 'Rejected: ?'],
    ['Contract', 'status', 'cancelled', 'Cancelled: ?'],
    ['Contract', 'term.action.doNotPerform', 'true', '? (action: Do NOT)'],
    ['Coverage', 'status', 'cancelled', 'Cancelled: ?'],
    ['CoverageEligibilityRequest', 'status', 'cancelled', 'Cancelled: ?'],
    ['CoverageEligibilityResponse', 'status', 'cancelled', 'Cancelled: ?'],
    ['DetectedIssue', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Device', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['DeviceRequest', 'intent', 'proposal', '? (intent: proposal)'],
    ['DeviceRequest', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['DeviceUseStatement', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['DiagnosticReport', 'status', 'cancelled', 'Cancelled: ?'],
    ['DocumentManifest', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['DocumentReference', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['EffectEvidenceSynthesis', 'status', 'draft', '? (status: draft)'],
    ['Encounter', 'status', 'cancelled', 'Cancelled: ?'],
    ['Endpoint', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['EnrollmentRequest', 'status', 'cancelled', 'Cancelled: ?'],
    ['EnrollmentResponse', 'status', 'cancelled', 'Cancelled: ?'],
    ['EpisodeOfCare', 'status', 'cancelled', 'Cancelled: ?'],
    ['EventDefinition', 'status', 'draft', '? (status: draft)'],
    ['Evidence', 'status', 'draft', '? (status: draft)'],
    ['EvidenceVariable', 'characteristic.exclude', 'true', '? (characteristic: Excluded)'],
    ['EvidenceVariable', 'status', 'draft', '? (status: draft)'],
    ['ExampleScenario', 'status', 'draft', '? (status: draft)'],
    ['ExplanationOfBenefit', 'status', 'cancelled', 'Cancelled: ?'],
    ['FamilyMemberHistory', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Flag', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Goal', 'lifecycleStatus', 'cancelled', 'Cancelled: ?'],
    ['Goal', 'lifecycleStatus', 'on-hold', '? (lifecycle status: on-hold)'],
    ['Goal', 'lifecycleStatus', 'rejected', 'Rejected: ?'],
    ['GraphDefinition', 'status', 'draft', '? (status: draft)'],
    ['Group', 'active', 'false', '? (not active)'],
    ['Group', 'characteristic.exclude', 'true', '? (characteristic: Excluded)'],
    ['GuidanceResponse', 'status', 'failure', 'Failed: ?'],
    ['HealthcareService', 'active', 'false', '? (not active)'],
    ['ImagingStudy', 'status', 'cancelled', 'Cancelled: ?'],
    ['Immunization', 'isSubpotent', 'true', '? (subpotent dose)'],
    ['Immunization', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Immunization', 'status', 'not-done', 'Not done: ?'],
    ['ImmunizationEvaluation', 'status', 'entered-in-error', 'Entered in error: ?'],
    [
      'ImmunizationRecommendation',
      'recommendation.forecastStatus',
      'contraindicated',
      '? (recommendation: Contraindicated)',
    ],
    ['ImplementationGuide', 'status', 'draft', '? (status: draft)'],
    ['InsurancePlan', 'status', 'draft', '? (status: draft)'],
    ['Invoice', 'status', 'cancelled', 'Cancelled: ?'],
    ['Library', 'status', 'draft', '? (status: draft)'],
    ['Linkage', 'active', 'false', '? (not active)'],
    ['List', 'emptyReason', 'nilknown', '? (empty: Nil known)'],
    ['List', 'entry.deleted', 'true', '? (entry: Deleted)'],
    ['List', 'mode', 'changes', '? (mode: changes)'],
    ['List', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Location', 'status', 'suspended', '? (status: suspended)'],
    ['Measure', 'status', 'draft', '? (status: draft)'],
    ['MeasureReport', 'improvementNotation', 'increase', '? (improvement notation: increase)'],
    ['MeasureReport', 'status', 'pending', '? (status: pending)'],
    ['Media', 'status', 'not-done', 'Not done: ?'],
    ['Medication', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['MedicationAdministration', 'status', 'not-done', 'Not done: ?'],
    ['MedicationDispense', 'status', 'cancelled', 'Cancelled: ?'],
    ['MedicationKnowledge', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['MedicationRequest', 'doNotPerform', 'true', 'Do NOT: ?'],
    ['MedicationRequest', 'intent', 'proposal', '? (intent: proposal)'],
    ['MedicationRequest', 'status', 'cancelled', 'Cancelled: ?'],
    ['MedicationRequest', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['MedicationStatement', 'status', 'not-taken', 'Not taken: ?'],
    ['MedicinalProductAuthorization', 'status', 'pending', '? (status: pending)'],
    ['MessageDefinition', 'status', 'draft', '? (status: draft)'],
    ['NamingSystem', 'status', 'draft', '? (status: draft)'],
    ['NutritionOrder', 'intent', 'proposal', '? (intent: proposal)'],
    ['NutritionOrder', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Observation', 'status', 'cancelled', 'Cancelled: ?'],
    ['Observation', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['OperationDefinition', 'status', 'draft', '? (status: draft)'],
    ['Organization', 'active', 'false', '? (not active)'],
    ['OrganizationAffiliation', 'active', 'false', '? (not active)'],
    ['Patient', 'active', 'false', '? (not active)'],
    ['Patient', 'deceasedBoolean', 'true', '? (deceased)'],
    ['Patient', 'deceasedDateTime', '2024-03', '? (deceased)'],
    ['Patient', 'link.type', 'replaced-by', '? (replaced by another record)'],
    ['PaymentNotice', 'status', 'cancelled', 'Cancelled: ?'],
    ['PaymentReconciliation', 'status', 'cancelled', 'Cancelled: ?'],
    ['Person', 'active', 'false', '? (not active)'],
    ['PlanDefinition', 'status', 'draft', '? (status: draft)'],
    ['Practitioner', 'active', 'false', '? (not active)'],
    ['PractitionerRole', 'active', 'false', '? (not active)'],
    ['Procedure', 'status', 'in-progress', '? (status: in-progress)'],
    ['Procedure', 'status', 'not-done', 'Not done: ?'],
    ['Questionnaire', 'status', 'draft', '? (status: draft)'],
    ['QuestionnaireResponse', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['RelatedPerson', 'active', 'false', '? (not active)'],
    ['RequestGroup', 'intent', 'proposal', '? (intent: proposal)'],
    ['RequestGroup', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['ResearchDefinition', 'status', 'draft', '? (status: draft)'],
    ['ResearchElementDefinition', 'characteristic.exclude', 'true', '? (characteristic: Excluded)'],
    ['ResearchElementDefinition', 'status', 'draft', '? (status: draft)'],
    ['ResearchStudy', 'status', 'disapproved', 'Disapproved: ?'],
    ['ResearchSubject', 'status', 'not-registered', 'Not registered: ?'],
    ['RiskAssessment', 'status', 'cancelled', 'Cancelled: ?'],
    ['RiskEvidenceSynthesis', 'status', 'draft', '? (status: draft)'],
    ['Schedule', 'active', 'false', '? (not active)'],
    ['SearchParameter', 'status', 'draft', '? (status: draft)'],
    ['ServiceRequest', 'doNotPerform', 'true', 'Do NOT: ?'],
    ['ServiceRequest', 'intent', 'proposal', '? (intent: proposal)'],
    ['ServiceRequest', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Slot', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['Specimen', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['StructureDefinition', 'status', 'draft', '? (status: draft)'],
    ['StructureMap', 'status', 'draft', '? (status: draft)'],
    ['Subscription', 'status', 'requested', '? (status: requested)'],
    ['Substance', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['SubstanceSpecification', 'status', 'pending', '? (status: pending)'],
    ['SupplyDelivery', 'status', 'abandoned', 'Abandoned: ?'],
    ['SupplyRequest', 'status', 'cancelled', 'Cancelled: ?'],
    ['Task', 'status', 'failed', 'Failed: ?'],
    ['TerminologyCapabilities', 'status', 'draft', '? (status: draft)'],
    ['TestReport', 'status', 'entered-in-error', 'Entered in error: ?'],
    ['TestScript', 'status', 'draft', '? (status: draft)'],
    ['ValueSet', 'status', 'draft', '? (status: draft)'],
    ['VerificationResult', 'status', 'attested', '? (status: attested)'],
    ['VisionPrescription', 'status', 'cancelled', 'Cancelled: ?'],
  ];

/** Elements with a concept as value. */
const concepts = new Set(
  'clinicalStatus verificationStatus scope forecastStatus improvementNotation emptyReason'.split(' '),
);

/** A resource with one modifier. */
export interface ModifiedSample {
  /** Has a title for any type, because views name any shape. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** Expected name. */
  readonly name: string;
}

/** Returns a resource for each modifier, with ids `m0`, `m1` ... and distinct titles. */
export function modifiedSamples(): ModifiedSample[] {
  const coded = everyModifier.map(([type, path, value, name], index): ModifiedSample => {
    const title = `Thing ${index}`;
    const resource = { resourceType: type, id: `m${index}`, title, ...valueAt(path, value) };
    return { resource, name: name.replace('?', title) };
  });
  const common = [
    [{ modifierExtension: [{ url: 'http://x.test/not' }] }, 'Has a modifier that changes its meaning: ?'],
    [
      { component: [{ modifierExtension: [{ url: 'http://x.test/not' }] }] },
      'Has a modifier that changes its meaning: ?',
    ],
    [{ implicitRules: 'http://x.test/rules' }, '? (implicit rules: http://x.test/rules)'],
  ] as const;
  const extended = common.map(([members, name], index): ModifiedSample => {
    const number = coded.length + index;
    const resource = { resourceType: 'Observation', id: `m${number}`, title: `Thing ${number}`, ...members };
    return { resource, name: name.replace('?', `Thing ${number}`) };
  });
  return [...coded, ...extended];
}

/** Builds the member at a path, nested in lists. */
function valueAt(path: string, value: string): Readonly<Record<string, unknown>> {
  const [key = '', ...remainingKeys] = path.split('.');
  if (remainingKeys.length > 0) return { [key]: [valueAt(remainingKeys.join('.'), value)] };
  if (value === 'true' || value === 'false') return { [key]: value === 'true' };
  return { [key]: concepts.has(key) ? { coding: [{ code: value }] } : value };
}
