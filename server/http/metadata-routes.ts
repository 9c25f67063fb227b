import type { Request, Response } from 'express';
import { capabilityStatement } from '../../core/api/capability.ts';
import { openApiDocument } from '../../core/api/openapi.ts';
import type { ServerSettings } from '../settings.ts';
import { sendJson } from './reply.ts';
import type { TableRoute } from './route-table.ts';

export interface Description {
  readonly version: string;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
  /** When the program was started: an instant. */
  readonly started: string;
  readonly settings: Pick<ServerSettings, 'requireSubject' | 'allowOrigins'>;
}

/** The CapabilityStatement. */
export function metadataAnswer({ version, base, started, settings }: Description) {
  const { requireSubject, allowOrigins } = settings;
  const cors = allowOrigins.length > 0;
  return (_request: Request, response: Response): Promise<void> => {
    const statement = capabilityStatement({
      version,
      base: base(),
      date: started,
      requireSubject,
      cors,
    });
    sendJson(response, 200, JSON.stringify(statement));
    return Promise.resolve();
  };
}

/** The OpenAPI document, for holders of any token; its schemas are read when it is first asked for. */
export function openApiRoutes({
  version,
  base,
}: Pick<Description, 'version' | 'base'>): readonly TableRoute[] {
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'token',
      async answer(_request, response) {
        const { componentSchemas: schemas } =
          await import('../../core/fhir/validation/generated/component-schemas.js');
        sendJson(response, 200, JSON.stringify(openApiDocument({ version, base: base(), schemas })));
      },
    },
  ];
}
