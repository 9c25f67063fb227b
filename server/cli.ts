/**
 * Entry point of the command line. Checks the version of Node before the database driver is loaded: the driver crashes
 * with a segmentation fault on an old Node.
 */
const minNodeVersion = 22;
const nodeVersion = Number(process.versions.node.split('.')[0]);

if (nodeVersion < minNodeVersion) {
  process.stderr.write(
    `Chartkeeper needs Node ${minNodeVersion} or later; this is ${process.versions.node}. Run it through npm (npm run serve), which includes the right version.\n`,
  );
  process.exitCode = 1;
} else {
  const { runCommandLine } = await import('./commands/commands.ts');
  await runCommandLine(process.argv);
}
