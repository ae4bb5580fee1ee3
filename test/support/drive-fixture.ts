import { type DriveOptions, Driver, type Programs } from '../../src/probe/drive.ts';
import type { DriveRecord } from '../../src/probe/record.ts';
import { compile } from './compile.ts';

export type { DriveOptions } from '../../src/probe/drive.ts';
export type { DriveRecord } from '../../src/probe/record.ts';
export type { HostAction, HostScript, PromptStep, Reply } from '../../src/probe/script.ts';

/** The probe's programs from source, as plain files for `node`. */
export async function programs(): Promise<Programs> {
  const [host, standIn] = await Promise.all([
    compile(new URL('../../src/probe/host.ts', import.meta.url)),
    compile(new URL('../../src/probe/stand-in.ts', import.meta.url)),
  ]);
  return { host, standIn };
}

/** One run of a bundle against the stand-in CLI in a process of its own, see `src/probe/drive.ts`. */
export async function driveFixture(options: DriveOptions): Promise<DriveRecord> {
  const driver = new Driver(await programs());
  try {
    return await driver.run({ lingerMs: 0, ...options });
  } finally {
    await driver.close();
  }
}
