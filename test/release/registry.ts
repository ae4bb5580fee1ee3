import { createHash } from 'node:crypto';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { sdkName } from '../support/installs.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import { packed } from './pack.ts';

/** A published version, and what is wrong with it. */
export interface Published {
  tarball: Buffer;
  /** What the registry says its hash is, where that is a lie. */
  integrity?: string;
  /** All that the registry says of its tarball beside the address, where that is not the usual. */
  hashes?: object;
  /** The tarball is not there. */
  missing?: boolean;
  /** The registry answers with this status instead of the tarball. */
  answer?: number;
  /** Its tarball never comes; called when it is asked for. */
  stall?: (() => void) | undefined;
}

export interface Registry {
  /** A project whose npm is configured for this registry and for no other. */
  cwd: string;
  /** The environment of a child: a cache and an npm cache of its own. */
  env: Record<string, string>;
  /** Paths that were asked for. */
  asked: string[];
  close: () => Promise<void>;
}

export interface RegistryOptions {
  name?: string;
  latest?: string;
  /** What it says of the package beside its versions. */
  more?: object;
  /** Answers whatever is asked, instead of the registry. */
  answer?: (response: ServerResponse) => void;
}

/** The SDK with these scripts, as it would be published. */
export function release(version: string, scripts: Record<string, string>, more: object = {}): Published {
  const manifest = { name: sdkName, version, main: 'sdk.mjs', claudeCodeVersion: `2.${version}`, ...more };
  return { tarball: packed({ 'package.json': jsonFile(manifest), ...scripts, 'README.md': 'words' }) };
}

/** An npm registry on loopback with these versions of one package; goes away with the test. */
export async function startRegistry(
  t: TestContext,
  versions: Record<string, Published>,
  { name = sdkName, latest = Object.keys(versions).at(-1) ?? '', more = {}, answer }: RegistryOptions = {},
): Promise<Registry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    const version = /\/-\/(.+)\.tgz$/.exec(path)?.[1] ?? '';
    const published = versions[version];
    if (answer) answer(response);
    else if (published?.stall) published.stall();
    else if (published?.answer) response.writeHead(published.answer).end('{}');
    else if (published && !published.missing) response.end(published.tarball);
    else if (path === `/${name}`)
      response.end(JSON.stringify({ ...packument(name, versions, latest, base()), ...more }));
    else response.writeHead(404).end('{}');
  });
  const base = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  t.after(close);
  const cwd = makeTree(t, {
    'package.json': `{\n  "name": "app",\n  "dependencies": {\n    "${sdkName}": "*"\n  }\n}\n`,
    '.npmrc': `registry=${base()}/\nfetch-retries=0\n`,
  });
  const home = makeTree(t, {});
  const env = {
    HOLDOPEN_CACHE: `${home}/cache`,
    HOME: home,
    npm_config_cache: `${home}/npm`,
    npm_config_userconfig: `${home}/none`,
  };
  return { cwd, env, asked, close };
}

function packument(name: string, versions: Record<string, Published>, latest: string, base: string): object {
  const entries = Object.entries(versions).map(([version, { tarball, integrity, hashes }]) => [
    version,
    {
      name,
      version,
      dist: {
        tarball: `${base}/${name}/-/${version}.tgz`,
        ...(hashes ?? {
          integrity: integrity ?? `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
          shasum: createHash('sha1').update(tarball).digest('hex'),
        }),
      },
    },
  ]);
  return { name, 'dist-tags': { latest, next: latest }, versions: Object.fromEntries(entries) as object };
}
