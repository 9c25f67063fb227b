/** The order of versions as people write them: numbers by their value, a release behind its ballots (semver.org 11). */
export function compareVersions(left: string, right: string): number {
  const [[leftCore, leftLabel], [rightCore, rightLabel]] = [partsOf(left), partsOf(right)];
  return (
    leftCore.localeCompare(rightCore, 'en', { numeric: true }) ||
    Number(leftLabel === '') - Number(rightLabel === '') ||
    leftLabel.localeCompare(rightLabel, 'en', { numeric: true })
  );
}

function partsOf(version: string): readonly [core: string, label: string] {
  const at = version.indexOf('-');
  return at === -1 ? [version, ''] : [version.slice(0, at), version.slice(at + 1)];
}
