import { acceptPatch, fhirPath, routes, type Operation, type Route } from '../../core/api/contract.ts';
import { checkAcceptable, checkContentType, parsePrefer } from '../../core/api/negotiation.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resultParametersOf } from '../../core/fhir/search-parameters.ts';
import { readProjection } from '../../core/fhir/search-results.ts';
import { locationOf } from '../../core/fhir/search-values.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Shape } from '../fhir/service.ts';
import { authorize } from './access.ts';
import type { ApiRequest, ApiResponse, BodyReader } from './request.ts';
import { respondToOptions, type TableRoute } from './route-table.ts';
import { auditFhirResponse, type Audit } from './audit-recorder.ts';

export type Handlers = Readonly<
  Record<Operation, (request: ApiRequest, route: Route) => Promise<ApiResponse> | ApiResponse>
>;

/** Returns the routes of the contract's operations. */
export function createFhirRoutes(
  handlers: Handlers,
  readBody: BodyReader,
  audit: Audit,
): readonly TableRoute[] {
  return [
    // The base responds to OPTIONS only. Batches and system searches are not supported.
    {
      method: 'OPTIONS',
      path: fhirPath,
      access: 'token',
      handler: () => respondToOptions('OPTIONS'),
    },
    ...routes.map((route): TableRoute => ({
      method: route.method,
      path: fhirPath + route.path,
      access: route.access,
      async handler(request) {
        // A conditional create also searches (row 90).
        if (route.operation === 'create' && request.headers['if-none-exist'] !== undefined)
          authorize(request, 's');
        const hasBody = route.consumes.length > 0 && !(route.mayBeEmpty && isEmpty(request));
        negotiate(request, route, hasBody);
        if (hasBody) await readBody(request);
        const response = await handlers[route.operation](request, route);
        const onStarted = () => auditFhirResponse(audit, request, response.status, route);
        return { ...response, onStarted };
      },
    })),
  ];
}

function isEmpty({ headers }: ApiRequest): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

/** Checks Accept and Content-Type before the body is read (rows 73, 74 and 81). */
function negotiate(request: ApiRequest, { consumes, operation }: Route, hasBody: boolean): void {
  const format = request.query.find(([name]) => name === '_format')?.[1];
  checkAcceptable(request.headers.accept, format);
  if (hasBody) {
    const headers: Record<string, string> = operation === 'patch' ? { 'Accept-Patch': acceptPatch } : {};
    checkContentType(request.headers['content-type'], consumes, headers);
  }
}

const messages = defineMessages('parameter', {
  unknown: 'Unknown parameter. Supported: {names}.',
  empty: 'The parameter {name} has no value.',
  repeated: 'The parameter {name} can be sent only once.',
  invalid: 'The parameter {name} must be one of {values}.',
});

const plain: Shape = { pretty: false };

const knownNames = resultParametersOf('read').map(({ name }) => name);

/** `count` is supported by searches only. */
const summaries = ['true', 'text', 'data', 'false'];
const allowedValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['_summary', summaries],
  ['_pretty', ['true', 'false']],
]);

/**
 * Reads the parameters that shape a response. Others are rejected, or ignored with `Prefer:
 * handling=lenient`.
 *
 * @param operationParameters - Parameters of the operation itself.
 * @throws FhirError `not-accepted` for an unknown parameter, `value` for an invalid value.
 */
export function readShaping(request: ApiRequest, operationParameters: readonly string[] = []): Shape {
  const pairs = request.query.filter(([name]) => !operationParameters.includes(name));
  if (pairs.length === 0) return plain;
  const isLenient = parsePrefer(request.header('Prefer')).handling === 'lenient';
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!knownNames.includes(name)) {
      if (isLenient) continue;
      throw new FhirError('not-accepted', {
        ...messages.unknown({ names: formatList(knownNames, 'unit') }),
        location: locationOf(name),
      });
    }
    if (value.trim() === '') throw createValueError(name, messages.empty({ name }));
    if (values.has(name)) throw createValueError(name, messages.repeated({ name }));
    const supportedValues = allowedValues.get(name);
    if (supportedValues && !supportedValues.includes(value)) {
      throw createValueError(
        name,
        messages.invalid({ name, values: formatList(supportedValues, 'disjunction') }),
      );
    }
    values.set(name, value);
  }
  const projection = readProjection(request.type, values);
  return { ...(projection && { projection }), pretty: values.get('_pretty') === 'true' };
}

function createValueError(name: string, message: Message): FhirError {
  return new FhirError('value', { ...message, location: locationOf(name) });
}
