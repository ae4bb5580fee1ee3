/** Processes and folders of ours: gone at the latest when this process is. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const groups = new Set<number>();
const folders = new Set<string>();

process.once('exit', () => {
  groups.forEach(kill);
  folders.forEach(removeFolder);
});

/** Registers a child that was spawned `detached`, the leader of its group. */
export function track(child: ChildProcess): void {
  if (child.pid !== undefined) groups.add(child.pid);
}

/** Ends a child with all that it started, and waits until it is gone. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const isGone = child.exitCode !== null || child.signalCode !== null;
  const left = isGone ? undefined : new Promise((resolve) => child.once('exit', resolve));
  kill(child.pid);
  groups.delete(child.pid);
  await left;
}

function kill(pid: number): void {
  try {
    // Windows knows no groups: there the host goes, and its CLI with the pipe to it.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

export function temporaryFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `holdopen-${name}-`));
  folders.add(path);
  return path;
}

export function removeFolder(path: string): void {
  // A process that has just been killed may still be writing.
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  folders.delete(path);
}
