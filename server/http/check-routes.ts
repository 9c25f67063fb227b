import { check } from '../../core/app/check.ts';
import { checkPut, RecordText, Trial } from '../../core/app/checks.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Checks } from '../validation/checks.ts';
import { parseJsonBody, getCheckedValue } from './body.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('check', { absent: 'There is no check with this ID.' });

/** `/app/checks`: custom checks of stewards (core/app/checks.ts). */
export function createCheckRoutes(checks: Checks): readonly TableRoute[] {
  const save = createJsonHandler(async (request) => {
    const { definition, version } = getCheckedValue(
      checkPut(request.params.id, parseJsonBody(request, 'Check')),
    );
    const { who: author, person = author } = request.actor;
    const savedCheck = await checks.put(definition, version, person);
    // Removed in the meantime.
    if (!savedCheck) throw createUnknownError();
    return savedCheck;
  });
  const remove = createJsonHandler((request) => {
    if (!checks.remove(request.params.id ?? '')) throw createUnknownError();
    return checks.list();
  });
  const tryCheck = createJsonHandler((request) =>
    checks.try(getCheckedValue(check(Trial, parseJsonBody(request, 'Trial')))),
  );
  const findings = createJsonHandler(async (request) => {
    const { type, record } = getCheckedValue(check(RecordText, parseJsonBody(request, 'Record')));
    const [recordFindings = []] = await checks.findings(type, [record]);
    return recordFindings;
  });
  const listSkipped = createJsonHandler(async (request) => {
    const skippedRecords = await checks.listSkipped(request.params.id ?? '');
    if (!skippedRecords) throw createUnknownError();
    return skippedRecords;
  });
  return [
    { method: 'GET', path: '/app/checks', handler: createJsonHandler(() => checks.list()) },
    { method: 'POST', path: '/app/checks/try', body: true, audit: 'search', handler: tryCheck },
    { method: 'POST', path: '/app/checks/findings', body: true, handler: findings },
    { method: 'PUT', path: '/app/checks/:id', body: true, handler: save },
    { method: 'DELETE', path: '/app/checks/:id', handler: remove },
    { method: 'GET', path: '/app/checks/:id/skipped', audit: 'search', handler: listSkipped },
  ];
}

function createUnknownError(): FhirError {
  return new FhirError('unknown-path', messages.absent());
}
