import { InvalidArgumentError } from 'commander';

/** One `--output FORMAT=FILE`. */
export interface Output<F extends string> {
  format: F;
  path: string;
}

/**
 * Reads a repeatable `--output`.
 * @param names of the formats that the command has
 * @returns what adds one to those before it; throws InvalidArgumentError where it is not `FORMAT=FILE`
 */
export function outputParser<F extends string>(
  names: readonly F[],
): (value: string, before: Output<F>[]) => Output<F>[] {
  return (value, before) => {
    const [, name, path = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
    const format = names.find((known) => known === name);
    if (format === undefined || path === '')
      throw new InvalidArgumentError(`Use FORMAT=FILE, with one of ${names.join(', ')}.`);
    return [...before, { format, path }];
  };
}
