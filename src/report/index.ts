import type { ReportFormat } from './format.ts';
import { human } from './human.ts';
import { json } from './json.ts';

export type { RenderOptions, ReportFormat } from './format.ts';

/** By the name that `--format` takes. A new format is one file and one line here. */
export const formats = { human, json } satisfies Record<string, ReportFormat>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];
