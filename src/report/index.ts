import { type ReportFormat, json } from './format.ts';
import { github } from './github.ts';
import { human } from './human.ts';
import { junit } from './junit.ts';
import { sarif } from './sarif.ts';

export type { Location, RenderOptions, ReportFormat } from './format.ts';

/** By the name that `--format` takes. A new format is one file and one line here. */
export const formats = { human, json, sarif, github, junit } satisfies Record<string, ReportFormat>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];
