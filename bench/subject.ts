/** Returns the id in a literal reference of any form: relative, absolute, urn or with a version. */
export function parseTargetId(reference: string): string {
  const [unversioned = ''] = reference.split('/_history/');
  return unversioned.slice(Math.max(unversioned.lastIndexOf('/'), unversioned.lastIndexOf(':')) + 1);
}
