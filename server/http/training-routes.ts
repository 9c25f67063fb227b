import { TrainingReset, TrainingSet, WriterRequest, writerSeconds } from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import { Exercise, exercises } from '../../core/app/practice.ts';
import type { Training } from '../import/training.ts';
import type { Practice } from '../import/practice.ts';
import { doerOf } from './access.ts';
import { bodyOf, jsonBody } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

/** Training data; `/demo` is the clean clinic under its older name. */
export function trainingRoutes(training: Training): readonly TableRoute[] {
  const demo = json((_request, response) => training.load('clean', doerOf(response)));
  const load = json((request, response) => {
    const { set } = request.params;
    if (!is(TrainingSet, set)) {
      throw new FhirError('unknown-path', { text: 'The training sets are clean, migration and busy.' });
    }
    return training.load(set, doerOf(response));
  });
  const reset = json(async (request, response) => {
    const sent = bodyOf(request, 'Reset', TrainingReset, {
      text: 'A reset says how many records beside the training data it may remove: {"others": 0}.',
    });
    const emptied = await training.reset(sent, doerOf(response));
    response.locals.hasEntry = true;
    return emptied;
  });
  const start = json((request) => {
    const sent = jsonBody(request, 'Writer');
    if (!is(WriterRequest, sent)) {
      const { least, most } = writerSeconds;
      throw new FhirError('value', {
        text: `The busy ward's pace is a whole number of seconds from ${least} to ${most}: {"seconds": 5}.`,
      });
    }
    return training.startWriter(sent.seconds);
  });
  return [
    { method: 'POST', path: '/app/demo', answer: demo },
    { method: 'GET', path: '/app/training', answer: json(() => training.state()) },
    { method: 'GET', path: '/app/training/migration/defects', answer: json(() => training.defects()) },
    { method: 'POST', path: '/app/training/reset', audit: 'reset', body: true, answer: reset },
    { method: 'POST', path: '/app/training/writer', body: true, answer: start },
    { method: 'DELETE', path: '/app/training/writer', answer: json(() => training.stopWriter()) },
    { method: 'POST', path: '/app/training/:set', answer: load },
  ];
}

/** Exercises on the training data. */
export function practiceRoutes(practice: Practice): readonly TableRoute[] {
  const begin = json((request, response) => {
    const { exercise } = request.params;
    if (!is(Exercise, exercise)) {
      throw new FhirError('unknown-path', { text: `The exercises are ${exercises.join(', ')}.` });
    }
    return practice.begin(exercise, doerOf(response));
  });
  return [
    { method: 'GET', path: '/app/practice', answer: json(() => practice.state()) },
    { method: 'POST', path: '/app/practice/conflict/colleague', answer: json(() => practice.colleague()) },
    { method: 'POST', path: '/app/practice/:exercise', answer: begin },
  ];
}
