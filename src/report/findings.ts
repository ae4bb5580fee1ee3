import { relative, resolve } from 'node:path';
import type { BundleReport, CopyReport, Layout, Report, Status } from '../types.ts';
import { displayOf } from './build.ts';
import type { RenderOptions } from './format.ts';
import { printable, reasonText, statusTexts } from './texts.ts';

/** The statuses that somebody has to do something about. */
export type FindingStatus = Exclude<Status, 'patched' | 'unaffected'>;

/** From where the user runs the commands, and how they named what was searched. */
type Caller = Pick<RenderOptions, 'target' | 'cwd'>;

/** One bundle that is not fine. */
export interface Finding {
  copy: CopyReport;
  bundle: BundleReport;
  status: FindingStatus;
}

/** Every bundle that is not fine, in the report's order, those of ignored copies as well. */
export function findings(report: Report): Finding[] {
  return report.copies.flatMap((copy) =>
    copy.bundles.flatMap((bundle): Finding[] =>
      bundle.status === 'patched' || bundle.status === 'unaffected'
        ? []
        : [{ copy, bundle, status: bundle.status }],
    ),
  );
}

/** `node_modules/x/sdk.mjs (x 1.0.0) ends the CLI's input ...`: one line, safe to print. */
export function findingText({ copy, bundle }: Finding): string {
  const why = bundle.reasons.map(reasonText).join('; ') || statusTexts[bundle.status];
  return printable(`${displayOf(copy, bundle)} (${copyName(copy)}) ${why}`);
}

/** What to do about it: a command. */
export function findingRemedy({ copy, bundle, status }: Finding, report: Report, caller: Caller): string {
  const patchable = status === 'affected' || status === 'partial' || status === 'stale';
  if (patchable && !copy.path.includes('.zip/')) return patchCommand(caller);
  return printable(remedy(report.root, copy, bundle, caller));
}

function patchCommand({ target }: Pick<Caller, 'target'>): string {
  return `npx holdopen patch${target === '' ? '' : ` ${target}`}`;
}

/** `@anthropic-ai/claude-agent-sdk 0.3.205` */
export function copyName({ package: name, version }: CopyReport): string {
  return version === null ? name : `${name} ${version}`;
}

/**
 * What gets rid of the findings, in the order in which to do it; for the first copy of a kind, since one command more
 * would be one too many in a log.
 * @param report what was found
 * @param caller who has to type it
 */
export function nextSteps(report: Report, caller: Caller): string[] {
  const all = findings(report);
  const first = (status: Status): Finding | undefined => all.find((finding) => finding.status === status);
  const patchable = first('modified') ?? first('affected') ?? first('partial') ?? first('stale');
  const remedies = (statuses: Status[]): string[] =>
    statuses.flatMap((status) => {
      const finding = first(status);
      return finding ? [remedy(report.root, finding.copy, finding.bundle, caller)] : [];
    });
  const steps = remedies(['unreadable', 'modified']);
  // Plug'n'Play loads it out of a zip.
  const isPacked = patchable?.copy.layout === 'yarn-pnp' && patchable.copy.path.includes('.zip/');
  if (patchable) steps.push(isPacked ? unplugged : patchCommand(caller));
  return [...steps, ...remedies(['unknown'])];
}

/** Takes the SDK out of yarn's archives into a folder of the project, where it can be patched. */
export const unplugged =
  'yarn unplug --all --recursive @anthropic-ai/claude-agent-sdk && yarn holdopen patch';

/** No package manager looks at the contents of what is installed already: it has to be gone. */
const installCommands: Record<Exclude<Layout, 'file'>, string> = {
  npm: 'npm install',
  // Without it pnpm sees that its lockfile has not changed and does nothing.
  pnpm: 'pnpm install --force',
  'yarn-classic': 'yarn install --check-files',
  yarn: 'yarn install',
  'yarn-pnp': 'yarn install',
  bun: 'bun install',
};

/**
 * What to do about a bundle that `patch` and `restore` leave alone.
 * @param root real path of the directory that was searched
 * @param copy what the bundle is of
 * @param bundle status and reasons say what is wrong
 * @param caller who has to type it
 */
export function remedy(
  root: string,
  copy: Pick<CopyReport, 'path' | 'layout'>,
  bundle: Pick<BundleReport, 'status' | 'reasons'>,
  { cwd }: Pick<Caller, 'cwd'>,
): string {
  const place = shellWord(printable(fromCwd(cwd, resolve(root, copy.path))));
  if (bundle.reasons.some((reason) => reason.code === 'gate-newer')) return 'npx holdopen@latest patch';
  const again =
    copy.layout === 'file' ? `build ${place} again` : `rm -rf ${place} && ${installCommands[copy.layout]}`;
  if (bundle.status === 'modified') return again;
  if (bundle.status !== 'unreadable') return `npx holdopen explain ${place}`;
  // An install is at work on it, or was cut off.
  const isUnfinished = bundle.reasons.some(({ args }) => args?.['detail'] === 'missing');
  return isUnfinished
    ? `let the install end, or repeat it: ${again}`
    : `make ${place} readable and run this again`;
}

/** A path as it has to be typed: a relative one must not mean something else where the command is run. */
function fromCwd(cwd: string, path: string): string {
  const way = relative(cwd, path) || '.';
  return way.startsWith('..') ? path : way;
}

/** A path on a command line as a POSIX shell takes it, on one line, and never for an option. */
export function shellWord(word: string): string {
  const path = word.startsWith('-') ? `./${word}` : word;
  if (/^[\w@%+=:,./-]+$/.test(path)) return path;
  return printable(`'${path.replaceAll("'", "'\\''")}'`);
}
