import { capabilityStatement } from '../../core/api/capability.ts';
import { openApiDocument } from '../../core/api/openapi.ts';
import type { ServerSettings } from '../settings.ts';
import { respondText } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { ApiResponse } from './request.ts';

export interface ServerDescription {
  readonly version: string;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
  /** Instant of the program start. */
  readonly startTime: string;
  readonly settings: Pick<ServerSettings, 'requireSubject' | 'allowOrigins'>;
}

/** Creates the handler of the CapabilityStatement. */
export function createMetadataHandler({ version, base, startTime, settings }: ServerDescription) {
  const { requireSubject, allowOrigins } = settings;
  const cors = allowOrigins.length > 0;
  return (): ApiResponse => {
    const statement = capabilityStatement({
      version,
      base: base(),
      date: startTime,
      requireSubject,
      cors,
    });
    return respondText(JSON.stringify(statement));
  };
}

/** Returns the route of the OpenAPI document. Its schemas load with the first request. */
export function createOpenApiRoutes({
  version,
  base,
}: Pick<ServerDescription, 'version' | 'base'>): readonly TableRoute[] {
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'token',
      async handler() {
        const { componentSchemas: schemas } =
          await import('../../core/fhir/validation/generated/component-schemas.js');
        return respondText(JSON.stringify(openApiDocument({ version, base: base(), schemas })));
      },
    },
  ];
}
