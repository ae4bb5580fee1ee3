import { execFile } from 'node:child_process';
import semver from 'semver';
import { HoldopenError, systemCode } from '../errors.ts';

/** How the npm client is run. */
export interface NpmOptions {
  /** The directory whose `.npmrc` counts. */
  cwd: string;
  signal?: AbortSignal | undefined;
}

/** What a registry says of one package. */
export interface Metadata {
  /** Every published version. */
  versions: string[];
  tags: Record<string, string>;
}

/**
 * What is usable of what a registry, or a note in the cache, says: versions become names of folders and words for npm, and
 * something that is none must be neither.
 * @returns undefined where it is of another kind altogether
 */
export function metadataOf(value: unknown): Metadata | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { versions, tags } = value as { versions?: unknown; tags?: unknown };
  if (!Array.isArray(versions) || typeof tags !== 'object' || tags === null) return undefined;
  return {
    versions: versions.filter(isVersion),
    tags: Object.fromEntries(
      Object.entries(tags).filter((tag): tag is [string, string] => isVersion(tag[1])),
    ),
  };
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && semver.valid(value) === value;
}

/**
 * https://docs.npmjs.com/cli/configuring-npm/package-json#name, old names in capitals included. None with a dash in front:
 * npm would take it for an option.
 */
