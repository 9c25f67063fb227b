/** The id that a literal reference names, whatever its form: relative, absolute, urn or with a version. */
export function targetId(reference: string): string {
  const [unversioned = ''] = reference.split('/_history/');
  return unversioned.slice(Math.max(unversioned.lastIndexOf('/'), unversioned.lastIndexOf(':')) + 1);
}
