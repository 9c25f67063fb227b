import type { Request } from 'express';
import { checkContentType } from '../../core/api/negotiation.ts';
import { packageTypes, type HeldPackage } from '../../core/app/packages.ts';
import { digestOf } from '../../core/fhir/profiles/digest.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { packageLimits } from '../packages/limits.ts';
import type { Packages } from '../packages/packages.ts';
import { receive } from '../packages/receive.ts';
import { brokenOff, tooLarge } from './body.ts';
import { done, json, sendJson } from './reply.ts';
import { pairsOf, found, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/packages`: FHIR packages, by whose profiles records are judged; a file's name is one of the list, never a path. */
export function packageRoutes(packages: Packages): readonly TableRoute[] {
  const look = json(async () => {
    await packages.look();
    return packages.list();
  });
  const add: Answer = async (request, response) => {
    checkContentType(request.headers['content-type'], [...packageTypes]);
    const path = packages.incoming();
    if (!(await received(request, path))) throw await tooLarge(request, packageLimits.packed);
    const { added, isNew } = await packages.add(path);
    response.locals.audited = addressOf(added);
    sendJson(response, isNew ? 201 : 200, JSON.stringify(added));
  };
  const remove = done(async (request) => {
    found(await packages.remove(String(request.params.file)), 'There is no such package.');
  });
  const profile = json((request) => {
    const [[name, url] = ['', ''], ...others] = pairsOf(request);
    if (name !== 'url' || url === '' || others.length > 0) {
      throw new FhirError('value', { text: 'Send one url.', location: 'http.url' });
    }
    const definition = packages.set().structureDefinition(url);
    return found(definition && digestOf(definition), 'No package at hand has this profile.');
  });
  return [
    { method: 'GET', path: '/app/packages', answer: json(() => packages.list()) },
    { method: 'POST', path: '/app/packages', audit: 'create', answer: add },
    { method: 'POST', path: '/app/packages/look', answer: look },
    { method: 'DELETE', path: '/app/packages/:file', audit: 'delete', answer: remove },
    { method: 'GET', path: '/app/profiles', answer: profile },
  ];
}

/** Whether the body is small enough; it lies at `path` then. */
async function received(request: Request, path: string): Promise<boolean> {
  if (Number(request.headers['content-length'] ?? 0) > packageLimits.packed) return false;
  try {
    return await receive(request, path, packageLimits.packed);
  } catch (error) {
    if (request.complete || !request.destroyed) throw error;
    throw brokenOff();
  }
}

function addressOf({ file }: HeldPackage): string {
  return `/app/packages/${encodeURIComponent(file)}`;
}
