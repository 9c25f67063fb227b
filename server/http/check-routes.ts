import { check } from '../../core/app/check.ts';
import { checkPut, RecordText, Trial } from '../../core/app/checks.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Checks } from '../validation/checks.ts';
import { getActor } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('check', { absent: 'There is no check with this ID.' });

/** `/app/checks`: custom checks of stewards (core/app/checks.ts). */
export function checkRoutes(checks: Checks): readonly TableRoute[] {
  const save = json(async (request, response) => {
    const { definition, version } = valueOf(checkPut(request.params.id, jsonBody(request, 'Check')));
    const { who: author, person = author } = getActor(response);
    const savedCheck = await checks.put(definition, version, person);
    // Removed in the meantime.
    if (!savedCheck) throw createUnknownError();
    return savedCheck;
  });
  const remove = json((request) => {
    if (!checks.remove(String(request.params.id))) throw createUnknownError();
    return checks.list();
  });
  const tryCheck = json((request) => checks.try(valueOf(check(Trial, jsonBody(request, 'Trial')))));
  const findings = json(async (request) => {
    const { type, record } = valueOf(check(RecordText, jsonBody(request, 'Record')));
    const [recordFindings = []] = await checks.findings(type, [record]);
    return recordFindings;
  });
  const listSkipped = json(async (request) => {
    const skippedRecords = await checks.skipped(String(request.params.id));
    if (!skippedRecords) throw createUnknownError();
    return skippedRecords;
  });
  return [
    { method: 'GET', path: '/app/checks', answer: json(() => checks.list()) },
    { method: 'POST', path: '/app/checks/try', body: true, audit: 'search', answer: tryCheck },
    { method: 'POST', path: '/app/checks/findings', body: true, answer: findings },
    { method: 'PUT', path: '/app/checks/:id', body: true, answer: save },
    { method: 'DELETE', path: '/app/checks/:id', answer: remove },
    { method: 'GET', path: '/app/checks/:id/skipped', audit: 'search', answer: listSkipped },
  ];
}

function createUnknownError(): FhirError {
  return new FhirError('unknown-path', messages.absent());
}
