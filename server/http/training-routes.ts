import { TrainingReset, TrainingSet, WriterRequest, writerSeconds } from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { Training } from '../import/training.ts';
import { doerOf } from './access.ts';
import { hasEntry } from './audit-recorder.ts';
import { jsonBody } from './body.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Training data; `/demo` is the clean clinic under its older name. */
export function trainingRoutes(training: Training, readBody: Answer): readonly TableRoute[] {
  const state: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await training.state()));
  };
  const demo: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await training.load('clean', doerOf(response))));
  };
  const load: Answer = async (request, response) => {
    const { set } = request.params;
    if (!is(TrainingSet, set)) {
      throw new FhirError('unknown-path', { text: 'The training sets are clean, migration and busy.' });
    }
    sendJson(response, 200, JSON.stringify(await training.load(set, doerOf(response))));
  };
  const defects: Answer = (_request, response) => {
    sendJson(response, 200, JSON.stringify(training.defects()));
  };
  const reset: Answer = async (request, response) => {
    const sent = jsonBody(request, 'Reset');
    if (!is(TrainingReset, sent)) {
      throw new FhirError('value', {
        text: 'A reset says how many records beside the training data it may remove: {"others": 0}.',
      });
    }
    const emptied = await training.reset(sent, doerOf(response));
    hasEntry(response);
    sendJson(response, 200, JSON.stringify(emptied));
  };
  const start: Answer = async (request, response) => {
    const sent = jsonBody(request, 'Writer');
    if (!is(WriterRequest, sent)) {
      const { least, most } = writerSeconds;
      throw new FhirError('value', {
        text: `The busy ward's pace is a whole number of seconds from ${least} to ${most}: {"seconds": 5}.`,
      });
    }
    sendJson(response, 200, JSON.stringify(await training.startWriter(sent.seconds)));
  };
  const stop: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await training.stopWriter()));
  };
  return [
    { method: 'POST', path: '/app/demo', answer: demo },
    { method: 'GET', path: '/app/training', answer: state },
    { method: 'GET', path: '/app/training/migration/defects', answer: defects },
    { method: 'POST', path: '/app/training/reset', audit: 'reset', readBody, answer: reset },
    { method: 'POST', path: '/app/training/writer', readBody, answer: start },
    { method: 'DELETE', path: '/app/training/writer', answer: stop },
    { method: 'POST', path: '/app/training/:set', answer: load },
  ];
}