const packageName = /^(?!-)(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

/** Whether a text can be a package's name; nothing else is handed to npm. */
export function isPackageName(name: string): boolean {
  return packageName.test(name) && name.length <= 214;
}

/**
 * Asks the registry what there is of a package. Through the user's own npm: it knows the registry, the
 * credentials, the proxy and the certificates that are configured.
 * @throws HoldopenError with npm's code: `E404`, `ENOTFOUND`, ...
 */
export async function fetchMetadata(name: string, options: NpmOptions): Promise<Metadata> {
  const said = await npmJson(['view', name, 'versions', 'dist-tags'], name, options);
  const general = Object(said) as { versions?: string | string[]; 'dist-tags'?: Record<string, string> };
  const [versions, tags] = [[general.versions ?? []].flat(), general['dist-tags'] ?? {}];
  return metadataOf({ versions, tags }) ?? { versions: [], tags: {} };
}

/** The hashes of every version in a range, as the registry publishes them. */
export async function fetchIntegrity(
  name: string,
  range: string,
  options: NpmOptions,
): Promise<Record<string, string>> {
  const fields = ['version', 'dist.integrity', 'dist.shasum'];
  const said = await npmJson(['view', `${name}@${range}`, ...fields], `${name}@${range}`, options);
  const hashes: Record<string, string> = {};
  for (const row of [said].flat()) {
    // Of a version without any hash npm prints the version alone.
    const { version, ...dist } = Object(row) as Record<string, unknown>;
    const [integrity, shasum] = [dist['dist.integrity'], dist['dist.shasum']];
    const sha1 = typeof shasum === 'string' ? Buffer.from(shasum, 'hex').toString('base64') : '';
    if (typeof version === 'string')
      hashes[version] = typeof integrity === 'string' ? integrity : sha1 && `sha1-${sha1}`;
  }
  return hashes;
}

/**
 * Downloads the tarball of one version. No script of any package is run.
 * @param dir an empty directory; the only file in it afterwards but npm's own is the tarball
 * @param ownCache where npm keeps its copy, for a run so long that it would fill the user's cache
 * @returns the name of the file
 */
export async function fetchTarball(
  name: string,
  version: string,
  dir: string,
  options: NpmOptions & { ownCache?: string | undefined },
): Promise<string> {
  const cache = options.ownCache === undefined ? [] : [`--cache=${options.ownCache}`];
  const words = ['pack', `${name}@${version}`, `--pack-destination=${dir}`, '--ignore-scripts', ...cache];
  const [packed] = (await npmJson(words, `${name}@${version}`, options)) as { filename: string }[];
  // npm 8 wrote the name of the package into it, slash and all.
  return (packed?.filename ?? '').replace('@', '').replace('/', '-');
}

/** The waits between npm's own attempts are made for builds, not for people: 10 s, then a minute. */
const patience = ['--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=4000'];

async function npmJson(words: readonly string[], subject: string, options: NpmOptions): Promise<unknown> {
  const { cwd, signal } = options;
  const isWindows = process.platform === 'win32';
  const flags = ['--json', '--loglevel=error', '--no-update-notifier', ...patience];
  // Names and versions were checked, so that a shell, which a .cmd file needs, finds nothing to interpret.
  const args = [...words, ...flags].map((word) => (isWindows ? `"${word}"` : word));
  const settings = { cwd, shell: isWindows, maxBuffer: 2 ** 27, ...(signal && { signal }) };
  const { error, stdout, stderr } = await new Promise<Ended>((resolve) => {
    const child = execFile(isWindows ? 'npm.cmd' : 'npm', args, settings, (error, stdout, stderr) => {
      const ended = { error, stdout, stderr };
      // After an interrupt this is called at once, with npm still at work in the directory that is to be removed.
      const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
      if (isGone) resolve(ended);
      else child.once('exit', () => resolve(ended));
    });
  });
  signal?.throwIfAborted();
  const value = parse(stdout);
  if (error === null && value !== undefined) return value;
  throw npmError(subject, error, value, stderr);
}

interface Ended {
  error: Error | null;
  stdout: string;
  stderr: string;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const network =
  /^(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|E.*TIMEDOUT|ERR_SOCKET_TIMEOUT|EAI_AGAIN|E.*UNREACH|ENOTCACHED|EPROTO)$/;

/** npm's error in our words. The registry's address stays out: it can carry credentials. */
function npmError(subject: string, error: Error | null, value: unknown, stderr: string): HoldopenError {
  const said = (value as { error?: { code?: string; summary?: string } } | undefined)?.error;
  const code = said?.code ?? /npm (?:error|ERR!) code (\S+)/.exec(stderr)?.[1] ?? systemCode(error);
  // A shell would take the signs of a range for the names of files.
  const view = /[<> ]/.test(subject) ? `npm view "${subject}"` : `npm view ${subject}`;
  const failed = (message: string, hint: string): HoldopenError =>
    new HoldopenError({ code: code ?? 'npm', message, hint, cause: error ?? undefined });
  if (code === 'ENOENT' && said === undefined)
    return failed(
      'npm is not installed here, and it is what releases are fetched with',
      'install npm, or name a tarball or a directory: holdopen check ./package.tgz',
    );
  if (code === 'E404' || code === 'ETARGET') {
    const name = subject.replace(/(?<=.)@.*/, '');
    return failed(`the registry has no ${subject}`, name === subject ? view : `npm view ${name} versions`);
  }
  if (code === 'E401' || code === 'E403' || code === 'ENEEDAUTH')
    return failed(
      `the registry does not let you have ${subject} (${code})`,
      'npm login, or check the token in your .npmrc',
    );
  if (code === 'EINTEGRITY')
    return failed(
      `${subject} is not what the registry says it is: its hash is another`,
      'npm cache clean --force, and run this again; if it stays, do not install this release',
    );
  if (code !== undefined && /^E(?:429|5\d\d)$/.test(code))
    return failed(
      `the registry ${code === 'E429' ? 'wants to be asked less often' : 'has a fault of its own'}: it did not give ${subject} (${code})`,
      'wait a while: the same command goes on where it stopped',
    );
  // npm has one code for an answer that never comes and for one that is none.
  const isLate = code === 'FETCH_ERROR' && /timeout/i.test(said?.summary ?? '');
  if (code !== undefined && (network.test(code) || isLate))
    return failed(
      `cannot reach the registry for ${subject} (${code})`,
      'npm ping; what is in the cache can be checked by its exact version, and --from-catalogue needs no network',
    );
  return failed(`npm could not get ${subject}${code === undefined ? '' : ` (${code})`}`, view);
}
