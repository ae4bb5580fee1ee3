import type { BoundClass } from '../locate/analyze.ts';
import { methodsThatMatter, normalForm } from '../locate/fingerprints.ts';
import type { Loop, Roles } from '../locate/roles.ts';
import { type Source, displayText } from '../locate/source.ts';
import type { Edit } from '../patch/edits.ts';
import type { Examination } from '../patch/examine.ts';
import type { Fingerprints } from '../types.ts';
import { reasonText } from './texts.ts';

/** What `explain` says of one bundle: data for programs, and the source of the text for people. */
export interface Explanation {
  file: string;
  status: Examination['status'];
  reasons: string[];
  family: string | null;
  /** Where each role is bound: byte offsets in the unpatched file. */
  roles: { role: string; at: number; detail: string }[];
  /** The `endInput` calls with the conditions under which they run. */
  sites: { method: string; at: number; when: string[] }[];
  fingerprints: Record<string, string>;
  /** By method, alpha-renamed. For looking at on the spot: it is a rendering of somebody else's code. */
  normalForms: Record<string, string>;
  edits: readonly Edit[];
}

/**
 * Explains the verdict on a bundle.
 * @param file how to name it
 * @param examination what `examine` said of the text
 */
export function explain(
  file: string,
  { status, reasons, analysis, original, rendering }: Examination,
): Explanation {
  const base = { file, status, reasons: reasons.map(reasonText) };
  if (analysis.kind !== 'bound' || original === undefined)
    return { ...base, family: null, roles: [], sites: [], fingerprints: {}, normalForms: {}, edits: [] };
  const { roles, rule } = analysis;
  return {
    ...base,
    family: `${rule.family} (seen in ${rule.seenIn})`,
    roles: listRoles(analysis, original.text),
    sites: roles.sites.map((site) => ({
      method: site.method,
      at: site.node.start,
      when: site.conditions.map(({ test, holds }) => `${holds ? '' : 'not '}${cut(original.text, test)}`),
    })),
    fingerprints: original.fingerprints ? flat(original.fingerprints) : {},
    normalForms: Object.fromEntries(
      methodsThatMatter(roles).flatMap((name) => {
        const method = roles.methods.get(name);
        return method ? [[name, normalForm(method.value)]] : [];
      }),
    ),
    edits: rendering?.edits ?? [],
  };
}

/** The explanation as text. `forms`: with the normal forms. */
export function renderExplanation(explanation: Explanation, { forms }: { forms: boolean }): string {
  const { file, status, reasons, family, roles, sites, fingerprints, normalForms, edits } = explanation;
  const lines = [`${file}: ${status}`, ...reasons.map((reason) => `  ${reason}`)];
  if (family !== null) {
    lines.push('', `family  ${family}`, '', 'roles (offset, what is bound)');
    lines.push(...roles.map(({ role, at, detail }) => `  ${pad(at)}  ${role.padEnd(16)} ${detail}`));
    lines.push('', 'sites (offset, method, when it runs)');
    lines.push(
      ...sites.map(({ at, method, when }) => `  ${pad(at)}  ${method}: ${when.join(' and ') || 'always'}`),
    );
    lines.push('', 'fingerprints');
    lines.push(...Object.entries(fingerprints).map(([name, hash]) => `  ${hash}  ${name}`));
    if (forms)
      for (const [name, form] of Object.entries(normalForms))
        lines.push('', `normal form of ${name}`, indent(form));
    lines.push('', 'edits (offset in the unpatched file, what is inserted, why)');
    lines.push(...edits.map(({ at, text, purpose }) => `  ${pad(at)}  ${text.padEnd(48)} ${purpose}`));
  }
  return `${lines.join('\n')}\n`;
}

function listRoles({ roles }: BoundClass, source: Source): Explanation['roles'] {
  const loop = ({ node, variable }: Loop): string =>
    `for await (${variable.name} of ${cut(source, node.right)})`;
  const { needs, waits } = roles;
  return [
    { role: 'class', at: roles.class.start, detail: `${roles.class.end - roles.class.start} bytes` },
    { role: 'input loop', at: roles.input.node.start, detail: loop(roles.input) },
    { role: 'read loop', at: roles.read.node.start, detail: loop(roles.read) },
    { role: 'request handler', at: roles.request.start, detail: cut(source, roles.request) },
    { role: 'cleanup', at: roles.cleanup.start, detail: 'cleanup()' },
    { role: 'output', at: roles.output.start, detail: 'hands frames to the consumer' },
    {
      role: 'needs',
      at: needsAt(roles),
      detail: `${needs.method ?? 'tested in place'}: ${needs.terms.join(', ')}`,
    },
    ...waits.map((wait) => ({
      role: 'wait',
      at: wait.node.start,
      detail: wait.method ?? 'a race with a timer',
    })),
  ];
}

function needsAt({ needs, methods, waits }: Roles): number {
  const method = needs.method === undefined ? undefined : methods.get(needs.method);
  return method?.start ?? waits[0]?.conditions[0]?.test.start ?? 0;
}

function flat({ methods, class: all, facts }: Fingerprints): Record<string, string> {
  return { ...methods, 'the class': all, 'the facts': facts };
}

const MOST = 70;
function cut(source: Source, node: { start: number; end: number }): string {
  const text = displayText(source.slice(node.start, node.end)).replace(/\s+/g, ' ');
  return text.length > MOST ? `${text.slice(0, MOST)}...` : text;
}

const pad = (offset: number): string => String(offset).padStart(8);
const indent = (text: string): string => text.replace(/^/gm, '  ');
