import { InvalidArgumentError } from 'commander';

/** A path of the command line. An empty one comes from a variable that is not set, and would mean "here". */
export function namedPath(value: string): string {
  if (value === '') throw new InvalidArgumentError('It is empty: name a path, or leave it out.');
  return value;
}
