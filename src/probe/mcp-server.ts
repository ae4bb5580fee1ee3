interface Message {
  id?: number | string;
  method?: string;
}

interface Transport {
  onmessage?: (message: Message) => void;
  start?(): Promise<void>;
  send(message: unknown): unknown;
}

/**
 * The least that counts as an MCP server: answers every request on the transport that it is connected to.
 * @param called told of every call of its one tool
 */
export function mcpServer(name: string, called: () => void): unknown {
  const capabilities = { protocolVersion: '2025-06-18', capabilities: { tools: {} } };
  const results: Record<string, unknown> = {
    initialize: { ...capabilities, serverInfo: { name, version: '1.0.0' } },
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'seen' }] },
  };
  return {
    async connect(transport: Transport) {
      transport.onmessage = ({ id, method = '' }) => {
        if (method === 'tools/call') called();
        if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, result: results[method] ?? {} });
      };
      await transport.start?.();
    },
  };
}
