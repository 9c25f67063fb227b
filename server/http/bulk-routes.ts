import {
  bulkLimits,
  BulkTurn,
  NewBulkRun,
  NewUndo,
  PlacedTargets,
  type BulkRun,
} from '../../core/app/bulk.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { BulkStore } from '../workspace/bulk-runs.ts';
import { parseBodyAs, parseJsonBody } from './body.ts';
import { createJsonHandler } from './reply.ts';
import { type ApiRequest, assertFound } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

const messages = defineMessages('bulk', {
  absent: 'There is no bulk edit with this ID.',
  undoesAbsent: 'There is no bulk edit to undo with this ID.',
  running: 'The run is in progress or was interrupted. Stop it first.',
  nothingToUndo: 'The run changed no records. There is nothing to undo.',
  undoExists: 'This run already has an undo.',
  invalidRun:
    'A bulk edit needs a label and 1 to {operations} operations: a path with a value or an expression, or a fix.',
  notSaved: 'The run was not saved.',
  invalidState: 'state must be running, stopped or finished.',
  undone: 'The run was undone and can’t be resumed.',
  invalidTargets: 'Send at most {targets} targets, each with place, type, id, title and state.',
  invalidPlace: 'after must be the place of a target.',
});

/** `/app/bulk`: saved runs that change many records (core/app/bulk.ts). */
export function createBulkRoutes(runs: BulkStore, serverOf: ServerOf): readonly TableRoute[] {
  const findRun = async (request: ApiRequest): Promise<BulkRun> =>
    assertFound(await runs.find(await serverOf(request), request.id), messages.absent());
  async function undo(server: string, request: NewUndo): Promise<BulkRun> {
    const run = assertFound(await runs.find(server, request.undoes), messages.undoesAbsent());
    if (run.state === 'running') {
      throw new FhirError('business-rule', messages.running());
    }
    if ((run.counts.done ?? 0) === 0) {
      throw new FhirError('business-rule', messages.nothingToUndo());
    }
    const createdUndo = await runs.undo(server, request);
    if (createdUndo) return createdUndo;
    throw new FhirError('exists', messages.undoExists());
  }
  const create = createJsonHandler(async (request) => {
    const body = parseJsonBody(request, 'BulkRun');
    const server = await serverOf(request);
    if (matchesSchema(NewUndo, body)) return undo(server, body);
    if (!matchesSchema(NewBulkRun, body)) {
      throw new FhirError('value', messages.invalidRun({ operations: bulkLimits.operations }));
    }
    const createdRun = await runs.create(server, body);
    if (!createdRun) throw new FhirError('exception', messages.notSaved());
    return createdRun;
  }, 201);
  const changeState = createJsonHandler(async (request) => {
    const run = await findRun(request);
    const stateChange = parseBodyAs(request, 'BulkRun', BulkTurn, {
      ...messages.invalidState(),
      expression: 'state',
    });
    if (stateChange.state === 'running' && run.undo) {
      throw new FhirError('business-rule', messages.undone());
    }
    await runs.turn(run.id, stateChange.state);
    return findRun(request);
  });
  const listTargets = createJsonHandler(async (request) => {
    const { id } = await findRun(request);
    const after = request.query.find(([name]) => name === 'after')?.[1];
    return runs.targets(id, after === undefined ? -1 : parsePosition(after));
  });
  const save = createJsonHandler(async (request) => {
    const { id } = await findRun(request);
    const problem = messages.invalidTargets({ targets: bulkLimits.targetsAtOnce });
    const targets = parseBodyAs(request, 'BulkTargets', PlacedTargets, problem);
    await runs.save(id, targets);
    return { saved: targets.length };
  });
  const remove = createJsonHandler(async (request) => {
    const run = await findRun(request);
    await runs.remove(run.id);
    return run;
  });
  return [
    {
      method: 'GET',
      path: '/app/bulk',
      handler: createJsonHandler(async (request) => runs.list(await serverOf(request))),
    },
    { method: 'POST', path: '/app/bulk', body: true, handler: create },
    { method: 'GET', path: '/app/bulk/:id', handler: createJsonHandler((request) => findRun(request)) },
    { method: 'PUT', path: '/app/bulk/:id', body: true, handler: changeState },
    { method: 'DELETE', path: '/app/bulk/:id', handler: remove },
    { method: 'GET', path: '/app/bulk/:id/targets', handler: listTargets },
    { method: 'POST', path: '/app/bulk/:id/targets', body: true, handler: save },
  ];
}

function parsePosition(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new FhirError('value', { ...messages.invalidPlace(), location: 'http.after' });
}
