// A reporter for node --test: what tests say by themselves, each a line of JSON, and nothing else.
export default async function* diagnostics(events) {
  for await (const { type, data } of events)
    if (type === 'test:diagnostic') yield `${JSON.stringify(data.message)}\n`;
}
