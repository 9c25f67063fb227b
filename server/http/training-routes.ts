import { TrainingReset, TrainingSet, WriterRequest, writerSeconds } from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import { Exercise, exercises } from '../../core/app/practice.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Training } from '../import/training.ts';
import type { Practice } from '../import/practice.ts';
import { getActor } from './access.ts';
import { bodyOf, jsonBody } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('training', {
  unknownSet: 'The training set must be clean, migration or busy.',
  invalidReset: 'Say how many records beside the training data may be deleted: {example}.',
  invalidPace: 'The pace must be {least} to {most} whole seconds: {example}.',
  unknownExercise: 'The exercise must be one of {exercises}.',
});

/** Returns the routes of training data. `/demo` is the older address of the clean set. */
export function trainingRoutes(training: Training): readonly TableRoute[] {
  const demo = json((_request, response) => training.load('clean', getActor(response)));
  const load = json((request, response) => {
    const { set } = request.params;
    if (!is(TrainingSet, set)) {
      throw new FhirError('unknown-path', messages.unknownSet());
    }
    return training.load(set, getActor(response));
  });
  const reset = json(async (request, response) => {
    const resetRequest = bodyOf(
      request,
      'Reset',
      TrainingReset,
      messages.invalidReset({ example: '{"others": 0}' }),
    );
    const result = await training.reset(resetRequest, getActor(response));
    response.locals.hasEntry = true;
    return result;
  });
  const start = json((request) => {
    const writerRequest = jsonBody(request, 'Writer');
    if (!is(WriterRequest, writerRequest)) {
      const { least: minSeconds, most: maxSeconds } = writerSeconds;
      throw new FhirError(
        'value',
        messages.invalidPace({ least: minSeconds, most: maxSeconds, example: '{"seconds": 5}' }),
      );
    }
    return training.startWriter(writerRequest.seconds);
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

/** Returns the routes of exercises with the training data. */
export function practiceRoutes(practice: Practice): readonly TableRoute[] {
  const startExercise = json((request, response) => {
    const { exercise } = request.params;
    if (!is(Exercise, exercise)) {
      const names = formatList(exercises, 'disjunction');
      throw new FhirError('unknown-path', messages.unknownExercise({ exercises: names }));
    }
    return practice.begin(exercise, getActor(response));
  });
  return [
    { method: 'GET', path: '/app/practice', answer: json(() => practice.state()) },
    { method: 'POST', path: '/app/practice/conflict/colleague', answer: json(() => practice.colleague()) },
    { method: 'POST', path: '/app/practice/:exercise', answer: startExercise },
  ];
}
