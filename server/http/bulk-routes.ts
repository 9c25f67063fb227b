import type { Request } from 'express';
import {
  bulkLimits,
  BulkTurn,
  NewBulkRun,
  NewUndo,
  PlacedTargets,
  type BulkRun,
} from '../../core/app/bulk.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { BulkStore } from '../workspace/bulk-runs.ts';
import { bodyOf, jsonBody } from './body.ts';
import { json } from './reply.ts';
import { idOf, pairsOf, assertFound } from './request.ts';
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

/** `/app/bulk`: runs that replace elements in many records, as the page reports them (core/app/bulk.ts). */
export function bulkRoutes(runs: BulkStore, serverOf: ServerOf): readonly TableRoute[] {
  const runOf = async (request: Request): Promise<BulkRun> =>
    assertFound(await runs.find(await serverOf(request), idOf(request)), messages.absent());
  async function undo(server: string, asked: NewUndo): Promise<BulkRun> {
    const run = assertFound(await runs.find(server, asked.undoes), messages.undoesAbsent());
    if (run.state === 'running') {
      throw new FhirError('business-rule', messages.running());
    }
    if ((run.counts.done ?? 0) === 0) {
      throw new FhirError('business-rule', messages.nothingToUndo());
    }
    const made = await runs.undo(server, asked);
    if (made) return made;
    throw new FhirError('exists', messages.undoExists());
  }
  const create = json(async (request) => {
    const sent = jsonBody(request, 'BulkRun');
    const server = await serverOf(request);
    if (is(NewUndo, sent)) return undo(server, sent);
    if (!is(NewBulkRun, sent)) {
      throw new FhirError('value', messages.invalidRun({ operations: bulkLimits.operations }));
    }
    const made = await runs.create(server, sent);
    if (!made) throw new FhirError('exception', messages.notSaved());
    return made;
  }, 201);
  const turn = json(async (request) => {
    const run = await runOf(request);
    const sent = bodyOf(request, 'BulkRun', BulkTurn, {
      ...messages.invalidState(),
      expression: 'state',
    });
    if (sent.state === 'running' && run.undo) {
      throw new FhirError('business-rule', messages.undone());
    }
    await runs.turn(run.id, sent.state);
    return runOf(request);
  });
  const targets = json(async (request) => {
    const { id } = await runOf(request);
    const after = pairsOf(request).find(([name]) => name === 'after')?.[1];
    return runs.targets(id, after === undefined ? -1 : placeOf(after));
  });
  const save = json(async (request) => {
    const { id } = await runOf(request);
    const problem = messages.invalidTargets({ targets: bulkLimits.targetsAtOnce });
    const sent = bodyOf(request, 'BulkTargets', PlacedTargets, problem);
    await runs.save(id, sent);
    return { saved: sent.length };
  });
  const remove = json(async (request) => {
    const run = await runOf(request);
    await runs.remove(run.id);
    return run;
  });
  return [
    { method: 'GET', path: '/app/bulk', answer: json(async (request) => runs.list(await serverOf(request))) },
    { method: 'POST', path: '/app/bulk', body: true, answer: create },
    { method: 'GET', path: '/app/bulk/:id', answer: json((request) => runOf(request)) },
    { method: 'PUT', path: '/app/bulk/:id', body: true, answer: turn },
    { method: 'DELETE', path: '/app/bulk/:id', answer: remove },
    { method: 'GET', path: '/app/bulk/:id/targets', answer: targets },
    { method: 'POST', path: '/app/bulk/:id/targets', body: true, answer: save },
  ];
}

function placeOf(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new FhirError('value', { ...messages.invalidPlace(), location: 'http.after' });
}
