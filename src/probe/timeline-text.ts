import type { DriveRecord, LogEntry } from './record.ts';

/** The run as one line an event, for people. */
export function timelineOf({ log }: DriveRecord): string[] {
  const start = log.find(({ event }) => event === 'user' || event === 'sent')?.at ?? log[0]?.at ?? 0;
  return log.flatMap((entry) => {
    const text = lineOf(entry);
    return text === undefined ? [] : [`${String(Math.round(entry.at - start)).padStart(6)}  ${text}`];
  });
}

function lineOf(entry: LogEntry): string | undefined {
  switch (entry.event) {
    case 'sent':
      return `C> ${entry.label}`;
    case 'user':
      return 'H> user message';
    case 'asked':
      return `H> request ${entry.subtype}`;
    case 'served':
      return `H> response(${entry.id})`;
    case 'lost':
      return `LOST ${entry.subtype}(${entry.id}), ${entry.when}`;
    case 'cancelled':
      return `C> cancel(${entry.id})`;
    case 'stdin-end':
      return 'EOF of stdin';
    case 'note':
      return `-- ${entry.text}`;
    case 'unmet':
      return `UNMET ${JSON.stringify(entry.step)}`;
    case 'exit':
      return `CLI exit ${entry.code}`;
    case 'signal':
      return `CLI ${entry.name}`;
    case 'warning':
      return `warning ${entry.code} ${entry.message}`;
    case 'uncaught':
      return `UNCAUGHT ${entry.error}`;
    case 'ended':
      return `consumer ${entry.how}${entry.error ? `: ${entry.error}` : ''}`;
    case 'action':
      return `host ${entry.does}${entry.error ? `: ${entry.error}` : ''}`;
    default:
      return undefined;
  }
}
