/**
 * The command line's entry. It looks at Node's version before anything loads the database driver, which ends with a
 * segmentation fault on a Node that is too old.
 */
const oldest = 22;
const found = Number(process.versions.node.split('.')[0]);

if (found < oldest) {
  process.stderr.write(
    `Chartkeeper needs Node ${oldest} or later; this is ${process.versions.node}. Run it through npm (npm run serve), which includes the right version.\n`,
  );
  process.exitCode = 1;
} else {
  const { runCommandLine } = await import('./commands/commands.ts');
  await runCommandLine(process.argv);
}
