// An in-process MCP server with one tool, `ping`: the few methods that the CLI calls, without the MCP package.

/** The config of an SDK server named `host`; `called` hears of every tool call. */
export function hostServer(called) {
  const methods = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'host', version: '1.0.0' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'ping', description: 'Answers.', inputSchema: { type: 'object', properties: {} } }],
    }),
    'tools/call': ({ name }) => {
      called(name);
      return { content: [{ type: 'text', text: 'pong' }] };
    },
    ping: () => ({}),
  };
  const instance = {
    async connect(transport) {
      transport.onmessage = ({ id, method, params }) => {
        if (id === undefined) return;
        const result = methods[method]?.(params ?? {});
        const answer = result ? { result } : { error: { code: -32601, message: `no method ${method}` } };
        void transport.send({ jsonrpc: '2.0', id, ...answer });
      };
      await transport.start();
    },
    async close() {},
  };
  return { type: 'sdk', name: 'host', instance };
}
