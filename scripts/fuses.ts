/**
 * Sets the fuses of Electron's program: what it can never be talked into again, whatever the arguments and the environment.
 * A fuse that a later Electron adds stops the packaging until it is decided on in main/fuses.ts.
 */
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { fuseNames, fuses, wrongFuses } from '../main/fuses.ts';

/** Sets the fuses of a packaged program and reads them back. Throws a sentence where one is not as it should be. */
export async function setFuses(program: string): Promise<void> {
  const byIndex = Object.fromEntries(fuseNames.map((name) => [FuseV1Options[name], fuses[name]]));
  await flipFuses(program, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: program.endsWith('.app'),
    ...(byIndex as Record<FuseV1Options, boolean>),
  });
  const wrong = await wrongFuses(program);
  if (wrong.length > 0) throw new Error(`These fuses are not as they should be: ${wrong.join(', ')}.`);
}
