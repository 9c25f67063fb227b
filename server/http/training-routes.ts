import { TrainingReset, TrainingSet, WriterRequest, writerSeconds } from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { Exercise, exercises } from '../../core/app/practice.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Training } from '../import/training.ts';
import type { Practice } from '../import/practice.ts';
import { parseBodyAs, parseJsonBody } from './body.ts';
import { createJsonHandler } from './reply.ts';
import type { ApiRequest } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('training', {
  unknownSet: 'The training set must be clean, migration or busy.',
  invalidReset: 'Say how many records other than the training data may be deleted: {example}.',
  invalidPace: 'The pace must be {least} to {most} whole seconds: {example}.',
  unknownExercise: 'The exercise must be one of {exercises}.',
});

/** Training data and exercises of a store. */
export interface TrainingParts {
  readonly training: Training;
  readonly practice: Practice;
}

/** Returns the parts of the store that a request is about: of this server, or of its practice store. */
export type PartsOf = (request: ApiRequest) => Promise<TrainingParts>;

/** Returns the routes of training data. `/demo` is the older address of the clean set. */
export function createTrainingRoutes(partsOf: PartsOf): readonly TableRoute[] {
  const trainingOf = async (request: ApiRequest) => (await partsOf(request)).training;
  const demo = createJsonHandler(async (request) => (await trainingOf(request)).load('clean', request.actor));
  const load = createJsonHandler(async (request) => {
    const { set } = request.params;
    if (!matchesSchema(TrainingSet, set)) {
      throw new FhirError('unknown-path', messages.unknownSet());
    }
    return (await trainingOf(request)).load(set, request.actor);
  });
  const reset = createJsonHandler(async (request) => {
    const resetRequest = parseBodyAs(
      request,
      'Reset',
      TrainingReset,
      messages.invalidReset({ example: '{"others": 0}' }),
    );
    const result = await (await trainingOf(request)).reset(resetRequest, request.actor);
    request.notes.isAudited = true;
    return result;
  });
  const start = createJsonHandler(async (request) => {
    const writerRequest = parseJsonBody(request, 'Writer');
    if (!matchesSchema(WriterRequest, writerRequest)) {
      const { least: minSeconds, most: maxSeconds } = writerSeconds;
      throw new FhirError(
        'value',
        messages.invalidPace({ least: minSeconds, most: maxSeconds, example: '{"seconds": 5}' }),
      );
    }
    return (await trainingOf(request)).startWriter(writerRequest.seconds);
  });
  return [
    { method: 'POST', path: '/app/demo', handler: demo },
    {
      method: 'GET',
      path: '/app/training',
      handler: createJsonHandler(async (request) => (await trainingOf(request)).state()),
    },
    {
      method: 'GET',
      path: '/app/training/migration/defects',
      handler: createJsonHandler(async (request) => (await trainingOf(request)).defects()),
    },
    { method: 'POST', path: '/app/training/reset', audit: 'reset', body: true, handler: reset },
    { method: 'POST', path: '/app/training/writer', body: true, handler: start },
    {
      method: 'DELETE',
      path: '/app/training/writer',
      handler: createJsonHandler(async (request) => (await trainingOf(request)).stopWriter()),
    },
    { method: 'POST', path: '/app/training/:set', handler: load },
  ];
}

/** Returns the routes of exercises with the training data. */
export function createPracticeRoutes(partsOf: PartsOf): readonly TableRoute[] {
  const practiceOf = async (request: ApiRequest) => (await partsOf(request)).practice;
  const startExercise = createJsonHandler(async (request) => {
    const { exercise } = request.params;
    if (!matchesSchema(Exercise, exercise)) {
      const names = formatList(exercises, 'disjunction');
      throw new FhirError('unknown-path', messages.unknownExercise({ exercises: names }));
    }
    return (await practiceOf(request)).begin(exercise, request.actor);
  });
  return [
    {
      method: 'GET',
      path: '/app/practice',
      handler: createJsonHandler(async (request) => (await practiceOf(request)).state()),
    },
    {
      method: 'POST',
      path: '/app/practice/conflict/colleague',
      handler: createJsonHandler(async (request) => (await practiceOf(request)).colleague()),
    },
    { method: 'POST', path: '/app/practice/:exercise', handler: startExercise },
  ];
}
