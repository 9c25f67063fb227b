import { checkContentType } from '../../core/api/negotiation.ts';
import { packageTypes, type InstalledPackage } from '../../core/app/packages.ts';
import { digestOf } from '../../core/fhir/profiles/digest.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { packageLimits } from '../packages/limits.ts';
import type { Packages } from '../packages/packages.ts';
import { receive } from '../packages/receive.ts';
import { createTruncatedBodyError, createTooLargeError } from './body.ts';
import { createEmptyHandler, createJsonHandler, respondText } from './reply.ts';
import { type ApiRequest, assertFound, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('package', {
  absent: 'There is no such package.',
  invalidUrl: 'Send exactly one url.',
  profileAbsent: 'No installed package has this profile.',
});

/**
 * `/app/packages`: FHIR packages whose profiles validate records. A file name must be in the list and is
 * never a path.
 */
export function createPackageRoutes(packages: Packages): readonly TableRoute[] {
  const reload = createJsonHandler(async () => {
    await packages.look();
    return packages.list();
  });
  const add: Handler = async (request) => {
    checkContentType(request.headers['content-type'], [...packageTypes]);
    const path = packages.incoming();
    if (!(await receiveBody(request, path))) throw await createTooLargeError(request, packageLimits.packed);
    const { installedPackage: installed, isNew } = await packages.add(path);
    request.notes.audited = formatAddress(installed);
    return respondText(JSON.stringify(installed), isNew ? 201 : 200);
  };
  const remove = createEmptyHandler(async (request) => {
    assertFound(await packages.remove(request.params.file ?? ''), messages.absent());
  });
  const profile = createJsonHandler((request) => {
    const [[name, url] = ['', ''], ...furtherParameters] = request.query;
    if (name !== 'url' || url === '' || furtherParameters.length > 0) {
      throw new FhirError('value', { ...messages.invalidUrl(), location: 'http.url' });
    }
    const definition = packages.set().structureDefinition(url);
    return assertFound(definition && digestOf(definition), messages.profileAbsent());
  });
  return [
    { method: 'GET', path: '/app/packages', handler: createJsonHandler(() => packages.list()) },
    { method: 'POST', path: '/app/packages', audit: 'create', handler: add },
    { method: 'POST', path: '/app/packages/look', handler: reload },
    { method: 'DELETE', path: '/app/packages/:file', audit: 'delete', handler: remove },
    { method: 'GET', path: '/app/profiles', handler: profile },
  ];
}

/** Returns true if the body is small enough. It is then stored at `path`. */
async function receiveBody({ incoming }: ApiRequest, path: string): Promise<boolean> {
  if (Number(incoming.headers['content-length'] ?? 0) > packageLimits.packed) return false;
  try {
    return await receive(incoming, path, packageLimits.packed);
  } catch (error) {
    if (incoming.complete || !incoming.destroyed) throw error;
    throw createTruncatedBodyError();
  }
}

function formatAddress({ file }: InstalledPackage): string {
  return `/app/packages/${encodeURIComponent(file)}`;
}
