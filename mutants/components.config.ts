import config from '../vitest.config.ts';

const { projects = [], ...test } = config.test ?? {};

/** The tests that drive components in a browser, for mutants of what runs in it. */
export default {
  ...config,
  // Stryker's copy of the sources has a link to the packages.
  server: { fs: { strict: false } },
  test: {
    ...test,
    projects: projects.filter((one) => typeof one === 'object' && nameOf(one) === 'components'),
  },
};

function nameOf(project: object): unknown {
  return 'test' in project &&
    typeof project.test === 'object' &&
    project.test !== null &&
    'name' in project.test
    ? project.test.name
    : undefined;
}
