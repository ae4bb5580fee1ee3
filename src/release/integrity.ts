import { createHash } from 'node:crypto';
import { HoldopenError } from '../errors.ts';
import { streamRegular } from './stream.ts';

const strongestFirst = ['sha512', 'sha384', 'sha256', 'sha1'] as const;

/**
 * Compares a file with what the registry says of it, by the strongest algorithm that it names
 * (https://w3c.github.io/webappsec-subresource-integrity/).
 * @param path the tarball
 * @param expected `sha512-<base64>`, several with blanks between
 * @param name how to name it in an error
 * @throws HoldopenError `integrity` where it is another file, or nothing comparable is known of it
 */
export async function checkIntegrity(path: string, expected: string, name: string): Promise<void> {
  const known = expected.split(/\s+/).map((part) => part.split('?')[0] ?? '');
  const algorithm = strongestFirst.find((candidate) =>
    known.some((part) => part.startsWith(`${candidate}-`)),
  );
  const actual = algorithm && (await integrityOf(path, algorithm));
  if (actual !== undefined && known.includes(actual)) return;
  throw new HoldopenError({
    code: 'integrity',
    message: `${name} is not what the registry says it is: ${actual === undefined ? 'no hash of it is known' : `expected ${expected}, got ${actual}`}`,
    hint: 'npm cache clean --force, and run this again; if it stays, do not install this release',
  });
}

/**
 * `sha512-<base64>` of a file.
 * @throws HoldopenError `no-file` where it is no regular file
 */
export async function integrityOf(
  path: string,
  algorithm: (typeof strongestFirst)[number] = 'sha512',
): Promise<string> {
  const hash = createHash(algorithm);
  for await (const chunk of streamRegular(path)) hash.update(chunk as Buffer);
  return `${algorithm}-${hash.digest('base64')}`;
}
